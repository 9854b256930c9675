"""Rounds that make all pairs meet equally often: the circle method, for tables of any size.

Entrants stand on a circle. One round, the base, is chosen with care; each further round moves all
entrants on by one position. After a full turn, each entrant has been in each position of the base,
so all have the same number of byes and of tables of each size. How often two entrants meet depends
only on their distance on the circle: it is the number of pairs with that distance at the tables of
the base. So these numbers must be as equal as possible. If all tables have the same size and there
are no byes, one entrant stays outside the circle, as usual at tables of two.

At tables of two the base is the textbook one, and each pair meets once per cycle. At larger tables
of K the base is found by swaps, and each pair meets K - 1 times per cycle, or nearly so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count
from struct import unpack

from arena.games.randomness import derive, seed_from

RoundTables = list[list[int]]
"""The tables of a round, each with its entrants."""

SWAPS = 1_000
"""Swaps tried for each position of a base: half a second for a hundred positions."""

UPHILL = 16
"""One in this many swaps that make a base slightly worse is kept, to escape local minima."""


def cycle_length(entrants: int, sizes: Sequence[int]) -> int:
    """Return the number of rounds of a full turn."""
    alike_and_full = len(set(sizes)) == 1 and sum(sizes) == entrants
    return entrants - 1 if alike_and_full else entrants


def circle(entrants: int, sizes: Sequence[int]) -> Iterator[RoundTables]:
    """Yield rounds with tables of these sizes, endlessly.

    If meetings are not equal after a cycle, the base of the next cycle compensates. Once they are
    equal, the cycles so far repeat.
    """
    positions = cycle_length(entrants, sizes)
    outside = range(positions, entrants)
    inside = [*sizes[:-1], sizes[-1] - len(outside)]
    bases: list[_Base] = []
    meetings: Sequence[int] = [0] * (positions // 2 + 1)
    for number in count():
        if not bases or bases[-1].spread():
            bases.append(_find_base(positions, inside, meetings))
            meetings = bases[-1].meetings
        base = bases[number % len(bases)]
        for shift in range(positions):
            tables = [
                [(position + shift) % positions for position in table] for table in base.tables
            ]
            tables[-1].extend(outside)
            yield tables


class _Base:
    """A first round, and how often entrants will have met by the end of its cycle."""

    def __init__(self, positions: int, sizes: Sequence[int], before: Sequence[int]) -> None:
        # 1 and -1, 2 and -2, ..., and finally 0: at tables of two all distances differ.
        pairs = [position for step in range(1, positions) for position in (step, positions - step)]
        order = iter([*dict.fromkeys(pairs), 0])
        self.tables = [[next(order) for _ in range(size)] for size in sizes]
        self._byes = [[position] for position in order]
        self._distance = [min(step, positions - step) for step in range(positions)]
        # Two entrants opposite each other meet again half a turn later.
        self._worth = [1 + (2 * step == positions) for step in range(len(before))]
        self.meetings = list(before)
        """By distance on the circle."""
        for table in self.tables:
            for one, other in combinations(table, 2):
                step = self._distance[one - other]
                self.meetings[step] += self._worth[step]

    def slots(self) -> list[tuple[list[int], int]]:
        """List each position as a table and an index."""
        return [(table, i) for table in self.tables + self._byes for i in range(len(table))]

    def spread(self) -> int:
        """Return the difference between the most and the fewest meetings."""
        return max(self.meetings[1:], default=0) - min(self.meetings[1:], default=0)

    def swap(self, first: list[int], i: int, second: list[int], j: int) -> int:
        """Swap two entrants of different tables; return how the sum of squared meetings grows."""
        meetings, distance, worth = self.meetings, self._distance, self._worth
        one, other = first[i], second[j]
        growth = 0
        for table, leaves, comes in ((first, one, other), (second, other, one)):
            for position in table:
                if position != leaves:
                    step = distance[position - leaves]
                    meetings[step] -= worth[step]
                    growth -= 2 * meetings[step] + worth[step]
                    step = distance[position - comes]
                    growth += 2 * meetings[step] + worth[step]
                    meetings[step] += worth[step]
        first[i], second[j] = other, one
        return growth


def _find_base(positions: int, sizes: Sequence[int], before: Sequence[int]) -> _Base:
    """Search for a base with equal meetings, and return the best one found."""
    base = _Base(positions, sizes, before)
    slots = base.slots()
    numbers = _numbers()
    grown = lowest = 0
    since_lowest = []
    swaps = SWAPS * positions if base.spread() > 1 else 0
    for _ in range(swaps):
        (first, i), (second, j) = slots[next(numbers) % positions], slots[next(numbers) % positions]
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
    """Yield pseudorandom numbers from 0 to 65535, the same every time."""
    for block in count():
        yield from unpack("<16H", derive(seed_from(0), f"swaps {block}"))
