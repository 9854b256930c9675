"""The spec of an event: all settings that its organiser chooses.

A `Spec` contains everything that affects results: the same spec with the same bots gives the same
league. The number of workers and tables is not part of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from arena.errors import BadInput, did_you_mean
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.referee.clock import EVENT_CLOCK, read_clock
from arena.sandbox.select import AUTO, CAGE_NAMES
from arena.secret import Secret, make_secret
from arena.submission.limits import check_limit
from arena.tomlfile import TomlFile, key_pattern, short_repr
from arena.tournament.duration import read_duration

DEFAULT_CLOCK = str(EVENT_CLOCK)
DEFAULT_ERROR = 0.05
MAX_ERROR = 0.5
WHOLE_ORDER = 0
"""The number of first places that stands for all of them, each in its order."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")


class BadSpec(BadInput):
    """A spec that describes no possible event."""


class Kind(Enum):
    """How entrants are paired."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    LADDER = "ladder"


class Goal(NamedTuple):
    """What must be known for an event to end early."""

    top: int
    """The number of first places; or `WHOLE_ORDER`."""
    error: float
    """The probability that what is taken for known is false."""


@dataclass(frozen=True, slots=True)
class Spec:
    """The settings of an event."""

    kind: Kind
    game: str
    name: str = ""
    """Chosen automatically if empty."""
    bots: tuple[str, ...] = ()
    """Names, or names with versions (`kitten@2`); all bots that play the game if empty."""
    variant: tuple[str, ...] = ()
    """A variant's name, or parameters as name=value."""
    seats: int | None = None
    """The size of a table; if None, 4 or the nearest size that the game allows."""
    deals: int = 1
    """Deals per pairing, each played in every rotation of the seats."""
    rounds: int | None = None
    matches: int | None = None
    """Limits a round-robin or a ladder: it has the fewest pairings that reach this number."""
    duration: str | None = None
    """Limits a ladder: no round is planned after this time, such as 2h, since its start."""
    until_sure: int | None = None
    """If given, the event ends when this many first places are known, or the `WHOLE_ORDER`."""
    error: float = DEFAULT_ERROR
    """The probability that what is taken for known is false."""
    clock: str = DEFAULT_CLOCK
    seed: int | None = None
    """For experiments: anyone who knows it can compute the deals."""
    secret: str | None = None
    """The secret of an event to be repeated; drawn if there is neither a seed nor a secret."""
    cage: str = AUTO
    freeze: bool = False
    """Whether bots are frozen while others think."""
    keep_authors_apart: bool = False
    """Whether two bots of the same author never sit at one table."""
    limits: dict[str, int] = field(default_factory=dict)
    """Limits for every bot, whatever its bot.toml requests."""
    workers: str = ""
    """The address of the cluster to play on; not stored, and it changes no result."""

    @property
    def goal(self) -> Goal | None:
        """What must be known for the event to end early; a ladder without a limit needs one."""
        if self.until_sure is not None:
            return Goal(self.until_sure, self.error)
        limits = (self.rounds, self.matches, self.duration)
        if self.kind is Kind.LADDER and limits == (None, None, None):
            return Goal(WHOLE_ORDER, self.error)
        return None

    @property
    def the_game(self) -> AnyGame:
        """The game that is played."""
        return game_named(self.game)

    def parameters(self) -> Any:
        """Return the game's parameters; their type is its own, hence Any."""
        return parameters_from(self.the_game, self.variant)

    def table_size(self) -> int:
        """Return the number of seats at a table."""
        counts = self.the_game.seats_for(self.parameters())
        if self.seats is None:
            return min(counts, key=lambda count: (abs(count - 4), count))
        self.the_game.check_seats(self.seats, self.parameters())
        return self.seats


def check_spec(spec: Spec) -> Spec:
    """Return the spec if such an event is possible; otherwise raise an error that says why."""
    spec.table_size()
    read_clock(spec.clock)
    secret_for(spec)
    if spec.name and not _NAME.fullmatch(spec.name):
        raise BadSpec(
            f"name is {short_repr(spec.name)}: it must be at most 60 letters, digits, dots, dashes "
            "and underscores, starting with a letter or digit"
        )
    if spec.cage not in CAGE_NAMES:
        raise BadSpec(f"unknown cage {spec.cage!r}: {did_you_mean(spec.cage, CAGE_NAMES)}")
    for name in ("deals", "rounds", "matches"):
        value = getattr(spec, name)
        if value is not None and not 1 <= value <= 1_000_000:
            raise BadSpec(f"{name} is {value}: it must be from 1 to 1,000,000")
    if spec.kind is Kind.SWISS and spec.matches is not None:
        raise BadSpec("a Swiss event can be limited by rounds, not by matches")
    if spec.rounds is not None and spec.matches is not None:
        raise BadSpec("rounds and matches cannot both be limited")
    if spec.duration is not None:
        read_duration(spec.duration)
        if spec.kind is not Kind.LADDER:
            raise BadSpec("only a ladder can be limited by its duration")
    if spec.until_sure is not None and not 0 <= spec.until_sure <= 1_000_000:
        raise BadSpec(
            f"until_sure is {spec.until_sure}: it must be a number of places, or 0 for the order"
        )
    if not 0 < spec.error <= MAX_ERROR:
        raise BadSpec(f"error is {spec.error}: it must be above 0 and at most {MAX_ERROR}")
    for name, number in spec.limits.items():
        check_limit(name, number)
    return spec


def secret_for(spec: Spec) -> Secret:
    """Return the secret of a spec, or draw one."""
    return make_secret(seed=spec.seed, secret=spec.secret, purpose="event")


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
    known = [each.name for each in fields(Spec)]
    file.check_keys(known)
    for key in ("kind", "game"):
        if key not in file.table:
            raise file.missing(key, ("limits",))
    values = {key: _read_value(file, key, value) for key, value in file.table.items()}
    try:
        return check_spec(Spec(**values))
    except BadInput:
        raise _first_mistake(file, values) from None


def _first_mistake(file: TomlFile, values: dict[str, Any]) -> BadInput:
    """Return an error for the first key that contradicts those above it, or is invalid itself."""
    spec = Spec(values["kind"], values["game"])
    for key in ("game", *values):
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
    "limits": ("a table of numbers", lambda value: isinstance(value, dict)),
    "workers": ("a string", _is_text),
}
