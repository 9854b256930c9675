"""Encode numbers, text and lists as bytes, and decode them from bytes that may be hostile.

A whole number takes seven bits per byte, the lowest first, with the top bit set in all bytes but
the last. Every value has exactly one encoding: longer ones are refused, so equal values are equal
bytes. Text and bytes are preceded by their length, lists by their count.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from arena.errors import BadReplay
from arena.wire.fields import Malformed, read_varint, varint

T = TypeVar("T")

_NUMBER_BYTES = 9
NUMBER_LIMIT = 1 << 7 * _NUMBER_BYTES
"""All numbers are below this."""
_DOUBLE = struct.Struct("<d")
# Names come from command lines, where Python keeps undecodable bytes as lone surrogates.
_SURROGATES = "surrogatepass"


def encode_uint(number: int) -> bytes:
    """Encode a number from 0 up."""
    if not 0 <= number < NUMBER_LIMIT:
        raise BadReplay(f"{number} cannot be written: it is not from 0 to {NUMBER_LIMIT - 1}")
    return varint(number)


def encode_uints(numbers: Iterable[int]) -> bytes:
    """Encode numbers from 0 up."""
    return b"".join(map(encode_uint, numbers))


def _encode_sint(number: int) -> bytes:
    return encode_uint(2 * number if number >= 0 else -2 * number - 1)


def _encode_blob(value: bytes) -> bytes:
    return encode_uint(len(value)) + value


def encode_text(value: str) -> bytes:
    """Encode text."""
    return _encode_blob(value.encode("utf-8", _SURROGATES))


def _encode_optional_float(value: float | None) -> bytes:
    if value is None:
        return b"\x00"
    if not isfinite(value):
        raise BadReplay(f"{value} cannot be written: it is not a finite number")
    return b"\x01" + _DOUBLE.pack(value)


def decode_uint(data: bytes, at: int, where: str) -> tuple[int, int]:
    """Decode a number from 0 up; return it and the position after it."""
    try:
        number, end = read_varint(data, at)
    except (IndexError, Malformed):
        if len(data) - at < _NUMBER_BYTES:
            raise BadReplay(f"{where}: it is truncated within a number") from None
        end = at + _NUMBER_BYTES + 1
    size = end - at
    if size > _NUMBER_BYTES:
        raise BadReplay(f"{where}: a number in it has more than {_NUMBER_BYTES} bytes")
    if size > 1 and not data[end - 1]:
        raise BadReplay(f"{where}: a number in it has a longer encoding than necessary")
    return number, end


class ByteReader:
    """Reads bytes from front to back, and never beyond their end."""

    def __init__(self, data: bytes, where: str) -> None:
        """Read `data`; `where` names it in errors."""
        self._data = data
        self._at = 0
        self.where = where

    def uint(self) -> int:
        """Read a number from 0 up."""
        data, at = self._data, self._at
        if at < len(data) and (number := data[at]) < 0x80:
            self._at = at + 1
            return number
        number, self._at = decode_uint(data, at, self.where)
        return number

    def uints(self, count: int) -> list[int]:
        """Read numbers from 0 up; the same as `uint`, but faster for many."""
        data, at = self._data, self._at
        end = len(data)
        numbers = []
        for _ in range(count):
            if at < end and (number := data[at]) < 0x80:
                at += 1
            else:
                number, at = decode_uint(data, at, self.where)
            numbers.append(number)
        self._at = at
        return numbers

    def sint(self) -> int:
        """Read a number that may be negative."""
        number = self.uint()
        return -(number >> 1) - 1 if number & 1 else number >> 1

    def blob(self) -> bytes:
        """Read bytes."""
        return self._take(self.uint())

    def text(self) -> str:
        """Read text."""
        encoded = self.blob()
        try:
            return encoded.decode("utf-8", _SURROGATES)
        except UnicodeDecodeError:
            raise BadReplay(f"{self.where}: {encoded[:20]!r} is not text") from None

    def optional_float(self) -> float | None:
        """Read a float, or None."""
        is_present = self.uint()
        if is_present > 1:
            raise self.error("0 or 1", is_present)
        if not is_present:
            return None
        value: float
        (value,) = _DOUBLE.unpack(self._take(_DOUBLE.size))
        if not isfinite(value):
            raise self.error("a finite number", value)
        return value

    def end(self) -> None:
        """Refuse bytes that are left over."""
        left = len(self._data) - self._at
        if left:
            raise BadReplay(f"{self.where}: {left} bytes are left over at its end")

    def error(self, what: str, value: object) -> BadReplay:
        """Return the error for a wrong value."""
        return BadReplay(f"{self.where}: {value} is not {what}")

    def _take(self, count: int) -> bytes:
        first = self._at
        if count > len(self._data) - first:
            left = len(self._data) - first
            raise BadReplay(f"{self.where}: it declares {count} bytes, but only {left} are left")
        self._at = first + count
        return self._data[first : self._at]


class Encoding(NamedTuple, Generic[T]):
    """How a value is written and read."""

    encode: Callable[[T], bytes]
    read: Callable[[ByteReader], T]


UINT = Encoding(encode_uint, ByteReader.uint)
SINT = Encoding(_encode_sint, ByteReader.sint)
"""A number that may be negative: 0, -1, 1, -2 become 0, 1, 2, 3."""
BLOB = Encoding(_encode_blob, ByteReader.blob)
TEXT = Encoding(encode_text, ByteReader.text)
OPTIONAL_FLOAT = Encoding(_encode_optional_float, ByteReader.optional_float)


def coded(what: str, meanings: Mapping[int, T]) -> Encoding[T]:
    """Return the encoding of a value that is written as a number."""
    codes = {value: code for code, value in meanings.items()}

    def read(reader: ByteReader) -> T:
        code = reader.uint()
        if code not in meanings:
            raise reader.error(what, code)
        return meanings[code]

    return Encoding(lambda value: encode_uint(codes[value]), read)


def listed(each: Encoding[T], *, most: int) -> Encoding[Sequence[T]]:
    """Return the encoding of a list with at most `most` values."""

    def encode(values: Sequence[T]) -> bytes:
        if len(values) > most:
            raise BadReplay(f"a list of {len(values)} values cannot be written: the most is {most}")
        return encode_uint(len(values)) + b"".join(map(each.encode, values))

    def read(reader: ByteReader) -> Sequence[T]:
        count = reader.uint()
        if count > most:
            raise BadReplay(f"{reader.where}: a list in it has {count} values, more than {most}")
        return [each.read(reader) for _ in range(count)]

    return Encoding(encode, read)


def fields(make: type[T], *encodings: Encoding[Any]) -> Encoding[T]:
    """Return the encoding of a tuple or dataclass whose fields have these encodings."""
    names = list(make.__annotations__)
    get = attrgetter(*names)

    def encode(value: T) -> bytes:
        return b"".join(part.encode(each) for part, each in zip(encodings, get(value), strict=True))

    return Encoding(encode, lambda reader: make(*(part.read(reader) for part in encodings)))
