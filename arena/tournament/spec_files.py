"""Read and write specs of events: TOML files, and documents that a league stores."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from arena.errors import BadInput
from arena.submission.limits import check_limit
from arena.tomlfile import TomlFile, key_pattern, short_repr
from arena.tournament.spec import BadSpec, Kind, Spec, check_spec


def spec_document(spec: Spec) -> dict[str, Any]:
    """Return a spec as plain values, to be stored as text."""
    document = asdict(spec)
    # A league may come from someone else, who must not choose the machines that we trust.
    del document["workers"]
    return document


def spec_from_document(document: dict[str, Any]) -> Spec:
    """Return the spec that `spec_document` wrote; only the types of its values are checked."""
    optional = {each.name for each in fields(Spec) if each.default is None}
    for key, value in document.items():
        is_absent = value is None and key in optional
        if key not in _KEYS or not (is_absent or _KEYS[key][1](value)):
            raise BadSpec(f"{key!r} cannot be {short_repr(value)} in an event")
    if document.get("kind") not in list(Kind) or "game" not in document:
        raise BadSpec("the spec of an event must have a kind and a game")
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in document.items()
    }
    values["kind"] = Kind(values["kind"])
    return Spec(**values)


def read_spec(path: Path) -> Spec:
    """Read a spec from a TOML file; errors name the line and the key."""
    file = TomlFile(path, BadSpec)
    # Only a stored spec says which event it continues.
    known = [each.name for each in fields(Spec) if each.name != "extends"]
    file.check_keys(known)
    for key in ("kind", "game"):
        if key not in file.table:
            raise file.missing(key, ("limits",))
    values = {key: _read_value(file, key, value) for key, value in file.table.items()}
    if values["kind"] is Kind.GAUNTLET and not values.get("bots"):
        raise file.missing("bots", ("limits",))
    try:
        return check_spec(Spec(**values))
    except BadInput:
        raise _first_mistake(file, values) from None


def _first_mistake(file: TomlFile, values: dict[str, Any]) -> BadInput:
    """Return an error for the first key that contradicts those above it, or is invalid itself."""
    spec = Spec(values["kind"], values["game"], bots=values.get("bots", ()))
    # Whether teams are possible depends on everything else.
    for key in ("game", *sorted(values, key="teams".__eq__)):
        spec = replace(spec, **{key: values[key]})
        try:
            check_spec(spec)
        except BadInput as error:
            return file.mistake(key, f"is wrong: {error}")
    raise AssertionError("an impossible spec has no mistake")


def _read_value(file: TomlFile, key: str, value: Any) -> Any:
    what, fits = _KEYS[key]
    if not fits(value):
        if key in _EXAMPLES:
            what += f", such as {json.dumps(_EXAMPLES[key])}"
        raise file.mistake(key, f"is {short_repr(value)}: it must be {what}")
    if key == "kind":
        try:
            return Kind(value)
        except ValueError:
            *kinds, last = Kind
            must = f"it must be {', '.join(kinds)} or {last}"
            raise file.mistake(key, f"is {short_repr(value)}: {must}") from None
    if key == "limits":
        for name, number in value.items():
            try:
                check_limit(name, number)
            except BadInput as error:
                raise file.mistake(key, f"is wrong: {error}", inner=key_pattern(name)) from None
    return tuple(value) if isinstance(value, list) else value


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "str": ("a string", lambda value: isinstance(value, str)),
    "int": ("a whole number", _is_number),
    "float": ("a number", lambda value: _is_number(value) or isinstance(value, float)),
    "bool": ("true or false", lambda value: isinstance(value, bool)),
    "tuple[str, ...]": (
        "a list of strings",
        lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
    ),
    "dict[str, int]": ("a table of numbers", lambda value: isinstance(value, dict)),
    "Kind": ("a string", lambda value: isinstance(value, str)),
}
_EXAMPLES = {
    "bots": ["kitten", "kitten@2"],
    "teams": ["kitten+search"],
    "against": ["search"],
    "variant": ["expert"],
}
_KEYS = {
    # Annotations are text here.
    each.name: _TYPES[str(each.type).removesuffix(" | None")]
    for each in fields(Spec)
}
