"""Fair rounds, if there are too few for a whole cycle, or if some entrants must not meet.

Rounds are laid out one after another, each table with entrants who have met least. Then all rounds
are improved by swaps in turn, each given all the others. The measure is the fourth power of each
pair's distance from the mean number of meetings, so the worst pairs count most.

Two entrants of a group never meet, provided that no group has more entrants than there are tables.
If two of them share a table, there is a table without their group, and since the sizes of tables
differ by at most one, one of its members can change places with one of the two without a new
conflict, or with fewer than before. So swaps that reduce the conflicts end them all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from arena.scheduling.circle import RoundTables
from arena.scheduling.groups import Groups, others_in_group

PASSES = 6
"""How often all rounds are improved by swaps; more passes gain little."""

WORK_LIMIT = 500_000
"""Rounds are not improved if rounds times entrants squared exceeds this."""

FAIRNESS = 1 << 40
"""A weight that equalises byes and table sizes before meetings are considered."""

CONFLICT = 1 << 200
"""The price of a forbidden meeting; it outweighs everything else."""


def partial_cycle(
    entrants: int,
    sizes: Sequence[int],
    *,
    rounds: int,
    before: Sequence[RoundTables] = (),
    groups: Groups = (),
) -> Iterator[RoundTables]:
    """Yield rounds with tables of these sizes; meetings in the rounds before count as well."""
    apart = others_in_group(groups, entrants)
    tally = _MeetingTally(sizes, rounds=rounds, before=before, apart=apart)
    laid_out = map(tally.new_round, range(rounds))
    plan = laid_out if rounds * entrants**2 > WORK_LIMIT else _improve_rounds(tally, list(laid_out))
    for tables in plan:
        yield tables[: len(sizes)]


def _improve_rounds(tally: _MeetingTally, plan: list[RoundTables]) -> list[RoundTables]:
    for turn in range(PASSES):
        if tally.spread() <= 1:
            break
        for number, tables in enumerate(plan):
            tally.count(tables, -1)
            tally.improve(tables, first=number + turn, sideways=True)
            tally.count(tables)
    return plan


class _MeetingTally:
    """How often entrants have met, and the cost of one more meeting of each pair.

    Its rounds have an extra table for byes, at which no meetings count.
    """

    def __init__(
        self,
        sizes: Sequence[int],
        *,
        rounds: int,
        before: Sequence[RoundTables],
        apart: Sequence[frozenset[int]],
    ) -> None:
        entrants = len(apart)
        self._possible = [
            [other for other in range(one) if other not in apart[one]] for one in range(entrants)
        ]
        """The entrants that each may meet, among those with a lower number."""
        self._has_groups = any(apart)
        self._sizes = [*sizes, entrants - sum(sizes)]
        self._opponents = [*(size - 1 for size in sizes), 0]
        """The number of opponents at each table."""
        self._met = [0] * entrants
        """The number of meetings of each entrant, over all opponents."""
        self._meetings = [[0] * entrants for _ in self._met]
        met = rounds * sum(size * (size - 1) for size in sizes)
        met += sum(len(table) * (len(table) - 1) for tables in before for table in tables)
        # In quarters, to stay with whole numbers.
        mean = 2 * met // sum(map(len, self._possible))
        powers = [(4 * meetings - mean) ** 4 for meetings in range(len(before) + rounds + 2)]
        self._price_after = [more - now for now, more in pairwise(powers)]
        self._prices = [[self._price_after[0]] * entrants for _ in self._met]
        for one, prices in enumerate(self._prices):
            prices[one] = 0
            for other in apart[one]:
                prices[other] = CONFLICT
        for tables in before:
            self.count(tables)

    def count(self, tables: RoundTables, sign: int = 1) -> None:
        """Add the meetings of a round, or with sign -1 remove them."""
        for table in tables[: len(self._sizes) - 1]:
            for one in table:
                self._met[one] += sign * (len(table) - 1)
                meetings, prices = self._meetings[one], self._prices[one]
                for other in table:
                    if other != one:
                        meetings[other] += sign
                        prices[other] = self._price_after[meetings[other]]

    def spread(self) -> int:
        """Return the difference between the most and the fewest meetings of a pair."""
        return max(map(max, self._meetings)) - self._fewest_meetings()

    def new_round(self, number: int) -> RoundTables:
        """Lay out a round and add it; entrants with the fewest meetings get the largest tables."""
        tables = []
        byes = self._choose_byes() if self._has_groups else []
        waiting = [one for one in range(len(self._met)) if one not in byes]
        for size in self._sizes[:-1] if byes else self._sizes:
            table: list[int] = []
            costs = [FAIRNESS * met for met in self._met]
            while len(table) < size:
                one = min(waiting, key=costs.__getitem__)
                waiting.remove(one)
                table.append(one)
                costs = list(map(int.__add__, costs, self._prices[one]))
            tables.append(table)
        if byes:
            tables.append(byes)
        while self.improve(tables, first=number):
            pass
        self.count(tables)
        return tables

    def _choose_byes(self) -> list[int]:
        """Choose byes before tables, so that conflicts do not decide who is left over."""
        seated = len(self._met) - self._sizes[-1]
        return sorted(range(len(self._met)), key=self._met.__getitem__)[seated:]

    def improve(self, tables: RoundTables, *, first: int, sideways: bool = False) -> bool:
        """Make the best swap for each entrant in turn, starting with `first`.

        `sideways` also allows swaps that change nothing. Return whether any swap was made.
        """
        entrants = len(self._met)
        at = [0] * entrants
        staying = [0] * entrants
        for number, table in enumerate(tables):
            for one in table:
                at[one] = number
                staying[one] = self._cost(one, table, number)
        cheapest = self._price_after[self._fewest_meetings()]
        moved = False
        for index in range(first, first + entrants):
            one = index % entrants
            here = at[one]
            if staying[one] <= cheapest * self._opponents[here]:
                continue
            growth, other = self._best_swap(tables, one, here, staying)
            if growth < sideways:
                there = at[other]
                tables[here][tables[here].index(one)] = other
                tables[there][tables[there].index(other)] = one
                at[one], at[other] = there, here
                for number in (here, there):
                    for member in tables[number]:
                        staying[member] = self._cost(member, tables[number], number)
                moved = True
        return moved

    def _best_swap(
        self, tables: RoundTables, one: int, here: int, staying: list[int]
    ) -> tuple[int, int]:
        """Return the growth in cost of an entrant's best swap, and the entrant to swap with."""
        prices = self._prices[one]
        coming = list(
            map(sum, zip(*(self._prices[member] for member in tables[here]), strict=True))
        )
        best = (FAIRNESS, one)
        for there, table in enumerate(tables):
            if there == here:
                continue
            going = self._cost(one, table, there) - staying[one]
            # Both costs contain the meeting of these two, unless one has a bye; the swap ends it.
            shared = 2 if self._opponents[there] else 1
            more = FAIRNESS * (self._opponents[there] - self._opponents[here])
            for other in table:
                growth = going + coming[other] - shared * prices[other] - staying[other]
                if more:
                    growth += more * (self._met[one] - self._met[other])
                if growth < best[0]:
                    best = (growth, other)
        return best

    def _cost(self, one: int, table: list[int], number: int) -> int:
        prices = self._prices[one]
        return sum([prices[other] for other in table]) if self._opponents[number] else 0

    def _fewest_meetings(self) -> int:
        return min(
            min(map(row.__getitem__, others))
            for row, others in zip(self._meetings, self._possible, strict=True)
            if others
        )
