"""The messages of a .proto file, with the Python values that they represent.

`scripts/generate_protos` writes the tables in `v1/*_fields.py`: the fields of each message, with
their numbers and types. A module such as `meow` adds what a .proto file cannot express: which
record a message becomes, and how to convert values that are stored in one form and sent in another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any

from arena.wire.fields import (
    Conversion,
    Field,
    converted,
    double,
    enumerated,
    flag,
    raw,
    raws,
    sint,
    sints,
    text,
    uint,
    uints,
    word,
    words,
)
from arena.wire.message import Message, SingleField, nested, optional, repeated

# Records and their values have different types in each game: hence Any.

_SCALARS: dict[str, Callable[[int], Field[Any]]] = {
    "bool": flag,
    "bytes": raw,
    "double": double,
    "fixed64": word,
    "fixed64[]": words,
    "sint32": sint,
    "sint32[]": sints,
    "string": text,
    "uint32": uint,
    "uint32[]": uints,
}
"""The function that makes a field from its number, for each scalar type of a .proto file."""


class Schema:
    """The messages of one .proto file.

    Messages and enums used as field types must be added before calling `fields` or `kinds`.
    """

    __slots__ = ("_enums", "_makers", "_messages")

    def __init__(
        self,
        messages: Mapping[str, Mapping[str, tuple[int, str]]],
        enums: Mapping[str, Sequence[str]],
    ) -> None:
        """Take the tables of a generated module."""
        self._messages = messages
        self._enums = enums
        self._makers = dict(_SCALARS)

    def add(
        self, name: str, message: Message[Any] | SingleField[Any], *, is_optional: bool = False
    ) -> None:
        """Add a message as a type of fields; an optional one may be missing, and is then None."""
        if is_optional:
            self._makers[name] = lambda number: optional(number, message)
        else:
            self._makers[name] = lambda number: nested(number, message)
        self._makers[f"{name}[]"] = lambda number: repeated(number, message)

    def add_enum(self, name: str, kind: type[Enum]) -> None:
        """Add an enum, whose values become the members of `kind` with the same names."""
        members = [kind[value] for value in self._enums[name]]
        self._makers[name] = lambda number: enumerated(number, members)

    def add_number(self, name: str) -> None:
        """Add an enum whose values stay numbers."""
        self._makers[name] = uint

    def add_encoded(self, *names: str) -> None:
        """Add messages that stay encoded, as bytes."""
        for name in names:
            self._makers[name] = raw
            self._makers[f"{name}[]"] = raws

    def number(self, message: str, name: str) -> int:
        """Return the number of a field."""
        return self._messages[message][name][0]

    def fields(self, message: str, **conversions: Conversion) -> dict[str, Field[Any]]:
        """Make the fields of a message, by name, with conversions for some of them."""
        fields = {}
        for name, (number, kind) in self._messages[message].items():
            field = self._makers[kind](number)
            fields[name] = converted(field, conversions[name]) if name in conversions else field
        return fields

    def kinds(
        self,
        message: str,
        types: Sequence[type[Any]],
        conversions: Mapping[type[Any], Mapping[str, Conversion]] | None = None,
    ) -> dict[type[Any], tuple[int, Message[Any]]]:
        """Return the field number and the message of each type in a oneof.

        The oneof's messages are declared inside `message`, under the names of the types.
        """
        named = {f"{message}.{kind.__name__}": kind for kind in types}
        conversions = conversions or {}
        kinds = {}
        for number, name in self._messages[message].values():
            kind = named[name]
            fields = self.fields(name, **conversions.get(kind, {}))
            kinds[kind] = (number, Message(kind, fields))
        return kinds
