"""Measure how balanced a schedule is."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from arena.scheduling.pairing import Pairing, PlannedMatch


class Range(NamedTuple):
    """The smallest and largest of some counts that should all be equal."""

    least: int
    most: int

    @property
    def spread(self) -> int:
        """The difference between the largest and the smallest."""
        return self.most - self.least


class Balance(NamedTuple):
    """The ranges of how often entrants play, meet and sit in each seat."""

    matches: Range
    """How often an entrant plays."""
    meetings: Range
    """How often two entrants meet."""
    seats: Range
    """How often an entrant sits in a seat, for the seat where the counts differ most."""
    behind: Range
    """How often an entrant has the turn right after another one."""
    across: Range
    """How often two entrants sit opposite each other, at tables with an even number of seats."""


def balance_of(schedule: Iterable[Pairing | PlannedMatch], entrants: int) -> Balance:
    """Measure a schedule of pairings or of matches; only matches rotate through all seats."""
    field = range(entrants)
    seatings = [item.seating for item in schedule]
    seats = [[0] * entrants for _ in range(max(map(len, seatings), default=1))]
    meetings = [[0] * entrants for _ in field]
    behind = [[0] * entrants for _ in field]
    across = [[0] * entrants for _ in field]
    for seating in seatings:
        half, odd = divmod(len(seating), 2)
        for seat, one in enumerate(seating):
            seats[seat][one] += 1
            behind[one][seating[seat - 1]] += 1
            across[one][seating[seat - half]] += 1 - odd
            for other in seating:
                meetings[one][other] += 1
    return Balance(
        matches=_range(map(sum, zip(*seats, strict=True))),
        meetings=_range(meetings[one][other] for one, other in combinations(field, 2)),
        seats=max(map(_range, seats), key=lambda found: found.spread),
        behind=_range(behind[one][other] for one in field for other in field if one != other),
        across=_range(across[one][other] for one, other in combinations(field, 2)),
    )


def _range(numbers: Iterable[int]) -> Range:
    listed = list(numbers)
    return Range(min(listed, default=0), max(listed, default=0))
