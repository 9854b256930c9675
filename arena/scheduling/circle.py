"""Which rounds let everybody meet everybody equally often?

The circle method, for tables of any size. Entrants stand on a circle, and one round, the base, is
laid out with care; every further round moves everybody one place on. Once round the circle, each
entrant has been in each place of the base: byes and tables of another size come to all alike. Two
entrants meet as often as the base seats two together that are as far apart on the circle as they
are, so only the distances within the base have to be level. Where all tables are alike and full,
one entrant stays outside the circle, as it does at tables of two.

At tables of two the base is the one of the textbooks, and each pair meets once a cycle. At larger
tables of K it is found by swaps, and each pair meets K - 1 times a cycle, or nearly so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count
from struct import unpack

from arena.games.randomness import derive, seed_from

Round = list[list[int]]
"""The tables of a round, each with the entrants that meet there."""

SWAPS = 1_000
"""How many swaps are tried for each place of a base: half a second for a hundred places."""

UPHILL = 16
"""Of the swaps that make a base slightly worse, one in this many is kept: it leaves dead ends."""


def cycle_length(entrants: int, sizes: Sequence[int]) -> int:
    """Return how many rounds it takes once round the circle."""
    alike_and_full = len(set(sizes)) == 1 and sum(sizes) == entrants
    return entrants - 1 if alike_and_full else entrants


def circle(entrants: int, sizes: Sequence[int]) -> Iterator[Round]:
    """Yield rounds with tables of these sizes, without end.

    If meetings are not level after a cycle, the base of the next one makes up for it; once they
    are, the cycles up to there begin anew.
    """
    places = cycle_length(entrants, sizes)
    outside = range(places, entrants)
    inside = [*sizes[:-1], sizes[-1] - len(outside)]
    bases: list[_Base] = []
    meetings: Sequence[int] = [0] * (places // 2 + 1)
    for number in count():
        if not bases or bases[-1].spread():
            bases.append(_level_base(places, inside, meetings))
            meetings = bases[-1].meetings
        base = bases[number % len(bases)]
        for shift in range(places):
            tables = [[(place + shift) % places for place in table] for table in base.tables]
            tables[-1].extend(outside)
            yield tables


class _Base:
    """A first round, and how often two entrants will have met at the end of its cycle."""

    def __init__(self, places: int, sizes: Sequence[int], before: Sequence[int]) -> None:
        # 1 and -1, 2 and -2, ..., and 0 in the end: at tables of two all distances differ.
        pairs = [place for step in range(1, places) for place in (step, places - step)]
        line = iter([*dict.fromkeys(pairs), 0])
        self.tables = [[next(line) for _ in range(size)] for size in sizes]
        self._byes = [[place] for place in line]
        self._distance = [min(step, places - step) for step in range(places)]
        # Two that stand opposite one another meet again half a circle later.
        self._worth = [1 + (2 * step == places) for step in range(len(before))]
        self.meetings = list(before)
        """By distance on the circle."""
        for table in self.tables:
            for one, other in combinations(table, 2):
                step = self._distance[one - other]
                self.meetings[step] += self._worth[step]

    def spots(self) -> list[tuple[list[int], int]]:
        """List each place as a table and an index."""
        return [(table, i) for table in self.tables + self._byes for i in range(len(table))]

    def spread(self) -> int:
        """Return how far apart the most and the fewest meetings are."""
        return max(self.meetings[1:], default=0) - min(self.meetings[1:], default=0)

    def swap(self, first: list[int], i: int, second: list[int], j: int) -> int:
        """Let two of different tables change places; return how the squared meetings grow."""
        meetings, distance, worth = self.meetings, self._distance, self._worth
        one, other = first[i], second[j]
        growth = 0
        for table, leaves, comes in ((first, one, other), (second, other, one)):
            for place in table:
                if place != leaves:
                    step = distance[place - leaves]
                    meetings[step] -= worth[step]
                    growth -= 2 * meetings[step] + worth[step]
                    step = distance[place - comes]
                    growth += 2 * meetings[step] + worth[step]
                    meetings[step] += worth[step]
        first[i], second[j] = other, one
        return growth


def _level_base(places: int, sizes: Sequence[int], before: Sequence[int]) -> _Base:
    """Look for a base that makes meetings level, and return the best that was found."""
    base = _Base(places, sizes, before)
    spots = base.spots()
    numbers = _numbers()
    grown = lowest = 0
    since_lowest = []
    swaps = SWAPS * places if base.spread() > 1 else 0
    for _ in range(swaps):
        (first, i), (second, j) = spots[next(numbers) % places], spots[next(numbers) % places]
        if first is second:
            continue
        known, base.meetings = base.meetings, base.meetings.copy()
        growth = base.swap(first, i, second, j)
        if growth > 2 or (growth > 0 and next(numbers) % UPHILL):
            base.meetings = known
            first[i], second[j] = second[j], first[i]
            continue
        grown += growth
        since_lowest.append((first, i, second, j))
        if grown < lowest:
            lowest = grown
            since_lowest.clear()
            if base.spread() <= 1:
                break
    for swap in reversed(since_lowest):
        base.swap(*swap)
    return base


def _numbers() -> Iterator[int]:
    """Yield numbers from 0 to 65535, as good as random and the same every time."""
    for block in count():
        yield from unpack("<16H", derive(seed_from(0), f"swaps {block}"))
