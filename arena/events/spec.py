"""What does an event consist of, as its organiser asks for it?

All that decides about results stands in a `Spec`, so that the same one with the same bots gives the
same league. How many workers and tables play it is not part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any

from arena.errors import BadInput, did_you_mean
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.limits import check_limit
from arena.referee.clock import EVENT_CLOCK, read_clock
from arena.sandbox.cages import AUTO
from arena.sandbox.cages import NAMES as CAGES
from arena.secret import Secret, chosen_secret
from arena.tomlfile import TomlFile, as_key, shown

DEFAULT_CLOCK = str(EVENT_CLOCK)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")


class BadSpec(BadInput):
    """An event that cannot be held as it is asked for."""


class Kind(Enum):
    """How it is settled who meets whom."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"


@dataclass(frozen=True, slots=True)
class Spec:
    """An event as it is asked for."""

    kind: Kind
    game: str
    name: str = ""
    """Made up if empty."""
    bots: tuple[str, ...] = ()
    """Names, or names with versions (`kitten@2`); all that play the game if empty."""
    variant: tuple[str, ...] = ()
    """A variant's name, or parameters as name=value."""
    seats: int | None = None
    """How many sit at a table; what the game is best with if None."""
    deals: int = 1
    """How many deals each pairing plays, each in every rotation of the seats."""
    rounds: int | None = None
    matches: int | None = None
    """The most matches that a round-robin has."""
    clock: str = DEFAULT_CLOCK
    seed: int | None = None
    """For experiments: anybody can compute the deals that follow from it."""
    secret: str | None = None
    """That of an event that is to be repeated; one is drawn if there is neither."""
    cage: str = AUTO
    freeze: bool = False
    """Whether bots are stopped while it is not their turn."""
    limits: dict[str, int] = field(default_factory=dict)
    """For every bot, whatever its bot.toml says."""

    @property
    def the_game(self) -> AnyGame:
        """Return the game that is played."""
        return game_named(self.game)

    def parameters(self) -> Any:
        """Return the game's parameters; their type is its own, hence Any."""
        return parameters_from(self.the_game, self.variant)

    def table_size(self) -> int:
        """Return how many sit at a table."""
        counts = self.the_game.seats_for(self.parameters())
        if self.seats is None:
            return min(counts, key=lambda count: (abs(count - 4), count))
        self.the_game.check_seats(self.seats, self.parameters())
        return self.seats


def checked(spec: Spec) -> Spec:
    """Return an event that can be held, or say why this one cannot."""
    spec.table_size()
    read_clock(spec.clock)
    secret_for(spec)
    if spec.name and not _NAME.fullmatch(spec.name):
        raise BadSpec(
            f"name is {shown(spec.name)}: it must be at most 60 letters, digits, dots, dashes and "
            "underscores, a letter or digit first"
        )
    if spec.cage not in CAGES:
        raise BadSpec(f"there is no cage {spec.cage!r}: {did_you_mean(spec.cage, CAGES)}")
    for name in ("deals", "rounds", "matches"):
        value = getattr(spec, name)
        if value is not None and not 1 <= value <= 1_000_000:
            raise BadSpec(f"{name} is {value}: it must be from 1 to 1,000,000")
    if spec.kind is Kind.SWISS and spec.matches is not None:
        raise BadSpec("a Swiss event is limited by its rounds, not by its matches")
    if spec.rounds is not None and spec.matches is not None:
        raise BadSpec("either the rounds or the matches are limited, not both")
    for name, number in spec.limits.items():
        check_limit(name, number)
    return spec


def secret_for(spec: Spec) -> Secret:
    """Return the secret that an event asks for, or draw one."""
    return chosen_secret(seed=spec.seed, secret=spec.secret, purpose="event")


def document_of(spec: Spec) -> dict[str, Any]:
    """Return an event as plain values, to be kept as text."""
    return {**asdict(spec), "kind": spec.kind.value}


def spec_from(document: dict[str, Any]) -> Spec:
    """Return the event that `document_of` wrote; whether it can be held is not checked."""
    optional = {each.name for each in fields(Spec) if each.default is None}
    for key, value in document.items():
        is_absent = value is None and key in optional
        if key not in _TYPES or not (is_absent or _TYPES[key][1](value)):
            raise BadSpec(f"{key!r} cannot be {shown(value)} in an event")
    if document.get("kind") not in [kind.value for kind in Kind] or "game" not in document:
        raise BadSpec("an event without its kind or its game cannot be held")
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in document.items()
    }
    values["kind"] = Kind(values["kind"])
    return Spec(**values)


def read_spec(path: Path) -> Spec:
    """Read an event from a TOML file; a mistake in it is named with its line and key."""
    file = TomlFile(path, BadSpec)
    known = [each.name for each in fields(Spec)]
    file.check_keys(known)
    for key in ("kind", "game"):
        if key not in file.table:
            raise file.missing(key, ("limits",))
    values = {key: _checked_value(file, key, value) for key, value in file.table.items()}
    try:
        return checked(Spec(**values))
    except BadInput:
        raise _first_mistake(file, values) from None


def _first_mistake(file: TomlFile, values: dict[str, Any]) -> BadInput:
    """Name the first key that does not go with those above it."""
    spec = Spec(values["kind"], values["game"])
    for key in ("game", *values):
        spec = replace(spec, **{key: values[key]})
        try:
            checked(spec)
        except BadInput as error:
            return file.mistake(key, f"is wrong: {error}")
    raise AssertionError("an event that cannot be held has no mistake")


def _checked_value(file: TomlFile, key: str, value: Any) -> Any:
    what, fits = _TYPES[key]
    if not fits(value):
        raise file.mistake(key, f"is {shown(value)}: it must be {what}")
    if key == "kind":
        try:
            return Kind(value)
        except ValueError:
            kinds = " or ".join(kind.value for kind in Kind)
            raise file.mistake(key, f"is {shown(value)}: it must be {kinds}") from None
    if key == "limits":
        for name, number in value.items():
            try:
                check_limit(name, number)
            except BadInput as error:
                raise file.mistake(key, f"is wrong: {error}", inner=as_key(name)) from None
    return tuple(value) if isinstance(value, list) else value


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "kind": ("a text", _is_text),
    "game": ("a text", _is_text),
    "name": ("a text", _is_text),
    "bots": ('a list of names, such as ["kitten", "kitten@2"]', _are_texts),
    "variant": ('a list of texts, such as ["expert"]', _are_texts),
    "seats": ("a whole number", _is_number),
    "deals": ("a whole number", _is_number),
    "rounds": ("a whole number", _is_number),
    "matches": ("a whole number", _is_number),
    "clock": ("a text", _is_text),
    "seed": ("a whole number", _is_number),
    "secret": ("a text", _is_text),
    "cage": ("a text", _is_text),
    "freeze": ("true or false", lambda value: isinstance(value, bool)),
    "limits": ("a table of numbers", lambda value: isinstance(value, dict)),
}
