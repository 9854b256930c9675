"""Which matches does one deal of a comparison come to, and what do they say?

Luck is cancelled: both versions get the same cards in the same seats. Against opponents, one sits
down in place of the other, with the same opponents, in every rotation of the seats. Without any,
both sit at one table in alternate seats, half of them each, and then change places. A single new
one among old ones would gain in some games merely by being different: it wants what nobody else at
the table wants.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import variance
from typing import Any, NamedTuple

from arena.errors import BadInput
from arena.games.registry import AnyGame
from arena.scheduling.pairing import rotations
from arena.scheduling.points import points_of

NEW, OLD, FIRST_OPPONENT = 0, 1, 2
"""The bots of a comparison by number; further opponents follow."""
_USUAL_SEATS = 4


@dataclass(frozen=True, slots=True)
class Plan:
    """How every deal is played."""

    game: AnyGame
    parameters: Any
    """Of the game's own type, hence Any."""
    players: tuple[int, ...]
    """For each player its bot; a bot that sits at a table twice is two players."""
    seatings: tuple[tuple[int, ...], ...]
    """The matches of a deal: for each the players by seat."""

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return len(self.seatings[0])

    @property
    def is_direct(self) -> bool:
        """Whether the versions meet, and nobody else."""
        return max(self.players) < FIRST_OPPONENT

    @property
    def turns(self) -> int:
        """In how many matches of a deal each version plays."""
        return len(self.seatings) if self.is_direct else len(self.seatings) // 2

    def differences(self, places: Sequence[Sequence[int]]) -> tuple[Fraction, ...]:
        """Return what each match of a deal, by its places, adds to the deal's difference.

        Their sum is the points of a match that the new version got more than the old one, from -1
        to 1.
        """
        return tuple(map(self._difference, self.seatings, places))

    def _difference(self, seating: Sequence[int], places: Sequence[int]) -> Fraction:
        bots = [self.players[player] for player in seating]
        # Where the versions meet, what counts is how each does against the other, not against
        # itself.
        sides = bots if self.is_direct else self.game.sides(self.seats, self.parameters)
        points = points_of(places, sides)
        return (_mean_of(NEW, bots, points) - _mean_of(OLD, bots, points)) / self.turns


def _mean_of(version: int, bots: Sequence[int], points: Sequence[Fraction]) -> Fraction:
    own = [gained for bot, gained in zip(bots, points, strict=True) if bot == version]
    return sum(own, Fraction()) / max(1, len(own))


def plan_for(game: AnyGame, parameters: Any, *, opponents: int, seats: int | None) -> Plan:
    """Plan a comparison with so many opponents, who are repeated where the table has more seats.

    Without a number of seats it is what the opponents need; without opponents, four if possible.
    """
    if seats is not None:
        game.check_seats(seats, parameters)
    if opponents:
        return _against(game, parameters, opponents, seats)
    return _direct(game, parameters, seats)


def _direct(game: AnyGame, parameters: Any, seats: int | None) -> Plan:
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
            f"without --opponents half of the table is the new version's, and {seats} seats cannot "
            f"be halved: take --seats {counts}, or name opponents"
        )
    half = seats // 2
    players = (NEW,) * half + (OLD,) * half
    # By sides, so that partners are of the same version.
    sides = game.sides(seats, parameters)
    seatings = []
    for first in (NEW, OLD):
        free = (iter(range(half)), iter(range(half, seats)))
        seatings.append(tuple(next(free[(side + first) % 2]) for side in sides))
    return Plan(game, parameters, players, tuple(seatings))


def _against(game: AnyGame, parameters: Any, opponents: int, seats: int | None) -> Plan:
    allowed = game.seats_for(parameters)
    if seats is None:
        seats = min((count for count in allowed if count > opponents), default=allowed[-1])
    if opponents >= seats:
        raise BadInput(f"{opponents} opponents are too many for a table of {seats}")
    others = tuple(range(FIRST_OPPONENT, seats + 1))
    players = (NEW, OLD, *(FIRST_OPPONENT + place % opponents for place in range(seats - 1)))
    seatings = []
    for turn in rotations(game.sides(seats, parameters)):
        for version in (NEW, OLD):
            seating = (version, *others)
            seatings.append(seating[-turn:] + seating[:-turn])
    return Plan(game, parameters, players, tuple(seatings))


class Saving(NamedTuple):
    """What it brings to play the same deals in the same seats."""

    together: float
    """The variance of a deal's difference."""
    apart: float
    """What it would be if every match had a deal of its own."""

    @property
    def share(self) -> float:
        """The share of the matches that was saved; below 0 if it took more of them."""
        return 1 - self.together / self.apart if self.apart else 0.0


def saving_of(deals: Sequence[Sequence[Fraction]]) -> Saving:
    """Compare the variances, from the differences of two deals or more, match by match."""
    together = variance([sum(deal, Fraction()) for deal in deals])
    apart = [variance(match) for match in zip(*deals, strict=True)]
    return Saving(float(together), float(sum(apart)))
