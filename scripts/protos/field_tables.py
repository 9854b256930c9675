"""Write the field tables of `arena/wire/v1` from the compiled .proto files.

Usage: python scripts/protos/field_tables.py FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

PROTOS = Path(__file__).parents[2] / "protos" / "arena" / "wire" / "v1"
PACKAGE = "arena.wire.v1."

_SCALARS = {
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_BYTES: "bytes",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_FIXED64: "fixed64",
    FieldDescriptor.TYPE_SINT32: "sint32",
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_UINT32: "uint32",
}


def table_of(name: str) -> str:
    """Return the source of the module with the tables of one .proto file."""
    file = import_module(f"{PACKAGE}{name}_pb2").DESCRIPTOR
    messages = list(_with_nested(file.message_types_by_name.values()))
    enums = list(file.enum_types_by_name.values())
    for message in messages:
        enums += message.enum_types
    return "\n".join(
        [
            f'"""Fields of the messages in {name}.proto; written by scripts/generate_protos."""',
            "",
            "MESSAGES: dict[str, dict[str, tuple[int, str]]] = {",
            *(line for message in messages for line in _message_lines(message)),
            "}",
            '"""For each message its fields: name, number and type, in the order declared."""',
            "",
            "ENUMS: dict[str, tuple[str, ...]] = {",
            *map(_enum_line, enums),
            "}",
            '"""For each enum the names of its values from number 1 on; 0 is never sent."""',
            "",
        ]
    )


def _with_nested(messages: Iterable[Descriptor]) -> Iterator[Descriptor]:
    for message in messages:
        yield message
        yield from _with_nested(message.nested_types)


def _message_lines(message: Descriptor) -> Iterator[str]:
    yield f'    "{_short_name(message)}": {{'
    for field in message.fields:
        yield f'        "{field.name}": ({field.number}, "{_type_of(field)}"),'
    yield "    },"


def _enum_line(enum: EnumDescriptor) -> str:
    first, *values = enum.values
    prefix = first.name.removesuffix("UNSPECIFIED")
    assert [value.number for value in values] == list(range(1, len(values) + 1)), enum.name
    names = [f'"{value.name.removeprefix(prefix)}"' for value in values]
    return f'    "{_short_name(enum)}": ({", ".join(names)}),'


def _type_of(field: FieldDescriptor) -> str:
    named = field.message_type or field.enum_type
    name = _short_name(named) if named else _SCALARS[field.type]
    return f"{name}[]" if field.is_repeated else name


# Messages and enums share this property but no type, hence Any.
def _short_name(declared: Any) -> str:
    name: str = declared.full_name
    return name.removeprefix(PACKAGE)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for path in PROTOS.glob("*.proto"):
        (folder / f"{path.stem}_fields.py").write_text(table_of(path.stem), encoding="utf-8")
