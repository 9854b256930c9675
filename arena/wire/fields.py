"""How do our values become protocol buffers, and come back, quickly?

A `Field` writes one field's bytes directly, tag included, and reads its value from the generated
message class; a `Message` does so for a whole record. Writing bytes instead of filling generated
objects makes a view four times as fast to send, and lets a piece that goes to many seats be
written once. The .proto files say what is written; a test parses every kind of record with the
generated classes and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Bytes = bytes
"""A field or a message as it travels."""

# What a generated message gives for a field depends on the field: hence Any in every `take`.


class Field(Generic[T]):
    """One field of a message: `put` writes it, `take` reads what the generated class gives."""

    __slots__ = ("number", "put", "take")

    def __init__(self, number: int, put: Callable[[T], Bytes], take: Callable[[Any], T]) -> None:
        """Take the field's number and both directions."""
        self.number = number
        self.put = put
        self.take = take


def varint(value: int) -> Bytes:
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


def zigzag(value: int) -> int:
    """Fold a signed number into an unsigned one, small ones staying small."""
    return value << 1 if value >= 0 else (-value << 1) - 1


def delimited(number: int, content: Bytes) -> Bytes:
    """Write a field of any bytes: a message, a text, a packed list."""
    return _ONE_BYTE[number << 3 | 2] + varint(len(content)) + content


def _identity(value: Any) -> Any:
    return value


def uint(number: int) -> Field[int]:
    """Make a field for a number from 0 on; 0 itself is not written, as proto3 wants it."""
    tag = _ONE_BYTE[number << 3]
    small = (b"", *(tag + _ONE_BYTE[value] for value in range(1, 128)))

    def put(value: int) -> Bytes:
        return small[value] if value < 128 else tag + varint(value)

    return Field(number, put, _identity)


def sint(number: int) -> Field[int]:
    """Make a field for a number that may be negative."""
    unsigned = uint(number)
    return Field(number, lambda value: unsigned.put(zigzag(value)), _identity)


def flag(number: int) -> Field[bool]:
    """Make a field for yes or no."""
    yes = _ONE_BYTE[number << 3] + b"\x01"
    return Field(number, lambda value: yes if value else b"", _identity)


def uints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a list of numbers from 0 on, packed."""
    tag = _ONE_BYTE[number << 3 | 2]

    def put(values: Sequence[int]) -> Bytes:
        if not values:
            return b""
        # Numbers below 128 are their own bytes, and few lists have any other.
        if max(values) < 128:
            return tag + varint(len(values)) + bytes(values)
        return delimited(number, b"".join(map(varint, values)))

    return Field(number, put, tuple)


def sints(number: int) -> Field[tuple[int, ...]]:
    """Make a field for a list of numbers that may be negative, packed."""
    tag = _ONE_BYTE[number << 3 | 2]

    def put(values: Sequence[int]) -> Bytes:
        if not values:
            return b""
        content = b"".join([_ZIGZAG[value] for value in values])
        return tag + varint(len(content)) + content

    return Field(number, put, tuple)


class _Zigzag(dict[int, Bytes]):
    """The signed numbers as they travel, each made when it is first needed."""

    def __missing__(self, value: int) -> Bytes:
        return varint(zigzag(value))


_ZIGZAG = _Zigzag({value: varint(zigzag(value)) for value in range(-128, 128)})


def enumerated(number: int, values: Sequence[T]) -> Field[T]:
    """Make a field for one of a closed set; the first has number 1, as 0 is never sent."""
    puts = {value: _ONE_BYTE[number << 3] + _ONE_BYTE[at + 1] for at, value in enumerate(values)}
    return Field(number, puts.__getitem__, lambda at: values[at - 1])


def converted(field: Field[T], there: Callable[[Any], T], back: Callable[[T], Any]) -> Field[Any]:
    """Make a field for values that are stored in one way and sent in another.

    The stored type is the caller's business, hence Any.
    """
    put, take = field.put, field.take
    return Field(field.number, lambda value: put(there(value)), lambda value: back(take(value)))


def each(number: int, message: Message[T] | Alone[T]) -> Field[tuple[T, ...]]:
    """Make a field for a list of messages."""
    tag = _ONE_BYTE[number << 3 | 2]
    write = message.write

    def put(values: Iterable[T]) -> Bytes:
        parts: list[Bytes] = []
        for value in values:
            content = write(value)
            parts += (tag, varint(len(content)), content)
        return b"".join(parts)

    return Field(number, put, lambda values: tuple([message.read(value) for value in values]))


def nested(number: int, message: Message[T] | Alone[T]) -> Field[T]:
    """Make a field for one message."""
    return Field(number, lambda value: delimited(number, message.write(value)), message.read)


def optional(number: int, message: Message[T]) -> Field[T | None]:
    """Make a field for one message that may be missing.

    An empty message is taken for a missing one, which no record of ours that is sent so can be.
    """

    def put(value: T | None) -> Bytes:
        return b"" if value is None else delimited(number, message.write(value))

    def take(value: Any) -> T | None:
        return message.read(value) if value.ByteSize() else None

    return Field(number, put, take)


def written(number: int, value: int) -> Bytes:
    """Write a number even if it is 0: in a oneof it must be there to be chosen."""
    return _ONE_BYTE[number << 3] + varint(value)


class Message(Generic[T]):
    """A record as a message: its fields in the record's own order.

    `make` builds the record from the values of its fields. `context` leading fields of the record
    are not sent, because both ends know them; whoever reads supplies them.
    """

    __slots__ = ("_context", "_make", "_puts", "_takes")

    def __init__(
        self, make: Callable[..., T], fields: Mapping[str, Field[Any]], *, context: int = 0
    ) -> None:
        """Take the fields by the names that the .proto file gives them."""
        self._make = make
        self._context = context
        self._puts = tuple(field.put for field in fields.values())
        self._takes = tuple((name, field.take) for name, field in fields.items())

    def write(self, record: Any) -> Bytes:
        """Write a record, which is a tuple of its fields."""
        values = record[self._context :] if self._context else record
        return b"".join([put(value) for put, value in zip(self._puts, values, strict=True)])

    def read(self, message: Any, *context: Any) -> T:
        """Make the record of a generated message."""
        return self._make(*context, *[take(getattr(message, name)) for name, take in self._takes])


class Alone(Generic[T]):
    """A message of one field, which stands for that field's value."""

    __slots__ = ("_name", "_take", "write")

    def __init__(self, name: str, field: Field[T]) -> None:
        """Take the field and the name that the .proto file gives it."""
        self._name = name
        self._take = field.take
        self.write = field.put

    def read(self, message: Any) -> T:
        """Return the value in a generated message."""
        return self._take(getattr(message, self._name))


class OneOf:
    """A message that holds one of several kinds of record, told apart by their Python type."""

    __slots__ = ("_messages", "_oneof", "_reads")

    def __init__(
        self, oneof: str, kinds: Mapping[str, tuple[type[Any], Mapping[str, Field[Any]]]]
    ) -> None:
        """Take the name of the oneof and, by field name, the kinds in the order of their numbers.

        The kinds are numbered from 1.
        """
        self._oneof = oneof
        self._messages: dict[type[Any], tuple[int, Message[Any]]] = {}
        self._reads = {}
        for number, (name, (kind, fields)) in enumerate(kinds.items(), start=1):
            message: Message[Any] = Message(kind, fields)
            self._messages[kind] = (number, message)
            self._reads[name] = message.read

    def write(self, record: Any) -> Bytes:
        """Write a record of any of the kinds."""
        number, message = self._messages[type(record)]
        return delimited(number, message.write(record))

    def read(self, message: Any) -> Any:
        """Make the record of a generated message; None if it holds none."""
        name = message.WhichOneof(self._oneof)
        return self._reads[name](getattr(message, name)) if name else None
