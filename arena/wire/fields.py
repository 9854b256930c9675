"""Fast writing and reading of single protocol buffer fields.

A `Field` writes one field's bytes, including the tag, and reads its value from the bytes that
follow a tag; `message` builds records from fields. Most values in a match recur (a row of tokens,
the knowledge about a hand), so most fields cache the bytes of recently written values, and the
values of recently read bytes. The .proto files define the format: a test compares every kind of
record with protobuf's generated classes, and `scripts/bench codec` compares the speed.

Bytes that are not a valid message raise `Malformed`, whatever is wrong with them: the referee reads
what bots send with this module or with the codec in C.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from arena.errors import ArenaError

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

VARINT, FIXED64, DELIMITED = 0, 1, 2
"""The wire types: the layout of a field's value after its tag."""
MEMO_SIZE = 2048
"""Values that a memo holds before it is cleared."""
MEMO_BYTES = 4096
"""Longer keys are not kept: a bot must not fill the referee's memory."""
_MOST_SHIFT = 63
"""A number has at most ten bytes; bits beyond the 64th are dropped."""
_MASK = (1 << 64) - 1


class Malformed(ArenaError):
    """Bytes are not a valid message."""

    def __init__(self, sentence: str = "a message is malformed") -> None:
        """Take a sentence for the user."""
        super().__init__(sentence)


BAD_VALUES = (LookupError, ValueError, ArithmeticError, struct.error)
"""What reading, a conversion or a record raises for bytes that are not a valid message."""


class Memo(dict[K, V]):
    """A cache of a function's results for recent arguments."""

    __slots__ = ("_make",)

    def __init__(self, make: Callable[[K], V]) -> None:
        """Cache this function."""
        self._make = make

    def __missing__(self, key: K) -> V:
        """Call the function, and store its result."""
        value = self._make(key)
        if isinstance(key, bytes) and len(key) > MEMO_BYTES:
            return value
        if len(self) >= MEMO_SIZE:
            self.clear()
        self[key] = value
        return value


def cached(make: Callable[[K], V]) -> Callable[[K], V]:
    """Return the function with a cache."""
    return Memo(make).__getitem__


# What follows a tag is a number or bytes, depending on the field: hence Any in every `take`.


class Field(NamedTuple, Generic[T]):
    """One field of a message; the codec in C takes all but the functions."""

    number: int
    wire: int
    """The wire type."""
    kind: str
    """The name of the function that makes such fields."""
    default: T
    """The value if the field is missing."""
    put: Callable[[T], bytes]
    """Writes the value with its tag; of a repeated field, all values."""
    take: Callable[[Any], Any]
    """Reads what follows a tag: one value of a repeated field."""
    message: Any = None
    """The message of a field whose values are messages."""
    members: Sequence[Any] = ()
    """What numbers stand for, with None in the gaps: from 1 on for an enum, from 0 on for other
    numbers, as they are sent."""
    shifts: tuple[int, ...] = ()
    """The positions of counts in an integer."""
    mask: int = 0
    """The largest count."""

    @property
    def is_repeated(self) -> bool:
        """Whether each value has its own tag."""
        return self.kind in ("raws", "repeated")

    @property
    def tag(self) -> int:
        """The number that precedes the field's value in a message."""
        return self.number << 3 | self.wire


def varint(value: int) -> bytes:
    """Write an unsigned number of up to 64 bits, seven to a byte."""
    if 0 <= value < 128:
        return _ONE_BYTE[value]
    if not 0 <= value <= _MASK:
        raise OverflowError(f"{value} is not an unsigned 64-bit number")
    parts = []
    while value > 127:
        parts.append(value & 127 | 128)
        value >>= 7
    parts.append(value)
    return bytes(parts)


_ONE_BYTE = tuple(bytes((value,)) for value in range(128))


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """Read an unsigned number; return it and the position after it."""
    value = shift = 0
    while shift <= _MOST_SHIFT:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value & _MASK, at
        shift += 7
    raise Malformed


def _zigzag(value: int) -> int:
    return value << 1 if value >= 0 else (-value << 1) - 1


def _unzigzag(value: int) -> int:
    return value >> 1 ^ -(value & 1)


def write_delimited(number: int, content: bytes) -> bytes:
    """Write a field of arbitrary bytes: a message, a text, a packed list."""
    return _ONE_BYTE[number << 3 | DELIMITED] + varint(len(content)) + content


def write_number(number: int, value: int) -> bytes:
    """Write a number even if it is 0: in a oneof, the field that is present is the chosen one."""
    return _ONE_BYTE[number << 3] + varint(value)


def unchanged(value: Any) -> Any:
    """Return what follows a tag unchanged."""
    return value


def uint(number: int) -> Field[int]:
    """Make a field for an unsigned number; 0 is not written, as in proto3."""
    return Field(number, VARINT, "uint", 0, _put_number(number, unchanged), unchanged)


def sint(number: int) -> Field[int]:
    """Make a field for a number that may be negative."""
    return Field(number, VARINT, "sint", 0, _put_number(number, _zigzag), _unzigzag)


def _put_number(number: int, encode: Callable[[int], int]) -> Callable[[int], bytes]:
    return cached(lambda value: write_number(number, encode(value)) if value else b"")


def flag(number: int, values: tuple[Any, Any] = (False, True)) -> Field[Any]:
    """Make a field for a truth value, or for one of two values that are sent as false and true."""
    false, true = values
    put = {false: b"", true: write_number(number, 1)}.__getitem__
    return Field(
        number, VARINT, "flag", false, put, lambda raw: true if raw else false, members=values
    )


def enumerated(number: int, values: Sequence[T]) -> Field[T]:
    """Make a field for one of a closed set; the first has number 1, as 0 is never sent."""
    puts = {value: write_number(number, at + 1) for at, value in enumerate(values)}
    takes = dict(enumerate(values, start=1))
    put, take = puts.__getitem__, takes.__getitem__
    return Field(number, VARINT, "enum", values[0], put, take, members=values)


def with_members(field: Field[Any], values: Iterable[int]) -> Field[Any]:
    """Make a field like this one that is read as these values, such as cards, not as plain numbers.

    The field must have been made by `uint`, `uints`, `sint` or `sints`.
    """
    is_signed = field.kind in ("sint", "sints")
    members = {_zigzag(value) if is_signed else value: value for value in values}
    find = members.__getitem__
    take: Callable[[Any], Any] = find
    default = field.default
    if field.wire == DELIMITED:
        take = cached(lambda data: tuple(map(find, _read_uints(data))))
    else:
        default = members.get(0, 0)
    table = tuple(map(members.get, range(max(members) + 1)))
    return field._replace(take=take, default=default, members=table)


def uints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a packed list of unsigned numbers."""
    return _packed(number, "uints", varint, _read_uints)


def sints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a packed list of numbers that may be negative."""
    signed: Callable[[int], bytes] = cached(lambda value: varint(_zigzag(value)))
    unsigned = cached(_unzigzag)
    return _packed(number, "sints", signed, lambda data: tuple(map(unsigned, _read_uints(data))))


def _packed(
    number: int,
    kind: str,
    write: Callable[[int], bytes],
    read: Callable[[bytes], tuple[int, ...]],
) -> Field[tuple[int, ...]]:
    put: Callable[[tuple[int, ...]], bytes] = cached(
        lambda values: write_delimited(number, b"".join(map(write, values))) if values else b""
    )
    return Field(number, DELIMITED, kind, (), put, cached(read))


def _read_uints(data: bytes) -> tuple[int, ...]:
    # Numbers below 128 are single bytes, and few lists contain larger ones.
    if data.isascii():
        return tuple(data)
    values = []
    at, end = 0, len(data)
    while at < end:
        value, at = read_varint(data, at)
        values.append(value)
    return tuple(values)


def counts(number: int, shifts: tuple[int, ...], mask: int) -> Field[int]:
    """Make a field for an integer of counts, which are sent as a packed list."""
    if max(shifts) + mask.bit_length() > _MOST_SHIFT:
        raise ValueError(f"counts of {mask} at the positions {shifts} do not fit into 63 bits")

    def write(packed: int) -> bytes:
        return b"".join([varint(packed >> shift & mask) for shift in shifts])

    def read(data: bytes) -> int:
        values = _read_uints(data)
        if max(values, default=0) > mask:
            raise Malformed
        return sum([value << shift for value, shift in zip(values, shifts, strict=False)])

    put: Callable[[int], bytes] = cached(lambda packed: write_delimited(number, write(packed)))
    return Field(number, DELIMITED, "counts", 0, put, cached(read), shifts=shifts, mask=mask)


_WORDS = tuple(struct.Struct(f"<{count}Q") for count in range(16))


def word(number: int) -> Field[int]:
    """Make a field for a 64-bit word."""
    return _fixed(number, "word", struct.Struct("<Q"), 0)


def double(number: int) -> Field[float]:
    """Make a field for a floating-point number."""
    return _fixed(number, "double", struct.Struct("<d"), 0.0)


def _fixed(number: int, kind: str, layout: struct.Struct, default: T) -> Field[T]:
    tag, pack, unpack = _ONE_BYTE[number << 3 | FIXED64], layout.pack, layout.unpack
    return Field(
        number,
        FIXED64,
        kind,
        default,
        lambda value: tag + pack(value) if value else b"",
        lambda data: unpack(data)[0],
    )


def words(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a packed list of 64-bit words."""
    few = len(_WORDS)

    def put(values: tuple[int, ...]) -> bytes:
        count = len(values)
        layout = _WORDS[count] if count < few else struct.Struct(f"<{count}Q")
        return write_delimited(number, layout.pack(*values)) if values else b""

    def take(data: bytes) -> tuple[int, ...]:
        count = len(data) >> 3
        layout = _WORDS[count] if count < few else struct.Struct(f"<{count}Q")
        return layout.unpack(data)

    return Field(number, DELIMITED, "words", (), put, take)


def raw(number: int) -> Field[bytes]:
    """Make a field for bytes, or for a message left encoded."""
    put: Callable[[bytes], bytes] = lambda data: write_delimited(number, data) if data else b""  # noqa: E731
    return Field(number, DELIMITED, "raw", b"", put, unchanged)


def raws(number: int) -> Field[tuple[bytes, ...]]:
    """Make a field for a list of messages left encoded."""

    def put(several: tuple[bytes, ...]) -> bytes:
        return b"".join([write_delimited(number, data) for data in several])

    return Field(number, DELIMITED, "raws", (), put, unchanged)


def text(number: int) -> Field[str]:
    """Make a field for a text."""

    def put(value: str) -> bytes:
        return write_delimited(number, value.encode()) if value else b""

    return Field(number, DELIMITED, "text", "", put, bytes.decode)


def present(field: Field[Any]) -> Field[Any]:
    """Make a field that is read as None if it is missing, as the members of a oneof are."""
    return field._replace(default=None)


def ignored(field: Field[T]) -> Field[T]:
    """Make a field that is neither written nor read, in place of another one."""
    default = field.default
    return field._replace(kind="ignored", put=lambda _: b"", take=lambda _: default)
