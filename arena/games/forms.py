"""Forms: values as text that a person can read and a program can parse.

A `Form` combines both directions, and larger forms are composed of smaller ones, so a game can read
everything that it writes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from arena.errors import BadText

T = TypeVar("T")

NOTHING = "-"
"""The text of an empty list or a missing value."""


class Form(NamedTuple, Generic[T]):
    """A way to write the values of one type as text, and to read them."""

    show: Callable[[T], str]
    read: Callable[[str], T]
    """Reads whatever `show` writes, and perhaps more; raises `BadText` for anything else."""


def _read_integer(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise BadText(f"{text[:40]!r} is not a whole number")
    # No value has this many digits; the limit keeps hostile text from costing time.
    if len(digits) > 12:
        raise BadText(f"{text[:40]!r} has too many digits")
    return int(text)


integer: Form[int] = Form(str, _read_integer)


def choice(what: str, words: Mapping[str, T]) -> Form[T]:
    """Write each value as its word; `what` names the kind of value, with an article."""
    texts = {value: word for word, value in words.items()}
    values = {word.lower(): value for word, value in words.items()}

    def read(text: str) -> T:
        value = values.get(text.lower())
        if value is None:
            few = len(words) <= 12
            some = ", ".join(list(words)[: 12 if few else 3])
            raise BadText(f"{text[:40]!r} is not {what}: {'one of' if few else 'such as'} {some}")
        return value

    return Form(lambda value: texts[value], read)


_YES_NO = {"yes": True, "no": False, "true": True, "false": False}


def _read_yes_no(text: str) -> bool:
    if text.lower() not in _YES_NO:
        raise BadText(f"{text[:40]!r} is neither yes nor no")
    return _YES_NO[text.lower()]


yes_no: Form[bool] = Form(lambda value: "yes" if value else "no", _read_yes_no)


def several(item: Form[T], separator: str = " ") -> Form[tuple[T, ...]]:
    """Write any number of values in a row."""

    def show(values: tuple[T, ...]) -> str:
        return separator.join(map(item.show, values)) or NOTHING

    def read(text: str) -> tuple[T, ...]:
        if text == NOTHING:
            return ()
        return tuple(item.read(part) for part in text.split(separator))

    return Form(show, read)


def optional(item: Form[T]) -> Form[T | None]:
    """Write a value that may be missing."""
    return Form(
        lambda value: NOTHING if value is None else item.show(value),
        lambda text: None if text == NOTHING else item.read(text),
    )


def mapped(item: Form[T], unpack: Callable[[Any], T], pack: Callable[[T], Any]) -> Form[Any]:
    """Write a packed value as the readable value that it stands for.

    The packed type is up to the caller, hence Any.
    """
    return Form(
        lambda value: item.show(unpack(value)),
        lambda text: pack(item.read(text)),
    )


# The records below are NamedTuples and parameters whose fields differ in type: hence Any.


def fields_of(make: Any, separator: str = " ") -> dict[str, Form[Any]]:
    """Return a form for every field of a record, as its annotations say.

    They may be whole numbers, bools, enums, parameters, and tuples of any number of these.
    """
    hints = get_type_hints(make)
    names = make._fields if hasattr(make, "_fields") else make._names
    return {name: _form_for(hints[name], name, separator) for name in names}


def _form_for(hint: Any, name: str, separator: str) -> Form[Any]:
    if hint in (int, bool):
        return yes_no if hint is bool else integer
    if get_origin(hint) is tuple and get_args(hint)[1:] == (...,):
        item = get_args(hint)[0]
        nested = get_origin(item) is tuple
        return several(_form_for(item, name, separator), " | " if nested else separator)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return choice(f"a {name}", {str(each.value): each for each in hint})
    if hasattr(hint, "named_values"):
        return pairs(name, hint)
    raise TypeError(f"{name}: there is no form for {hint}, so pass one")


def lines(what: str, make: Callable[..., T], **given: Form[Any]) -> Form[T]:
    """Write a record as one `name: value` line for each of its fields, in this order.

    Without fields, they are those of `fields_of`.
    """
    fields = given or fields_of(make)

    def show(record: T) -> str:
        return "\n".join(
            f"{name}: {form.show(getattr(record, name))}" for name, form in fields.items()
        )

    def read(text: str) -> T:
        parts = [line.partition(": ") for line in text.strip().split("\n")]
        return make(**_values(what, fields, [(name, value) for name, _, value in parts]))

    return Form(show, read)


def pairs(what: str, make: Callable[..., T], **given: Form[Any]) -> Form[T]:
    """Write a record as `name=value` words in one line; no value may contain a space.

    Fields may be missing or out of order when `make` has defaults for them. Those that `make` lists
    as `brief` are left out if they are empty or 0. Without fields, they are those of `fields_of`.
    """
    fields = given or fields_of(make, ",")
    brief = getattr(make, "brief", ())

    def show(record: T) -> str:
        values = [(name, form, getattr(record, name)) for name, form in fields.items()]
        return " ".join(
            f"{name}={form.show(value)}"
            for name, form, value in values
            if value or name not in brief
        )

    def read(text: str) -> T:
        parts = [word.partition("=") for word in text.split()]
        found = [(name, value) for name, _, value in parts]
        try:
            return make(**_values(what, fields, found, complete=False))
        except TypeError:
            raise BadText(f"{text[:80]!r} is not {what}: something is missing") from None

    return Form(show, read)


def _values(
    what: str,
    fields: Mapping[str, Form[Any]],
    found: list[tuple[str, str]],
    *,
    complete: bool = True,
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in found:
        if name not in fields:
            raise BadText(f"{what} has no {name[:40]!r}: only {', '.join(fields)}")
        if name in values:
            raise BadText(f"{what} has {name!r} twice")
        try:
            values[name] = fields[name].read(value)
        except BadText as error:
            raise BadText(f"{name}: {error}") from None
    missing = [name for name in fields if name not in values]
    if complete and missing:
        raise BadText(f"{what} lacks {', '.join(missing)}")
    return values


def tagged(what: str, **kinds: type[Any] | tuple[type[Any], Mapping[str, Form[Any]]]) -> Form[Any]:
    """Write one of several kinds of record as the kind's word and then its fields as pairs.

    For a kind without fields, they are those of `fields_of`.
    """
    forms: dict[str, Form[Any]] = {}
    words: dict[type[Any], str] = {}
    for word, kind in kinds.items():
        make, fields = kind if isinstance(kind, tuple) else (kind, fields_of(kind, ","))
        forms[word] = pairs(f"{what} {word!r}", make, **fields)
        words[make] = word

    def show(record: Any) -> str:
        word = words[type(record)]
        return f"{word} {forms[word].show(record)}".rstrip()

    def read(text: str) -> Any:
        word, _, rest = text.partition(" ")
        if word not in forms:
            raise BadText(f"{word[:40]!r} is not {what}: one of {', '.join(forms)}")
        return forms[word].read(rest)

    return Form(show, read)
