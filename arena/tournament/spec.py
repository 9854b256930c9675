"""The spec of an event: all settings that its organiser chooses.

A `Spec` contains everything that affects results: the same spec with the same bots gives the same
league. The number of workers and tables is not part of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from arena.errors import BadInput, did_you_mean
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.referee.clock import EVENT_CLOCK, limited, read_clock
from arena.sandbox.select import AUTO, CAGE_NAMES
from arena.secret import Secret, make_secret
from arena.submission.limits import check_limit
from arena.tomlfile import short_repr
from leaderboard.events import EventSettings

DEFAULT_CLOCK = str(EVENT_CLOCK)
DEFAULT_ERROR = 0.05
MAX_ERROR = 0.5
WHOLE_ORDER = 0
"""The number of first places that stands for all of them, each in its order."""
_DURATION = re.compile(r"(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")


class BadSpec(BadInput):
    """A spec that describes no possible event."""


def read_duration(text: str) -> int:
    """Return the seconds that a duration stands for, such as 45s, 90m, 2h or 1h30m."""
    found = _DURATION.fullmatch(text)
    hours, minutes, seconds = map(int, found.groups("0")) if found else (0, 0, 0)
    total = 3600 * hours + 60 * minutes + seconds
    if not total:
        raise BadInput(f"{text!r} is not a duration, such as 45s, 90m, 2h or 1h30m")
    return total


class Kind(StrEnum):
    """How entrants are paired."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    LADDER = "ladder"
    GAUNTLET = "gauntlet"


class Goal(NamedTuple):
    """What must be known for an event to end early."""

    top: int
    """The number of first places; or `WHOLE_ORDER`."""
    error: float
    """The probability that what is considered known is wrong."""


@dataclass(frozen=True, slots=True)
class Spec(EventSettings):
    """The settings of an event."""

    kind: Kind
    bots: tuple[str, ...] = ()
    """Names, or names with versions (`kitten@2`); all bots that play the game if empty.

    In a gauntlet, the challengers.
    """
    against: tuple[str, ...] = ()
    """In a gauntlet, whom the challengers meet; all others that play the game if empty."""
    teams: tuple[str, ...] = ()
    """Partners that stay together (`kitten+search`), instead of bots; if empty, they change."""
    variant: tuple[str, ...] = ()
    """A variant's name, or parameters as name=value."""
    matches: int | None = None
    """Limits any event but a Swiss one: it has the fewest pairings that reach this number."""
    duration: str | None = None
    """Limits a ladder: no round is planned after this time, such as 2h, since its start."""
    until_sure: int | None = None
    """If given, the event ends when this many first places are known, or the `WHOLE_ORDER`."""
    error: float = DEFAULT_ERROR
    """The probability that what is considered known is wrong."""
    clock: str = DEFAULT_CLOCK
    cage: str = AUTO
    freeze: bool = False
    """Whether bots are frozen while others think."""
    keep_authors_apart: bool = False
    """Whether two bots of the same author never sit at one table."""
    unrated: bool = False
    """Whether its matches change no rating and no strength of the league."""
    extends: str | None = None
    """The event that this one continues, with more deals or more bots; see `extension`."""
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
            return min(counts, key=distance_from_default)
        self.the_game.check_seats(self.seats, self.parameters())
        return self.seats

    def allowed_sizes(self) -> tuple[int, ...]:
        """Return the sizes that tables may have: one, if the organiser asked for it."""
        if self.teams or self.seats is not None:
            return (self.table_size(),)
        return tuple(self.the_game.seats_for(self.parameters()))

    def sides(self) -> tuple[int, ...]:
        """Return the side of each seat at a table."""
        return self.the_game.sides(self.table_size(), self.parameters())

    def members(self) -> tuple[str, ...]:
        """Return the bots of all teams, team by team."""
        return tuple(member for team in self.teams for member in team.split("+"))


def distance_from_default(seats: int) -> tuple[int, int]:
    """Return how far a table size is from the default of 4; of two equally far, the smaller."""
    return abs(seats - 4), seats


def check_spec(spec: Spec) -> Spec:
    """Return the spec if such an event is possible; otherwise raise an error that says why."""
    spec.table_size()
    limited(read_clock(spec.clock))
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
    _check_gauntlet(spec)
    _check_teams(spec)
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


def _check_gauntlet(spec: Spec) -> None:
    if spec.kind is not Kind.GAUNTLET:
        if spec.against:
            raise BadSpec("only a gauntlet has bots to play against: list them all in bots")
        return
    if not spec.bots:
        raise BadSpec("a gauntlet needs bots: the challengers, such as kitten")
    if spec.keep_authors_apart:
        raise BadSpec("a gauntlet cannot keep authors apart: leave out bots of the same author")


def _check_teams(spec: Spec) -> None:
    if not spec.teams:
        return
    if spec.kind not in (Kind.ROUND_ROBIN, Kind.SWISS):
        raise BadSpec(f"a {spec.kind} has no fixed teams: a round-robin or a Swiss event has")
    if spec.bots:
        raise BadSpec("list bots either in bots or in teams, not in both")
    if spec.keep_authors_apart:
        raise BadSpec("teams are fixed, so their authors cannot be kept apart")
    sides = spec.sides()
    if len(set(sides)) == len(sides):
        raise BadSpec(_about_teams(spec.the_game))
    size = len(sides) // len(set(sides))
    for team in spec.teams:
        names = team.split("+")
        if len(names) != size or not all(names):
            raise BadSpec(f"team {short_repr(team)} must be {size} names with + between them")


def _about_teams(game: AnyGame) -> str:
    """Say which variants of a game have teams."""
    with_teams = [
        name
        for name, parameters in game.variants.items()
        if any(
            len(set(game.sides(seats, parameters))) < seats for seats in game.seats_for(parameters)
        )
    ]
    if not with_teams:
        return f"{game.title} has no teams: list its bots in --bots"
    return f"this variant has no teams: choose --variant {' or '.join(with_teams)}"


def secret_for(spec: Spec) -> Secret:
    """Return the secret of a spec, or draw one."""
    return make_secret(seed=spec.seed, secret=spec.secret, purpose="event")
