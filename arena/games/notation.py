"""Values as text that a person can read and a program can parse, and records that declare theirs.

A `Form` combines both directions, and larger forms are composed of smaller ones, so a game can read
everything that it writes. The forms of a record, its values for JSON, its messages on the wire
(`arena.wire.records`) and who may see its fields all follow from the annotations of its fields:
whole numbers, bools, enums, other records, tuples of these, and `Annotated` with a form, `Packed`,
`Flag` or `Audience`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum, IntEnum
from functools import cache
from operator import attrgetter
from types import UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from arena.errors import BadText

T = TypeVar("T")

NOTHING = "-"
"""The text of an empty list or a missing value."""


class Form(NamedTuple, Generic[T]):
    """A way to write the values of one type as text, and to read them."""

    show: Callable[[T], str]
    read: Callable[[str], T]
    """Reads whatever `show` writes, and perhaps more; raises `BadText` for anything else."""
    is_signed: bool = False
    """Whether numbers may be below 0, which decides how they are sent."""
    has_blanks: bool = False
    """Whether a text may contain spaces, so that lists of them need another separator."""


class Symbol(int):
    """A card, a token or an action: an integer that is shown as its text.

    A subclass writes its text in `__str__`, and then lists all its `values`.
    """

    __slots__ = ()
    what: ClassVar[str]
    """What a value is, with an article: "a card"."""
    values: ClassVar[tuple[Any, ...]]

    def __repr__(self) -> str:
        """Show the text."""
        return str(self)

    @classmethod
    def form(cls) -> Form[Any]:
        """Return the form that writes and reads these texts."""
        return choice(cls.what, {str(value): value for value in cls.values})

    def parts(self) -> dict[str, Any]:
        """Return the properties as values for JSON; what has a name is its text."""
        return {
            name: _plain(getattr(self, name))
            for name, value in vars(type(self)).items()
            if isinstance(value, property)
        }


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(map(_plain, value))
    return str(value) if isinstance(value, Enum) else value


class NamedNumber(IntEnum):
    """An enum of numbers that are shown by their names, in lower case."""

    def __str__(self) -> str:
        """Return the name."""
        return self.name.lower()

    __repr__ = __str__


class Packed(NamedTuple):
    """An integer that is stored in place of what it stands for: cards, or a record."""

    item: Any
    """The type of each card, or the record."""
    unpack: Callable[[int], tuple[Any, ...]]
    pack: Callable[..., int]
    """Takes a tuple of cards, or the values of a record."""
    shifts: tuple[int, ...] = ()
    """Where the number of each card is in the integer; without, a set has one bit for each card."""
    mask: int = 0
    """The bits of each of these numbers."""


class Flag(NamedTuple):
    """Two values, of which one is sent as true and the other as false."""

    true: Any
    false: Any


class UpTo(NamedTuple):
    """How many items a tuple has at most, for tensors of games without an encoder."""

    items: int


class Audience(Enum):
    """Who knows what a field of a view says."""

    RULES = "rules"
    """Everyone, before the match begins: the parameters."""
    PUBLIC = "public"
    """Everyone at the table."""
    PRIVATE = "private"
    """This seat alone, or its team."""


Private = Annotated[T, Audience.PRIVATE]
"""A field of a view that other seats may not see; without, all seats see the same."""


def _read_integer(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise BadText(f"{text[:40]!r} is not a whole number")
    # No value has this many digits; the limit keeps hostile text from costing time.
    if len(digits) > 12:
        raise BadText(f"{text[:40]!r} has too many digits")
    return int(text)


integer: Form[int] = Form(str, _read_integer)
Signed = Annotated[int, Form(str, _read_integer, is_signed=True)]
"""A number that may be below 0."""


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

    is_signed = any(isinstance(value, int) and value < 0 for value in texts)
    return Form(lambda value: texts[value], read, is_signed)


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


@cache
def hints_of(record: Any) -> dict[str, Any]:
    """Return the annotations of a record's fields, in order."""
    hints = get_type_hints(record, include_extras=True)
    names = record._fields if hasattr(record, "_fields") else record._names
    return {name: hints[name] for name in names}


def split_hint(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return the type that an annotation names, and what else it says of it."""
    if get_origin(hint) is Annotated:
        return hint.__origin__, hint.__metadata__
    return hint, ()


def optional_type(hint: Any) -> Any:
    """Return X for the annotation `X | None`; None for all others."""
    if get_origin(hint) not in (Union, UnionType):
        return None
    (kind,) = (each for each in get_args(hint) if each is not type(None))
    return kind


def is_record(kind: Any) -> bool:
    """Tell whether a type is a NamedTuple or a class of parameters."""
    return hasattr(kind, "_fields") or hasattr(kind, "named_values")


def private_fields(view: Any) -> tuple[str, ...]:
    """List the fields of a type of views that other seats may not see."""
    return tuple(n for n, hint in hints_of(view).items() if Audience.PRIVATE in split_hint(hint)[1])


def fields_of(record: Any, *, in_line: bool = False) -> dict[str, Form[Any]]:
    """Return a form for every field of a record; those of one line contain no spaces."""
    return {name: _form_for(hint, name, in_line) for name, hint in hints_of(record).items()}


def _form_for(hint: Any, name: str, in_line: bool, is_inner: bool = False) -> Form[Any]:
    kind, marks = split_hint(hint)
    for mark in marks:
        if isinstance(mark, Form):
            return mark
        if isinstance(mark, Packed):
            items = several(_form_for(mark.item, name, in_line), "+" if in_line else " ")
            return mapped(items, mark.unpack, mark.pack)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if get_origin(kind) is tuple and get_args(kind)[1:] == (...,):
        item = get_args(kind)[0]
        if in_line:
            separator = ","
        elif is_inner or not _is_compound(item):
            separator = " / " if _is_compound(item) else " "
        else:
            separator = " | "
        return several(_form_for(item, name, in_line, is_inner=True), separator)
    if isinstance(kind, type) and issubclass(kind, Symbol):
        return kind.form()
    if isinstance(kind, type) and issubclass(kind, Enum):
        is_number = issubclass(kind, NamedNumber)
        what = f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
        return choice(what, {str(each if is_number else each.value): each for each in kind})
    if is_record(kind):
        return pairs(name, kind)
    present = optional_type(kind)
    if present is None:
        raise TypeError(f"{name}: there is no form for {kind}, so annotate it with one")
    return optional(_form_for(present, name, in_line))


_PLAIN: Mapping[Any, Form[Any]] = {int: integer, bool: yes_no}


Known = dict[str, dict[Any, Any]]
"""The values for JSON of fields, by name and by what they were in the record."""


def values_of(record: Any, known: Known | None = None) -> dict[str, Any]:
    """Return the fields of a record as values for JSON.

    Numbers stay numbers; tuples, packed values and records within records are lists; and what has a
    name, such as a card, is its text. With `known`, which is kept from record to record of one
    type, equal fields are one object.
    """
    writers, get = _writers(record.__class__)
    if known is None:
        return {name: write(getattr(record, name)) for name, write in writers.items()}
    values = {}
    for (name, write), value in zip(writers.items(), get(record), strict=True):
        written = known.setdefault(name, {})
        if value not in written:
            written[value] = write(value)
        values[name] = written[value]
    return values


@cache
def _writers(record: Any) -> tuple[dict[str, Callable[[Any], Any]], Callable[[Any], Any]]:
    """Return what writes each field, and what gets all of them."""
    writers = {name: _writer_for(hint, name) for name, hint in hints_of(record).items()}
    # With one name, attrgetter returns no tuple: another is got beside it.
    get = attrgetter(*writers, "__class__")
    return writers, lambda record: get(record)[:-1]


def _writer_for(hint: Any, name: str) -> Callable[[Any], Any]:
    kind, marks = split_hint(hint)
    for mark in marks:
        if isinstance(mark, Packed):
            write = _writer_for(mark.item, name)
            if is_record(mark.item):
                return lambda value: write(mark.item(*mark.unpack(value)))
            return lambda value: [write(each) for each in mark.unpack(value)]
    if get_origin(kind) is tuple:
        item = _writer_for(get_args(kind)[0], name)
        return lambda value: [item(each) for each in value]
    if is_record(kind):
        is_tuple = issubclass(kind, tuple)
        return lambda value: list(values_of(value).values()) if is_tuple else values_of(value)
    if present := optional_type(kind):
        inner = _writer_for(present, name)
        return lambda value: None if value is None else inner(value)
    show = _form_for(hint, name, in_line=True).show
    return (lambda value: value) if show is str or kind is bool else show


def _is_compound(hint: Any) -> bool:
    """Tell whether the text of a value may contain spaces."""
    kind, marks = split_hint(hint)
    if any(isinstance(mark, Form) for mark in marks):
        return any(mark.has_blanks for mark in marks if isinstance(mark, Form))
    packed = any(isinstance(mark, Packed) for mark in marks)
    return packed or get_origin(kind) is tuple or is_record(kind)


def lines(what: str, make: Callable[..., T]) -> Form[T]:
    """Write a record as one `name: value` line for each of its fields, in this order."""
    fields = fields_of(make)

    def show(record: T) -> str:
        return "\n".join(
            f"{name}: {form.show(getattr(record, name))}" for name, form in fields.items()
        )

    def read(text: str) -> T:
        parts = [line.partition(": ") for line in text.strip().split("\n")]
        return make(**_values(what, fields, [(name, value) for name, _, value in parts]))

    return Form(show, read)


def pairs(what: str, make: Callable[..., T]) -> Form[T]:
    """Write a record as `name=value` words in one line; no value may contain a space.

    Fields may be missing or out of order when `make` has defaults for them. Fields that `make`
    lists as `brief` are left out if they are empty or 0.
    """
    fields = fields_of(make, in_line=True)
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


def tagged(what: str, **kinds: type[Any]) -> Form[Any]:
    """Write one of several kinds of record as the kind's word and then its fields as pairs."""
    forms = {word: pairs(f"{what} {word!r}", kind) for word, kind in kinds.items()}
    words = {kind: word for word, kind in kinds.items()}

    def show(record: Any) -> str:
        word = words[type(record)]
        return f"{word} {forms[word].show(record)}".rstrip()

    def read(text: str) -> Any:
        word, _, rest = text.partition(" ")
        if word not in forms:
            raise BadText(f"{word[:40]!r} is not {what}: one of {', '.join(forms)}")
        return forms[word].read(rest)

    return Form(show, read)
