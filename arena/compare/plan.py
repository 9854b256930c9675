"""The matches of each deal of a comparison, and the difference that they measure.

Luck is cancelled: both versions get the same cards in the same seats. Against opponents, one
version replaces the other, with the same opponents, in every rotation of the seats. Without
opponents, both versions share a table in alternate seats, half of them each, and then swap. (A
single new version among old ones would gain in some games merely by being different: it would want
cards that no other player wants.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import variance
from typing import Any, NamedTuple, NewType

from arena.errors import BadInput
from arena.games.registry import AnyGame
from arena.indices import EntrantIndex
from arena.scheduling.pairing import rotations
from arena.scheduling.points import points_of

ComparedIndex = NewType("ComparedIndex", int)
"""A bot of a comparison: `NEW`, `OLD` or an opponent."""
NEW, OLD, FIRST_OPPONENT = ComparedIndex(0), ComparedIndex(1), ComparedIndex(2)
_USUAL_SEATS = 4


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """The matches of every deal."""

    game: AnyGame
    parameters: Any
    """Their type is the game's own, hence Any."""
    entrants: tuple[ComparedIndex, ...]
    """The bot of each entrant; a bot with two seats at a table is two entrants."""
    seatings: tuple[tuple[EntrantIndex, ...], ...]
    """The matches of a deal: for each its entrants by seat."""

    @property
    def seats(self) -> int:
        """The number of seats at a table."""
        return len(self.seatings[0])

    @property
    def is_direct(self) -> bool:
        """Whether the two versions play against each other, without opponents."""
        return max(self.entrants) < FIRST_OPPONENT

    @property
    def matches_per_version(self) -> int:
        """The number of matches of a deal in which each version plays."""
        return len(self.seatings) if self.is_direct else len(self.seatings) // 2

    def differences(self, places: Sequence[Sequence[int]]) -> tuple[Fraction, ...]:
        """Return what each match of a deal adds to the deal's difference, from its places.

        The sum is the points per match of the new version minus those of the old one, from -1 to 1.
        """
        return tuple(map(self._difference, self.seatings, places))

    def _difference(self, seating: Sequence[EntrantIndex], places: Sequence[int]) -> Fraction:
        bots = [self.entrants[entrant] for entrant in seating]
        # Where the versions meet, only seats of the other version count as opponents.
        sides = bots if self.is_direct else self.game.sides(self.seats, self.parameters)
        points = points_of(places, sides)
        return (
            _mean_of(NEW, bots, points) - _mean_of(OLD, bots, points)
        ) / self.matches_per_version


def _mean_of(
    version: ComparedIndex, bots: Sequence[ComparedIndex], points: Sequence[Fraction]
) -> Fraction:
    own = [gained for bot, gained in zip(bots, points, strict=True) if bot == version]
    return sum(own, Fraction()) / max(1, len(own))


def plan_for(
    game: AnyGame, parameters: Any, *, opponents: int, seats: int | None
) -> ComparisonPlan:
    """Plan a comparison; opponents are repeated where the table has more seats.

    `seats` defaults to what the opponents need; without opponents, to 4 or the nearest size.
    """
    if seats is not None:
        game.check_seats(seats, parameters)
    if opponents:
        return _plan_against(game, parameters, opponents, seats)
    return _plan_direct(game, parameters, seats)


def _plan_direct(game: AnyGame, parameters: Any, seats: int | None) -> ComparisonPlan:
    allowed = [
        count
        for count in game.seats_for(parameters)
        if len(set(game.sides(count, parameters))) % 2 == 0
    ]
    if seats is None:
        seats = min(allowed, key=lambda count: (abs(count - _USUAL_SEATS), count))
    if seats not in allowed:
        counts = " or ".join(map(str, allowed))
        raise BadInput(
            f"without --opponents each version takes half of the seats, and {seats} cannot be "
            f"halved: use --seats {counts}, or name opponents"
        )
    half = seats // 2
    entrants = (NEW,) * half + (OLD,) * half
    # By sides, so that partners are of the same version.
    sides = game.sides(seats, parameters)
    seatings = []
    for first in (NEW, OLD):
        free = (map(EntrantIndex, range(half)), map(EntrantIndex, range(half, seats)))
        seatings.append(tuple(next(free[(side + first) % 2]) for side in sides))
    return ComparisonPlan(game, parameters, entrants, tuple(seatings))


def _plan_against(
    game: AnyGame, parameters: Any, opponents: int, seats: int | None
) -> ComparisonPlan:
    allowed = game.seats_for(parameters)
    if seats is None:
        seats = min((count for count in allowed if count > opponents), default=allowed[-1])
    if opponents >= seats:
        raise BadInput(f"{opponents} opponents are too many for a table of {seats}")
    bots = (ComparedIndex(FIRST_OPPONENT + seat % opponents) for seat in range(seats - 1))
    entrants = (NEW, OLD, *bots)
    new, old, *others = map(EntrantIndex, range(len(entrants)))
    seatings = []
    for rotation in rotations(game.sides(seats, parameters)):
        for version in (new, old):
            seating = (version, *others)
            seatings.append(seating[-rotation:] + seating[:-rotation])
    return ComparisonPlan(game, parameters, entrants, tuple(seatings))


class Saving(NamedTuple):
    """The effect of playing the same deals in the same seats."""

    together: float
    """The variance of a deal's difference."""
    apart: float
    """What the variance would be if every match had a separate deal."""

    @property
    def share(self) -> float:
        """The share of the matches that was saved; negative if more were needed."""
        return 1 - self.together / self.apart if self.apart else 0.0


def saving_of(deals: Sequence[Sequence[Fraction]]) -> Saving:
    """Compare the variances of at least two deals, given the differences of their matches."""
    together = variance([sum(deal, Fraction()) for deal in deals])
    apart = [variance(match) for match in zip(*deals, strict=True)]
    return Saving(float(together), float(sum(apart)))
