"""Write records as protocol buffers, and read them.

A `Message` is a record, field by field. `SingleField` is a message that stands for its only field,
and `OneOf` holds one of several kinds of record. The fields whose values are messages are here too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from arena.wire.fields import (
    DELIMITED,
    FIXED64,
    VARINT,
    Field,
    cached,
    read_varint,
    unchanged,
    write_delimited,
)

T = TypeVar("T")

# What follows a tag is a number or bytes, depending on the field: hence Any.


def repeated(number: int, message: Message[T] | SingleField[T]) -> Field[tuple[T, ...]]:
    """Make a field for a list of messages."""
    one: Callable[[T], bytes] = cached(lambda value: write_delimited(number, message.write(value)))

    def put(values: tuple[T, ...]) -> bytes:
        return b"".join(map(one, values))

    return Field(number, DELIMITED, put, cached(message.read), (), is_repeated=True)


def nested(number: int, message: Message[T] | SingleField[T]) -> Field[T]:
    """Make a field for one message that is always present."""
    put: Callable[[T], bytes] = cached(lambda value: write_delimited(number, message.write(value)))
    return Field(number, DELIMITED, put, cached(message.read), message.read(b""))


def optional(number: int, message: Message[T] | SingleField[T]) -> Field[T | None]:
    """Make a field for one message that may be missing."""
    present = nested(number, message)
    return Field(
        number,
        DELIMITED,
        lambda value: b"" if value is None else present.put(value),
        present.take,
        None,
    )


class Message(Generic[T]):
    """A record as a message, with its fields in the order of the record.

    `make` builds the record from the values of its fields. `context` leading fields of the record
    are not sent, because both ends know them; the reader supplies them.
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
            field.tag: (at, field.take, field.is_repeated)
            for at, field in enumerate(fields.values())
        }

    def write(self, record: Any) -> bytes:
        """Write a record, which is a tuple of its fields."""
        values = record[self._context :] if self._context else record
        return b"".join([put(value) for put, value in zip(self._puts, values, strict=True)])

    def read(self, data: bytes, *context: Any) -> T:
        """Read a record from a message; unknown fields are skipped."""
        values = list(self._defaults)
        for at in self._repeated:
            values[at] = []
        slots = self._slots
        position, end = 0, len(data)
        while position < end:
            tag = data[position]
            position += 1
            if tag > 127:
                tag, position = read_varint(data, position - 1)
            layout = tag & 7
            raw: Any
            if layout == DELIMITED:
                size = data[position]
                position += 1
                if size > 127:
                    size, position = read_varint(data, position - 1)
                raw = data[position : position + size]
                position += size
            elif layout == VARINT:
                raw = data[position]
                position += 1
                if raw > 127:
                    raw, position = read_varint(data, position - 1)
            else:
                size = 8 if layout == FIXED64 else 4
                raw = data[position : position + size]
                position += size
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


class SingleField(Generic[T]):
    """A message of one field, which stands for that field's value."""

    __slots__ = ("_message", "write")

    def __init__(self, fields: Mapping[str, Field[Any]]) -> None:
        """Take the field by the name that the .proto file gives it."""
        (field,) = fields.values()
        self._message: Message[T] = Message(unchanged, fields)
        self.write: Callable[[T], bytes] = field.put

    def read(self, data: bytes) -> T:
        """Return the value in a message."""
        return self._message.read(data)


class OneOf:
    """A message that holds one of several kinds of record, distinguished by their Python type."""

    __slots__ = ("_messages", "_reads")

    def __init__(self, kinds: Mapping[type[Any], tuple[int, Message[Any]]]) -> None:
        """Take the number of the field and the message of each type."""
        self._messages = dict(kinds)
        self._reads = {number: message.read for number, message in kinds.values()}

    def write(self, record: Any) -> bytes:
        """Write a record of any of the kinds."""
        number, message = self._messages[type(record)]
        return write_delimited(number, message.write(record))

    def read(self, data: bytes) -> Any:
        """Read a record from a message."""
        number, content = read_only_field(data)
        return self._reads[number](content)


def read_only_field(data: bytes) -> tuple[int, bytes]:
    """Return the number and content of a message's only field."""
    size, position = read_varint(data, 1)
    return data[0] >> 3, data[position : position + size]
