"""Read and write specs of events: TOML files, and documents that a league stores."""

from __future__ import annotations

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
    document = {**asdict(spec), "kind": spec.kind.value}
    # A league may come from someone else, who must not choose the machines that we trust.
    del document["workers"]
    return document


def spec_from_document(document: dict[str, Any]) -> Spec:
    """Return the spec that `spec_document` wrote; only the types of its values are checked."""
    optional = {each.name for each in fields(Spec) if each.default is None}
    for key, value in document.items():
        is_absent = value is None and key in optional
        if key not in _TYPES or not (is_absent or _TYPES[key][1](value)):
            raise BadSpec(f"{key!r} cannot be {short_repr(value)} in an event")
    if document.get("kind") not in [kind.value for kind in Kind] or "game" not in document:
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
    what, fits = _TYPES[key]
    if not fits(value):
        raise file.mistake(key, f"is {short_repr(value)}: it must be {what}")
    if key == "kind":
        try:
            return Kind(value)
        except ValueError:
            *kinds, last = (kind.value for kind in Kind)
            must = f"it must be {', '.join(kinds)} or {last}"
            raise file.mistake(key, f"is {short_repr(value)}: {must}") from None
    if key == "limits":
        for name, number in value.items():
            try:
                check_limit(name, number)
            except BadInput as error:
                raise file.mistake(key, f"is wrong: {error}", inner=key_pattern(name)) from None
    return tuple(value) if isinstance(value, list) else value


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_share(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "kind": ("a string", _is_text),
    "game": ("a string", _is_text),
    "name": ("a string", _is_text),
    "bots": ('a list of names, such as ["kitten", "kitten@2"]', _are_texts),
    "teams": ('a list of teams, such as ["kitten+search"]', _are_texts),
    "against": ('a list of names, such as ["search"]', _are_texts),
    "variant": ('a list of strings, such as ["expert"]', _are_texts),
    "seats": ("a whole number", _is_number),
    "deals": ("a whole number", _is_number),
    "rounds": ("a whole number", _is_number),
    "matches": ("a whole number", _is_number),
    "duration": ("a string", _is_text),
    "until_sure": ("a whole number", _is_number),
    "error": ("a number", _is_share),
    "clock": ("a string", _is_text),
    "seed": ("a whole number", _is_number),
    "secret": ("a string", _is_text),
    "cage": ("a string", _is_text),
    "freeze": ("true or false", _is_flag),
    "keep_authors_apart": ("true or false", _is_flag),
    "unrated": ("true or false", _is_flag),
    "extends": ("a string", _is_text),
    "limits": ("a table of numbers", lambda value: isinstance(value, dict)),
    "workers": ("a string", _is_text),
}
