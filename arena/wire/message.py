"""Write records as protocol buffers, and read them.

A `Message` is a record, field by field. `SingleField` is a message that stands for its only field,
and `OneOf` holds one of several kinds of record. The fields whose values are messages are here too.

These classes are the codec in Python. They also describe the messages to the one in C, which does
the same: `arena.wire.compiled`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from arena.wire.fields import (
    BAD_VALUES,
    DELIMITED,
    FIXED64,
    VARINT,
    Field,
    Malformed,
    cached,
    read_varint,
    unchanged,
    write_delimited,
)

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
_FIXED32 = 5

# What follows a tag is a number or bytes, depending on the field: hence Any.


class Coder(Protocol[T_co]):
    """Writes and reads one kind of message; `read` raises `Malformed`."""

    @property
    def write(self) -> Callable[[Any], bytes]:
        """Write a record."""
        ...

    @property
    def read(self) -> Callable[..., T_co]:
        """Read a record, given the bytes and the values of the fields that both ends know."""
        ...


def repeated(number: int, message: Message[T] | SingleField[T]) -> Field[tuple[T, ...]]:
    """Make a field for a list of messages."""
    one: Callable[[T], bytes] = cached(lambda value: write_delimited(number, message.write(value)))

    def put(values: tuple[T, ...]) -> bytes:
        return b"".join(map(one, values))

    return Field(number, DELIMITED, "repeated", (), put, cached(message.read), message)


def nested(number: int, message: Message[T] | SingleField[T]) -> Field[T]:
    """Make a field for one message that is always present."""
    put: Callable[[T], bytes] = cached(lambda value: write_delimited(number, message.write(value)))
    take = cached(message.read)
    return Field(number, DELIMITED, "nested", message.read(b""), put, take, message)


def optional(number: int, message: Message[T] | SingleField[T]) -> Field[T | None]:
    """Make a field for one message that may be missing."""
    put, take = nested(number, message)[4:6]
    return Field(
        number,
        DELIMITED,
        "optional",
        None,
        lambda value: b"" if value is None else put(value),
        take,
        message,
    )


def as_tuple(*values: Any) -> tuple[Any, ...]:
    """Make a record that is a plain tuple."""
    return values


class Message(Generic[T]):
    """A record as a message, with its fields in the order of the record.

    `make` builds the record from the values of its fields. `split` does the opposite for records
    that are not tuples. `context` leading fields of the record are not sent, because both ends know
    them; the reader supplies them. If the message is all that other messages contain, one inside
    the other, `outer` are the numbers of its fields there, the outermost first.
    """

    __slots__ = (
        "_defaults",
        "_puts",
        "_repeated",
        "_slots",
        "context",
        "fields",
        "make",
        "outer",
        "split",
    )

    def __init__(
        self,
        make: Callable[..., T],
        fields: Sequence[Field[Any]],
        *,
        split: Callable[[T], tuple[Any, ...]] | None = None,
        context: int = 0,
        outer: tuple[int, ...] = (),
    ) -> None:
        """Take the fields in order."""
        self.make = make
        self.fields = tuple(fields)
        self.split = split
        self.context = context
        self.outer = outer
        self._puts = tuple(field.put for field in self.fields)
        self._defaults = tuple(field.default for field in self.fields)
        self._repeated = tuple(at for at, f in enumerate(self.fields) if f.is_repeated)
        self._slots = {
            field.tag: (at, field.take, field.is_repeated) for at, field in enumerate(self.fields)
        }

    def write(self, record: Any) -> bytes:
        """Write a record, which is a tuple of its fields unless the message splits it."""
        values = self.split(record) if self.split else record
        if self.context:
            values = values[self.context :]
        data = b"".join([put(value) for put, value in zip(self._puts, values, strict=True)])
        for number in reversed(self.outer):
            data = write_delimited(number, data)
        return data

    def read(self, data: bytes, *context: Any) -> T:
        """Read a record from a message; unknown fields are skipped."""
        try:
            for number in self.outer:
                data = _only_field(data, number)
            return self.make(*context, *self._read_values(data))
        except BAD_VALUES as error:
            raise Malformed from error

    def _read_values(self, data: bytes) -> list[Any]:
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
            elif layout == FIXED64 or layout == _FIXED32:
                size = 8 if layout == FIXED64 else 4
                raw = data[position : position + size]
                position += size
            else:
                raise Malformed
            slot = slots.get(tag)
            if slot is not None:
                at, take, is_repeated = slot
                if is_repeated:
                    values[at].append(take(raw))
                else:
                    values[at] = take(raw)
        # Only the last field can reach beyond the end.
        if position > end:
            raise Malformed
        for at in self._repeated:
            values[at] = tuple(values[at])
        return values


class SingleField(Generic[T]):
    """A message of one field, which stands for that field's value."""

    __slots__ = ("_message", "field", "write")

    def __init__(self, field: Field[T]) -> None:
        """Take the field."""
        self.field = field
        self._message: Message[T] = Message(unchanged, [field])
        self.write: Callable[[T], bytes] = self.field.put

    def read(self, data: bytes) -> T:
        """Return the value in a message."""
        return self._message.read(data)


class OneOf:
    """A message that holds one of several kinds of record, distinguished by their Python type."""

    __slots__ = ("_reads", "_writes")

    def __init__(self, kinds: Mapping[type[Any], tuple[int, Coder[Any]]]) -> None:
        """Take the number of the field and what writes and reads the message, for each type."""
        self._writes = {kind: coder.write for kind, (_, coder) in kinds.items()}
        self._reads = {number << 3 | DELIMITED: coder.read for number, coder in kinds.values()}

    def write(self, record: Any) -> bytes:
        """Write a record of any of the kinds."""
        return self._writes[type(record)](record)

    def read(self, data: bytes) -> Any:
        """Read a record from a message."""
        try:
            # The tag of the kind comes after the tag and the length of the message around it.
            at = 1
            while data[at] > 127:
                at += 1
            read = self._reads[data[at + 1]]
        except LookupError as error:
            raise Malformed from error
        return read(data)


def _only_field(data: bytes, number: int) -> bytes:
    """Return the content of a message's only field."""
    tag, position = read_varint(data, 0)
    size, position = read_varint(data, position)
    if tag != number << 3 | DELIMITED or size > len(data) - position:
        raise Malformed
    return data[position : position + size]
