"""How are numbers, text and lists written as bytes, and read back from bytes that may be hostile?

A whole number takes seven bits a byte, the lowest first, with the top bit set in all bytes but the
last. Every value has exactly one spelling: a longer one is refused, so equal values are equal
bytes. Text and bytes come after their length, lists after their count.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from math import isfinite
from typing import TypeVar

from arena.errors import BadReplay

T = TypeVar("T")

_NUMBER_BYTES = 9
NUMBER_LIMIT = 1 << 7 * _NUMBER_BYTES
"""No number is as large as this."""
_DOUBLE = struct.Struct("<d")
# Names come from command lines, where Python keeps odd bytes as lone surrogates.
_SURROGATES = "surrogatepass"


def put_uint(number: int) -> bytes:
    """Write a number from 0 up."""
    if not 0 <= number < NUMBER_LIMIT:
        raise BadReplay(f"{number} cannot be written: numbers go from 0 to {NUMBER_LIMIT - 1}")
    packed = bytearray()
    while number > 0x7F:
        packed.append(number & 0x7F | 0x80)
        number >>= 7
    packed.append(number)
    return bytes(packed)


def put_sint(number: int) -> bytes:
    """Write a number that may be negative: 0, -1, 1, -2 become 0, 1, 2, 3."""
    return put_uint(2 * number if number >= 0 else -2 * number - 1)


def put_blob(value: bytes) -> bytes:
    """Write some bytes."""
    return put_uint(len(value)) + value


def put_text(value: str) -> bytes:
    """Write some text."""
    return put_blob(value.encode("utf-8", _SURROGATES))


def put_fraction(value: float | None) -> bytes:
    """Write a number with a fraction, or that there is none."""
    if value is None:
        return b"\x00"
    if not isfinite(value):
        raise BadReplay(f"{value} cannot be written: it is not a finite number")
    return b"\x01" + _DOUBLE.pack(value)


def put_several(put: Callable[[T], bytes], values: Iterable[T]) -> bytes:
    """Write any number of values of one kind."""
    packed = [put(value) for value in values]
    return put_uint(len(packed)) + b"".join(packed)


def uint_at(data: bytes, at: int, where: str) -> tuple[int, int]:
    """Read a number from 0 up; return it and where it ends."""
    number = 0
    for count, byte in enumerate(data[at : at + _NUMBER_BYTES], start=1):
        number |= (byte & 0x7F) << 7 * (count - 1)
        if byte < 0x80:
            if not byte and count > 1:
                raise BadReplay(f"{where}: a number in it is written longer than it is")
            return number, at + count
    if len(data) - at < _NUMBER_BYTES:
        raise BadReplay(f"{where}: it breaks off within a number")
    raise BadReplay(f"{where}: a number in it has more than {_NUMBER_BYTES} bytes")


class Unpacking:
    """Some bytes that are read from front to back; refuses to read beyond them."""

    def __init__(self, data: bytes, where: str) -> None:
        """Say in `where` what the bytes are, for the sentence if they are not."""
        self._data = data
        self._at = 0
        self.where = where

    def uint(self) -> int:
        """Read a number from 0 up."""
        number, self._at = uint_at(self._data, self._at, self.where)
        return number

    def sint(self) -> int:
        """Read a number that may be negative."""
        number = self.uint()
        return -(number >> 1) - 1 if number & 1 else number >> 1

    def blob(self) -> bytes:
        """Read some bytes."""
        return self._take(self.uint())

    def text(self) -> str:
        """Read some text."""
        packed = self.blob()
        try:
            return packed.decode("utf-8", _SURROGATES)
        except UnicodeDecodeError:
            raise BadReplay(f"{self.where}: {packed[:20]!r} is not text") from None

    def fraction(self) -> float | None:
        """Read a number with a fraction, or that there is none."""
        there = self.uint()
        if there > 1:
            raise self.wrong("yes or no", there)
        if not there:
            return None
        value: float
        (value,) = _DOUBLE.unpack(self._take(_DOUBLE.size))
        if not isfinite(value):
            raise self.wrong("a finite number", value)
        return value

    def several(self, read: Callable[[], T], *, most: int) -> tuple[T, ...]:
        """Read any number of values of one kind; more than `most` are refused."""
        count = self.uint()
        if count > most:
            raise BadReplay(f"{self.where}: a list in it has {count} values, not {most} at most")
        return tuple(read() for _ in range(count))

    def end(self) -> None:
        """Refuse any bytes that are left."""
        left = len(self._data) - self._at
        if left:
            raise BadReplay(f"{self.where}: {left} bytes are left over at its end")

    def wrong(self, what: str, value: object) -> BadReplay:
        """Make the error for a value that is not what it should be."""
        return BadReplay(f"{self.where}: {value} is not {what}")

    def _take(self, count: int) -> bytes:
        first = self._at
        if count > len(self._data) - first:
            left = len(self._data) - first
            raise BadReplay(f"{self.where}: {count} bytes are announced, {left} are left")
        self._at = first + count
        return self._data[first : self._at]
