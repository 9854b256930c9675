"""The two matches of each deal of a comparison, and the difference that they measure.

Luck is cancelled: both versions get the same cards in the same seats. Against opponents, one
version replaces the other, with the same opponents, in a seat that is drawn for each deal. Without
opponents, both versions share a table in alternate seats, half of them each, and then swap. (A
single new version among old ones would gain in some games merely by being different: it would want
cards that no other player wants.)

Against opponents, a deal is not played in every rotation of the seats. That would make differences
vary less, but the test could hardly use it: it must allow for rare deals that are lost completely,
and rules them out only by playing many deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import variance
from typing import Any, NamedTuple, NewType

from arena.errors import BadInput
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame
from arena.indices import EntrantIndex
from arena.scheduling.pairing import rotations
from arena.scheduling.points import points_of

ComparedIndex = NewType("ComparedIndex", int)
"""A bot of a comparison: `NEW`, `OLD` or an opponent."""
NEW, OLD, FIRST_OPPONENT = ComparedIndex(0), ComparedIndex(1), ComparedIndex(2)
MATCHES_PER_DEAL = 2
_USUAL_SEATS = 4

DealSeatings = tuple[tuple[EntrantIndex, ...], ...]
"""The entrants by seat in each match of a deal."""


@dataclass(frozen=True, slots=True)
class ComparisonPlan:
    """The matches of every deal."""

    game: AnyGame
    parameters: Any
    """Their type is the game's own, hence Any."""
    entrants: tuple[ComparedIndex, ...]
    """The bot of each entrant; a bot with two seats at a table is two entrants."""
    rotations: tuple[DealSeatings, ...]
    """The ways to seat the matches of a deal. Each deal is played in one of them."""

    @property
    def seats(self) -> int:
        """The number of seats at a table."""
        return len(self.rotations[0][0])

    @property
    def is_direct(self) -> bool:
        """Whether the two versions play against each other, without opponents."""
        return max(self.entrants) < FIRST_OPPONENT

    def seatings(self, secret: Seed, deal: int) -> DealSeatings:
        """Return the seatings of a deal.

        They are drawn, not taken in turn, so that the differences of all deals have the same mean,
        as the test assumes.
        """
        drawn = int.from_bytes(derive(secret, f"rotation {deal}"), "little")
        return self.rotations[drawn % len(self.rotations)]

    def differences(
        self, seatings: DealSeatings, places: Sequence[Sequence[int]]
    ) -> tuple[Fraction, ...]:
        """Return what each match of a deal adds to the deal's difference, from its places.

        The sum is the points per match of the new version minus those of the old one, from -1 to 1.
        """
        return tuple(map(self._difference, seatings, places))

    def _difference(self, seating: Sequence[EntrantIndex], places: Sequence[int]) -> Fraction:
        bots = [self.entrants[entrant] for entrant in seating]
        # Where the versions meet, only seats of the other version count as opponents.
        sides = bots if self.is_direct else self.game.sides(self.seats, self.parameters)
        points = points_of(places, sides)
        difference = _mean_of(NEW, bots, points) - _mean_of(OLD, bots, points)
        # Where the versions meet, each plays in both matches.
        return difference / MATCHES_PER_DEAL if self.is_direct else difference


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
    return ComparisonPlan(game, parameters, entrants, (tuple(seatings),))


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
    pair = ((new, *others), (old, *others))
    turned = [
        tuple(seating[-rotation:] + seating[:-rotation] for seating in pair)
        for rotation in rotations(game.sides(seats, parameters))
    ]
    return ComparisonPlan(game, parameters, entrants, tuple(turned))


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
