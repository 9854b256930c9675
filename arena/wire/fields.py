"""How do single values become protocol buffers, and come back, quickly?

A `Field` writes one field's bytes, tag included, and reads its value from the bytes that follow a
tag; `composite` puts records together from them. Most values in a match come again and again (a row
of tokens, what is known of a hand), so most fields remember the bytes of the values that they have
written lately, and the values of the bytes that they have read: a view is written and read five
times as fast as with generated objects. The .proto files say what is written; a test parses every
kind of record with the generated classes and compares.

Only what the referee writes is read here. What bots write is read with the generated classes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
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


def same(value: Any) -> Any:
    """Read what follows a tag as it is."""
    return value


def uint(number: int) -> Field[int]:
    """Make a field for a number from 0 on; 0 itself is not written, as proto3 wants it."""
    put: Callable[[int], bytes] = remembering(
        lambda value: written(number, value) if value else b""
    )
    return Field(number, VARINT, put, same, 0)


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
    signed: Callable[[int], bytes] = remembering(lambda value: varint(_zigzag(value)))
    unsigned = remembering(_unzigzag)
    return _packed(
        number,
        lambda values: b"".join(map(signed, values)),
        lambda data: tuple(map(unsigned, _read_uints(data))),
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
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        if byte < 128:
            values.append(value)
            value = shift = 0
        else:
            shift += 7
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
        number, DELIMITED, lambda data: delimited(number, data) if data else b"", same, b""
    )


def raws(number: int) -> Field[tuple[bytes, ...]]:
    """Make a field for a list of messages that are left unread."""
    return Field(
        number,
        DELIMITED,
        lambda several: b"".join([delimited(number, data) for data in several]),
        same,
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
