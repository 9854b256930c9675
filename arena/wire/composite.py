"""How do whole records become protocol buffers, and come back?

A `Message` is a record, field by field; `Alone` is a message that stands for its only field, and
`OneOf` holds one of several kinds of record. Fields of messages are made here, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from arena.wire.fields import (
    DELIMITED,
    FIXED64,
    VARINT,
    Field,
    delimited,
    read_varint,
    remembering,
    same,
)

T = TypeVar("T")

# What follows a tag is a number or bytes, depending on the field: hence Any.


def each(number: int, message: Message[T] | Alone[T]) -> Field[tuple[T, ...]]:
    """Make a field for a list of messages."""
    one: Callable[[T], bytes] = remembering(lambda value: delimited(number, message.write(value)))

    def put(values: tuple[T, ...]) -> bytes:
        return b"".join(map(one, values))

    return Field(number, DELIMITED, put, remembering(message.read), (), is_repeated=True)


def nested(number: int, message: Message[T] | Alone[T]) -> Field[T]:
    """Make a field for one message, which is always there."""
    put: Callable[[T], bytes] = remembering(lambda value: delimited(number, message.write(value)))
    return Field(number, DELIMITED, put, remembering(message.read), message.read(b""))


def optional(number: int, message: Message[T]) -> Field[T | None]:
    """Make a field for one message that may be missing."""
    there = nested(number, message)
    return Field(
        number,
        DELIMITED,
        lambda value: b"" if value is None else there.put(value),
        there.take,
        None,
    )


class Message(Generic[T]):
    """A record as a message: its fields in the record's own order.

    `make` builds the record from the values of its fields. `context` leading fields of the record
    are not sent, because both ends know them; whoever reads supplies them.
    """

    __slots__ = ("_context", "_defaults", "_make", "_puts", "_repeated", "_slots")

    def __init__(
        self, make: Callable[..., T], fields: Mapping[str, Field[Any]], *, context: int = 0
    ) -> None:
        """Take the fields by the names that the .proto file gives them."""
        self._make = make
        self._context = context
        self._puts = tuple(field.put for field in fields.values())
        self._defaults = tuple(field.default for field in fields.values())
        self._repeated = tuple(at for at, f in enumerate(fields.values()) if f.is_repeated)
        self._slots = {
            field.number << 3 | field.wire: (at, field.take, field.is_repeated)
            for at, field in enumerate(fields.values())
        }

    def write(self, record: Any) -> bytes:
        """Write a record, which is a tuple of its fields."""
        values = record[self._context :] if self._context else record
        return b"".join([put(value) for put, value in zip(self._puts, values, strict=True)])

    def read(self, data: bytes, *context: Any) -> T:
        """Make the record of a message; fields that it does not know are passed over."""
        values = list(self._defaults)
        for at in self._repeated:
            values[at] = []
        slots = self._slots
        here, end = 0, len(data)
        while here < end:
            tag = data[here]
            here += 1
            if tag > 127:
                tag, here = read_varint(data, here - 1)
            layout = tag & 7
            raw: Any
            if layout == DELIMITED:
                size = data[here]
                here += 1
                if size > 127:
                    size, here = read_varint(data, here - 1)
                raw = data[here : here + size]
                here += size
            elif layout == VARINT:
                raw = data[here]
                here += 1
                if raw > 127:
                    raw, here = read_varint(data, here - 1)
            else:
                size = 8 if layout == FIXED64 else 4
                raw = data[here : here + size]
                here += size
            slot = slots.get(tag)
            if slot is not None:
                at, take, is_repeated = slot
                if is_repeated:
                    values[at].append(take(raw))
                else:
                    values[at] = take(raw)
        for at in self._repeated:
            values[at] = tuple(values[at])
        return self._make(*context, *values)


class Alone(Generic[T]):
    """A message of one field, which stands for that field's value."""

    __slots__ = ("_message", "write")

    def __init__(self, name: str, field: Field[T]) -> None:
        """Take the field and the name that the .proto file gives it."""
        self._message: Message[T] = Message(same, {name: field})
        self.write = field.put

    def read(self, data: bytes) -> T:
        """Return the value in a message."""
        return self._message.read(data)


class OneOf:
    """A message that holds one of several kinds of record, told apart by their Python type."""

    __slots__ = ("_messages", "_reads")

    def __init__(self, kinds: Mapping[str, tuple[type[Any], Mapping[str, Field[Any]]]]) -> None:
        """Take the kinds by field name, in the order of their numbers, which begin at 1."""
        self._messages: dict[type[Any], tuple[int, Message[Any]]] = {}
        self._reads: dict[int, Callable[[bytes], Any]] = {}
        for number, (kind, fields) in enumerate(kinds.values(), start=1):
            message: Message[Any] = Message(kind, fields)
            self._messages[kind] = (number, message)
            self._reads[number] = message.read

    def write(self, record: Any) -> bytes:
        """Write a record of any of the kinds."""
        number, message = self._messages[type(record)]
        return delimited(number, message.write(record))

    def read(self, data: bytes) -> Any:
        """Make the record of a message."""
        number, content = opened(data)
        return self._reads[number](content)


def opened(data: bytes) -> tuple[int, bytes]:
    """Return the number and the content of the one field that a message has."""
    size, here = read_varint(data, 1)
    return data[0] >> 3, data[here : here + size]
