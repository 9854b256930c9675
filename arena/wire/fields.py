"""Fast writing and reading of single protocol buffer fields.

A `Field` writes one field's bytes, including the tag, and reads its value from the bytes that
follow a tag; `message` builds records from fields. Most values in a match recur (a row of tokens,
the knowledge about a hand), so most fields cache the bytes of recently written values, and the
values of recently read bytes. `scripts/bench codec` compares the speed with the generated classes
and with the codec in C. The .proto files define the format; a test parses every kind of record with
the generated classes and compares.

Bots read the referee's messages with this module. The referee reads what bots send with the codec
in C or the generated classes. Bytes that are not a valid message raise `Malformed`, whatever is
wrong with them.
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
_MOST_SHIFT = 63
"""A number has at most ten bytes; bits beyond the 64th are dropped."""
_MASK = (1 << 64) - 1


class Malformed(ArenaError):
    """Bytes are not a valid message."""

    def __init__(self, sentence: str = "a message from the referee is malformed") -> None:
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
        if len(self) >= MEMO_SIZE:
            self.clear()
        value = self[key] = self._make(key)
        return value


def cached(make: Callable[[K], V]) -> Callable[[K], V]:
    """Return the function with a cache."""
    return Memo(make).__getitem__


# What follows a tag is a number or bytes, depending on the field: hence Any in every `take`.


class Conversion(NamedTuple):
    """Converts a stored value to the value sent, and back."""

    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    shifts: tuple[int, ...] = ()
    """Positions of the bit fields, if that is what `bit_fields` made: the codec in C converts them
    itself."""
    mask: int = 0


def bit_fields(shifts: tuple[int, ...], mask: int) -> Conversion:
    """Convert an integer of bit fields to the list of their values, and back."""
    ones = tuple(1 << shift for shift in shifts)

    def encode(packed: int) -> tuple[int, ...]:
        return tuple([packed >> shift & mask for shift in shifts])

    def decode(values: tuple[int, ...]) -> int:
        return sum([value * one for value, one in zip(values, ones, strict=False)])

    return Conversion(encode, decode, shifts, mask)


class Field(Generic[T]):
    """One field of a message: `put` writes it with its tag, `take` reads what follows the tag.

    The other attributes describe the same to the codec in C (`arena.wire.compiled`).
    """

    __slots__ = (
        "conversion",
        "default",
        "is_repeated",
        "kind",
        "members",
        "message",
        "number",
        "put",
        "take",
        "wire",
    )

    def __init__(
        self,
        number: int,
        wire: int,
        put: Callable[[T], bytes],
        take: Callable[[Any], Any],
        default: T,
        *,
        kind: str,
        is_repeated: bool = False,
        message: Any = None,
        members: Sequence[Any] = (),
        conversion: Conversion | None = None,
    ) -> None:
        """Take the field's number and wire type, both directions, and the value if it is missing.

        `put` writes all values of a repeated field; `take` reads one. `kind` is the name of the
        function that makes such fields. `message` is that of a field whose values are messages,
        and `members` are what numbers stand for, with None in the gaps: from 1 on for an enum,
        from 0 on for other numbers, as they are sent.
        """
        self.number = number
        self.wire = wire
        self.put = put
        self.take = take
        self.default = default
        self.is_repeated = is_repeated
        self.kind = kind
        self.message = message
        self.members = members
        self.conversion = conversion

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
    put: Callable[[int], bytes] = cached(
        lambda value: write_number(number, value) if value else b""
    )
    return Field(number, VARINT, put, unchanged, 0, kind="uint")


def sint(number: int) -> Field[int]:
    """Make a field for a number that may be negative."""
    put: Callable[[int], bytes] = cached(
        lambda value: write_number(number, _zigzag(value)) if value else b""
    )
    return Field(number, VARINT, put, _unzigzag, 0, kind="sint")


def flag(number: int) -> Field[bool]:
    """Make a field for a truth value."""
    put: Callable[[bool], bytes] = cached(lambda value: write_number(number, 1) if value else b"")
    return Field(number, VARINT, put, bool, False, kind="flag")


def enumerated(number: int, values: Sequence[T]) -> Field[T]:
    """Make a field for one of a closed set; the first has number 1, as 0 is never sent."""
    puts = {value: write_number(number, at + 1) for at, value in enumerate(values)}
    takes = {at + 1: value for at, value in enumerate(values)}
    return Field(
        number,
        VARINT,
        puts.__getitem__,
        takes.__getitem__,
        values[0],
        kind="enum",
        members=values,
    )


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
    return Field(field.number, field.wire, field.put, take, default, kind=field.kind, members=table)


def uints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a packed list of unsigned numbers."""
    return _packed(number, lambda values: b"".join(map(varint, values)), _read_uints, kind="uints")


def sints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a packed list of numbers that may be negative."""
    signed: Callable[[int], bytes] = cached(lambda value: varint(_zigzag(value)))
    unsigned = cached(_unzigzag)
    return _packed(
        number,
        lambda values: b"".join(map(signed, values)),
        lambda data: tuple(map(unsigned, _read_uints(data))),
        kind="sints",
    )


def _packed(
    number: int,
    write: Callable[[tuple[int, ...]], bytes],
    read: Callable[[bytes], tuple[int, ...]],
    *,
    kind: str,
) -> Field[tuple[int, ...]]:
    put: Callable[[tuple[int, ...]], bytes] = cached(
        lambda values: write_delimited(number, write(values)) if values else b""
    )
    return Field(number, DELIMITED, put, cached(read), (), kind=kind)


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


_ONE_WORD = struct.Struct("<Q")
_WORDS = tuple(struct.Struct(f"<{count}Q") for count in range(16))


def word(number: int) -> Field[int]:
    """Make a field for a 64-bit word."""
    tag = _ONE_BYTE[number << 3 | FIXED64]
    pack, unpack = _ONE_WORD.pack, _ONE_WORD.unpack
    return Field(
        number,
        FIXED64,
        lambda value: tag + pack(value) if value else b"",
        lambda data: unpack(data)[0],
        0,
        kind="word",
    )


def words(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a packed list of 64-bit words."""
    packs = tuple(layout.pack for layout in _WORDS)
    unpacks = tuple(layout.unpack for layout in _WORDS)
    few = len(_WORDS)

    def put(values: tuple[int, ...]) -> bytes:
        count = len(values)
        if count < few:
            return write_delimited(number, packs[count](*values)) if values else b""
        return write_delimited(number, struct.pack(f"<{count}Q", *values))

    def take(data: bytes) -> tuple[int, ...]:
        count = len(data) >> 3
        return unpacks[count](data) if count < few else struct.unpack(f"<{count}Q", data)

    return Field(number, DELIMITED, put, take, (), kind="words")


def raw(number: int) -> Field[bytes]:
    """Make a field for bytes, or for a message left encoded."""
    return Field(
        number,
        DELIMITED,
        lambda data: write_delimited(number, data) if data else b"",
        unchanged,
        b"",
        kind="raw",
    )


def raws(number: int) -> Field[tuple[bytes, ...]]:
    """Make a field for a list of messages left encoded."""
    return Field(
        number,
        DELIMITED,
        lambda several: b"".join([write_delimited(number, data) for data in several]),
        unchanged,
        (),
        kind="raws",
        is_repeated=True,
    )


def text(number: int) -> Field[str]:
    """Make a field for a text."""
    return Field(
        number,
        DELIMITED,
        lambda value: write_delimited(number, value.encode()) if value else b"",
        bytes.decode,
        "",
        kind="text",
    )


def ignored(field: Field[T]) -> Field[T]:
    """Make a field that is neither written nor read, in place of another one."""
    default = field.default
    return Field(
        field.number, field.wire, lambda _: b"", lambda _: default, default, kind="ignored"
    )


_DOUBLE = struct.Struct("<d")


def double(number: int) -> Field[float]:
    """Make a field for a floating-point number."""
    tag = _ONE_BYTE[number << 3 | FIXED64]
    return Field(
        number,
        FIXED64,
        lambda value: tag + _DOUBLE.pack(value) if value else b"",
        lambda data: _DOUBLE.unpack(data)[0],
        0.0,
        kind="double",
    )


def converted(field: Field[Any], conversion: Conversion) -> Field[Any]:
    """Make a field for values that are stored in one way and sent in another.

    The stored type is up to the caller, hence Any.
    """
    put, take = field.put, field.take
    encode, decode = conversion.encode, conversion.decode
    return Field(
        field.number,
        field.wire,
        cached(lambda value: put(encode(value))),
        cached(lambda raw: decode(take(raw))),
        decode(field.default),
        kind=field.kind,
        message=field.message,
        members=field.members,
        conversion=conversion,
    )
