"""The messages of records, which follow from the annotations of their fields.

The first field has number 1, the next 2, and so on. `arena.games.notation` lists the types of
fields; each is sent like this:

    bool, str                  bool, string
    int, Symbol                uint32; sint32 if it may be below 0
    enum                       an enum whose values count from 1
    record                     a message; X | None is one that may be missing
    tuple of X                 repeated X; inside another tuple, a message with that as field 1
    Packed: a set of cards     fixed64
    Packed: counts of cards    a message with the counts as field 1
    Packed: a record           the record's message
    Flag                       bool

The .proto files describe the same to other languages, and a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, get_args, get_origin

from arena.games.notation import (
    Flag,
    Form,
    Packed,
    Symbol,
    hints_of,
    is_record,
    optional_type,
    split_hint,
)
from arena.wire.fields import (
    Field,
    counts,
    enumerated,
    flag,
    sint,
    sints,
    text,
    uint,
    uints,
    with_members,
    word,
    words,
)
from arena.wire.message import Message, SingleField, as_tuple, nested, optional, repeated

# Records and their values have different types in each game: hence Any.

Make = Callable[[int], Field[Any]]
"""Makes a field from its number."""
_ONE: Mapping[Any, Make] = {bool: flag, str: text}


def message_of(record: Any, context: int = 0, outer: tuple[int, ...] = ()) -> Message[Any]:
    """Return the message of a record, whose first `context` fields are not sent."""
    return Message(record, _fields_of(record, context), context=context, outer=outer)


def _fields_of(record: Any, context: int = 0) -> list[Field[Any]]:
    hints = list(hints_of(record).items())[context:]
    return [_make(hint, name)(number) for number, (name, hint) in enumerate(hints, start=1)]


def _make(hint: Any, name: str) -> Make:
    kind, marks = split_hint(hint)
    for mark in marks:
        if isinstance(mark, Flag):
            values = (mark.false, mark.true)
            return lambda number: flag(number, values)
    if numbers := _numbers(kind, marks):
        return numbers[0]
    for mark in marks:
        if isinstance(mark, Packed):
            return _of_message(_packed(mark))
    if kind in _ONE:
        return _ONE[kind]
    if get_origin(kind) is tuple:
        items = get_args(kind)
        if items[1:] == (...,):
            return _make_several(items[0], name)
        fields = [_make(item, name)(number) for number, item in enumerate(items, start=1)]
        return _of_message(Message(as_tuple, fields))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return lambda number: enumerated(number, list(kind))
    if is_record(kind):
        return _of_message(message_of(kind))
    if present := optional_type(kind):
        return lambda number: optional(number, message_of(present))
    raise TypeError(f"{name}: nothing is known about sending {kind}")


def _make_several(item: Any, name: str) -> Make:
    if numbers := _numbers(*split_hint(item)):
        return numbers[1]
    field = _make(item, name)(1)
    message = field.message if field.kind == "nested" else SingleField(field)
    return lambda number: repeated(number, message)


def _numbers(kind: Any, marks: tuple[Any, ...]) -> tuple[Make, Make] | None:
    """Return what makes a field for a number, and one for many; None for all other types."""
    packed = next((mark for mark in marks if isinstance(mark, Packed)), None)
    if packed:
        is_set = not packed.shifts and not is_record(packed.item)
        return (word, words) if is_set else None
    if isinstance(kind, type) and issubclass(kind, Symbol):
        values = kind.values
        one, several = (sint, sints) if min(values) < 0 else (uint, uints)
        return (
            lambda number: with_members(one(number), values),
            lambda number: with_members(several(number), values),
        )
    if kind is not int:
        return None
    is_signed = any(isinstance(mark, Form) and mark.is_signed for mark in marks)
    return (sint, sints) if is_signed else (uint, uints)


def _of_message(message: Message[Any] | SingleField[Any]) -> Make:
    return lambda number: nested(number, message)


def _packed(packed: Packed) -> Message[Any] | SingleField[Any]:
    if packed.shifts:
        return SingleField(counts(1, packed.shifts, packed.mask))
    return Message(packed.pack, _fields_of(packed.item), split=packed.unpack)
