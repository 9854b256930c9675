"""How fair is a schedule?"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from arena.scheduling.pairing import Pairing, PlannedMatch


class Range(NamedTuple):
    """The fewest and the most of something that all should have alike."""

    least: int
    most: int

    @property
    def spread(self) -> int:
        """How far from alike it is."""
        return self.most - self.least


class Balance(NamedTuple):
    """How often entrants play, meet and sit where, at the least and at the most."""

    matches: Range
    """How often an entrant plays."""
    meetings: Range
    """How often two entrants meet."""
    seats: Range
    """How often an entrant sits in a seat: in that seat in which it differs most."""
    behind: Range
    """How often an entrant has the turn right after another one."""
    across: Range
    """How often two entrants sit across the table, at tables with as many seats on each side."""


def balance_of(schedule: Iterable[Pairing | PlannedMatch], entrants: int) -> Balance:
    """Measure a schedule, by its pairings or match by match; only matches come to all seats."""
    everybody = range(entrants)
    seatings = [item.seating for item in schedule]
    seats = [[0] * entrants for _ in range(max(map(len, seatings), default=1))]
    meetings = [[0] * entrants for _ in everybody]
    behind = [[0] * entrants for _ in everybody]
    across = [[0] * entrants for _ in everybody]
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
        meetings=_range(meetings[one][other] for one, other in combinations(everybody, 2)),
        seats=max(map(_range, seats), key=lambda found: found.spread),
        behind=_range(
            behind[one][other] for one in everybody for other in everybody if one != other
        ),
        across=_range(across[one][other] for one, other in combinations(everybody, 2)),
    )


def _range(numbers: Iterable[int]) -> Range:
    known = list(numbers)
    return Range(min(known, default=0), max(known, default=0))
