"""How do our values become protocol buffers, and come back, quickly?

A `Field` writes one field's bytes, tag included, and reads its value from the bytes that follow a
tag; a `Message` does so for a whole record. Most values in a match come again and again (a row of
tokens, what is known of a hand), so every field remembers the bytes of the values that it has
written lately, and the values of the bytes that it has read. That makes a view ten times as fast
to send and to read as with generated objects. The .proto files say what is written; a test parses
every kind of record with the generated classes and compares.

Only what the referee writes is read here. What bots write is read with the generated classes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

VARINT, FIXED64, DELIMITED = 0, 1, 2
"""How the value of a field is laid out after its tag."""
_MEMORY = 2048
"""So many values a field remembers before it starts anew."""


class Memo(dict[K, V]):
    """What a function gives for the arguments that it had lately."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[K], V]) -> None:
        """Take the function."""
        self._make = make

    def __missing__(self, key: K) -> V:
        """Call the function, and remember what it gives."""
        if len(self) >= _MEMORY:
            self.clear()
        value = self[key] = self._make(key)
        return value


def remembering(make: Callable[[K], V]) -> Callable[[K], V]:
    """Return the function with a memory."""
    return Memo(make).__getitem__


# What follows a tag is a number or bytes, depending on the field: hence Any in every `take`.


class Field(Generic[T]):
    """One field of a message: `put` writes it with its tag, `take` reads what follows the tag."""

    __slots__ = ("default", "is_repeated", "number", "put", "take", "wire")

    def __init__(
        self,
        number: int,
        wire: int,
        put: Callable[[T], bytes],
        take: Callable[[Any], Any],
        default: T,
        *,
        is_repeated: bool = False,
    ) -> None:
        """Take the field's number and layout, both directions, and what a missing field means.

        `put` writes all values of a repeated field; `take` reads one.
        """
        self.number = number
        self.wire = wire
        self.put = put
        self.take = take
        self.default = default
        self.is_repeated = is_repeated


def varint(value: int) -> bytes:
    """Write an unsigned number, seven bits a byte."""
    if value < 128:
        return _ONE_BYTE[value]
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)


_ONE_BYTE = tuple(bytes((value,)) for value in range(128))


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Read an unsigned number; return it and where the next thing begins."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _unzigzag(value: int) -> int:
    return value >> 1 ^ -(value & 1)


def delimited(number: int, content: bytes) -> bytes:
    """Write a field of any bytes: a message, a text, a packed list."""
    return _ONE_BYTE[number << 3 | DELIMITED] + varint(len(content)) + content


def written(number: int, value: int) -> bytes:
    """Write a number even if it is 0: in a oneof it must be there to be chosen."""
    return _ONE_BYTE[number << 3] + varint(value)


def _same(value: Any) -> Any:
    return value


def uint(number: int) -> Field[int]:
    """Make a field for a number from 0 on; 0 itself is not written, as proto3 wants it."""
    put: Callable[[int], bytes] = remembering(
        lambda value: written(number, value) if value else b""
    )
    return Field(number, VARINT, put, _same, 0)


def sint(number: int) -> Field[int]:
    """Make a field for a number that may be negative."""
    put: Callable[[int], bytes] = remembering(
        lambda value: written(number, _zigzag(value)) if value else b""
    )
    return Field(number, VARINT, put, _unzigzag, 0)


def flag(number: int) -> Field[bool]:
    """Make a field for yes or no."""
    put: Callable[[bool], bytes] = remembering(lambda value: written(number, 1) if value else b"")
    return Field(number, VARINT, put, bool, False)


def enumerated(number: int, values: Sequence[T]) -> Field[T]:
    """Make a field for one of a closed set; the first has number 1, as 0 is never sent."""
    puts = {value: written(number, at + 1) for at, value in enumerate(values)}
    return Field(number, VARINT, puts.__getitem__, lambda at: values[at - 1], values[0])


def uints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a list of numbers from 0 on, packed."""
    return _packed(number, lambda values: b"".join(map(varint, values)), _read_uints)


def sints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a list of numbers that may be negative, packed."""
    return _packed(
        number,
        lambda values: b"".join([varint(_zigzag(value)) for value in values]),
        lambda data: tuple(map(_unzigzag, _read_uints(data))),
    )


def _packed(
    number: int,
    write: Callable[[tuple[int, ...]], bytes],
    read: Callable[[bytes], tuple[int, ...]],
) -> Field[tuple[int, ...]]:
    put: Callable[[tuple[int, ...]], bytes] = remembering(
        lambda values: delimited(number, write(values)) if values else b""
    )
    return Field(number, DELIMITED, put, remembering(read), ())


def _read_uints(data: bytes) -> tuple[int, ...]:
    # Numbers below 128 are their own bytes, and few lists have any other.
    if data.isascii():
        return tuple(data)
    values = []
    at = 0
    while at < len(data):
        value, at = read_varint(data, at)
        values.append(value)
    return tuple(values)


_ONE_WORD = struct.Struct("<Q")
_WORDS = tuple(struct.Struct(f"<{count}Q") for count in range(16))


def word(number: int) -> Field[int]:
    """Make a field for 64 bits."""
    tag = _ONE_BYTE[number << 3 | FIXED64]
    pack, unpack = _ONE_WORD.pack, _ONE_WORD.unpack
    return Field(
        number,
        FIXED64,
        lambda value: tag + pack(value) if value else b"",
        lambda data: unpack(data)[0],
        0,
    )


def words(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a list of up to fifteen times 64 bits, packed."""
    tags = tuple(_ONE_BYTE[number << 3 | DELIMITED] + _ONE_BYTE[8 * n] for n in range(16))
    packs = tuple(layout.pack for layout in _WORDS)
    unpacks = tuple(layout.unpack for layout in _WORDS)

    def put(values: tuple[int, ...]) -> bytes:
        count = len(values)
        return tags[count] + packs[count](*values) if values else b""

    return Field(number, DELIMITED, put, lambda data: unpacks[len(data) >> 3](data), ())


def raw(number: int) -> Field[bytes]:
    """Make a field for bytes, or for a message that is left unread."""
    return Field(
        number, DELIMITED, lambda data: delimited(number, data) if data else b"", _same, b""
    )


def raws(number: int) -> Field[tuple[bytes, ...]]:
    """Make a field for a list of messages that are left unread."""
    return Field(
        number,
        DELIMITED,
        lambda several: b"".join([delimited(number, data) for data in several]),
        _same,
        (),
        is_repeated=True,
    )


def text(number: int) -> Field[str]:
    """Make a field for a text."""
    return Field(
        number,
        DELIMITED,
        lambda value: delimited(number, value.encode()) if value else b"",
        bytes.decode,
        "",
    )


_DOUBLE = struct.Struct("<d")


def double(number: int) -> Field[float]:
    """Make a field for a number with a fraction."""
    tag = _ONE_BYTE[number << 3 | FIXED64]
    return Field(
        number,
        FIXED64,
        lambda value: tag + _DOUBLE.pack(value) if value else b"",
        lambda data: _DOUBLE.unpack(data)[0],
        0.0,
    )


def converted(field: Field[T], there: Callable[[Any], T], back: Callable[[T], Any]) -> Field[Any]:
    """Make a field for values that are stored in one way and sent in another.

    The stored type is the caller's business, hence Any.
    """
    put, take = field.put, field.take
    return Field(
        field.number,
        field.wire,
        remembering(lambda value: put(there(value))),
        remembering(lambda raw: back(take(raw))),
        back(field.default),
    )


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
        self._message: Message[T] = Message(_same, {name: field})
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
