"""Which rounds are fair when there are too few for a whole cycle?

Rounds are laid out one after another, each table with people who have met least, and then improved
by swaps, all rounds in turn, each in the light of all the others. The measure is the fourth power
of how far each pair's meetings are from the mean: who is worst off counts most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from arena.scheduling.circle import Round

PASSES = 6
"""How often all rounds are gone through for swaps once they are laid out; more gain little."""

MUCH = 500_000
"""From how many rounds times entrants squared on, rounds stay as they were laid out."""

FAIRNESS = 1 << 40
"""What makes byes and tables of another size come to all alike before meetings are looked at."""


def partial_cycle(
    entrants: int, sizes: Sequence[int], *, rounds: int, before: Sequence[Round]
) -> Iterator[Round]:
    """Yield rounds with tables of these sizes that even out the meetings of those before."""
    book = _Book(entrants, sizes, rounds=rounds, before=before)
    laid_out = map(book.new_round, range(rounds))
    plan = laid_out if rounds * entrants**2 > MUCH else _revised(book, list(laid_out))
    for tables in plan:
        yield tables[: len(sizes)]


def _revised(book: _Book, plan: list[Round]) -> list[Round]:
    for turn in range(PASSES):
        if book.spread() <= 1:
            break
        for number, tables in enumerate(plan):
            book.count(tables, -1)
            book.improve(tables, first=number + turn, sideways=True)
            book.count(tables)
    return plan


class _Book:
    """How often everybody has met whom, and the price of one more meeting.

    Its rounds have one more table, for byes: nobody meets anybody there.
    """

    def __init__(
        self, entrants: int, sizes: Sequence[int], *, rounds: int, before: Sequence[Round]
    ) -> None:
        self._sizes = [*sizes, entrants - sum(sizes)]
        self._company = [*(size - 1 for size in sizes), 0]
        """How many others one meets at each table."""
        self._met = [0] * entrants
        """How many others each entrant has met, once for each meeting."""
        self._meetings = [[0] * entrants for _ in self._met]
        met = rounds * sum(size * (size - 1) for size in sizes)
        met += sum(len(table) * (len(table) - 1) for tables in before for table in tables)
        # In quarters, to stay with whole numbers.
        mean = 4 * met // (entrants * (entrants - 1))
        powers = [(4 * meetings - mean) ** 4 for meetings in range(len(before) + rounds + 2)]
        self._price_after = [more - now for now, more in pairwise(powers)]
        self._prices = [[self._price_after[0]] * entrants for _ in self._met]
        for one, prices in enumerate(self._prices):
            prices[one] = 0
        for tables in before:
            self.count(tables)

    def count(self, tables: Round, sign: int = 1) -> None:
        """Enter the meetings of a round, or strike them out."""
        for table in tables[: len(self._sizes) - 1]:
            for one in table:
                self._met[one] += sign * (len(table) - 1)
                meetings, prices = self._meetings[one], self._prices[one]
                for other in table:
                    if other != one:
                        meetings[other] += sign
                        prices[other] = self._price_after[meetings[other]]

    def spread(self) -> int:
        """Return how far apart the most and the fewest meetings of a pair are."""
        return max(map(max, self._meetings)) - self._fewest()

    def new_round(self, number: int) -> Round:
        """Lay out a round, at the largest tables those who have met the fewest, and enter it."""
        tables = []
        waiting = list(range(len(self._met)))
        for size in self._sizes:
            table: list[int] = []
            costs = [FAIRNESS * met for met in self._met]
            while len(table) < size:
                one = min(waiting, key=costs.__getitem__)
                waiting.remove(one)
                table.append(one)
                costs = list(map(int.__add__, costs, self._prices[one]))
            tables.append(table)
        while self.improve(tables, first=number):
            pass
        self.count(tables)
        return tables

    def improve(self, tables: Round, *, first: int, sideways: bool = False) -> bool:
        """Let everybody in turn, from `first` on, take the place that helps most.

        With `sideways` also one that does no harm. Tell whether anybody moved.
        """
        entrants = len(self._met)
        at = [0] * entrants
        staying = [0] * entrants
        for number, table in enumerate(tables):
            for one in table:
                at[one] = number
                staying[one] = self._cost(one, table, number)
        cheapest = self._price_after[self._fewest()]
        moved = False
        for place in range(first, first + entrants):
            one = place % entrants
            here = at[one]
            if staying[one] <= cheapest * self._company[here]:
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

    def _best_swap(self, tables: Round, one: int, here: int, staying: list[int]) -> tuple[int, int]:
        """Return how the cost grows by the best swap for an entrant, and with whom it is."""
        prices = self._prices[one]
        coming = list(
            map(sum, zip(*(self._prices[member] for member in tables[here]), strict=True))
        )
        best = (FAIRNESS, one)
        for there, table in enumerate(tables):
            if there == here:
                continue
            going = self._cost(one, table, there) - staying[one]
            # Both costs have the price of a meeting of the two, unless one has a bye; they part.
            parting = 2 if self._company[there] else 1
            more = FAIRNESS * (self._company[there] - self._company[here])
            for other in table:
                growth = going + coming[other] - parting * prices[other] - staying[other]
                if more:
                    growth += more * (self._met[one] - self._met[other])
                if growth < best[0]:
                    best = (growth, other)
        return best

    def _cost(self, one: int, table: list[int], number: int) -> int:
        prices = self._prices[one]
        return sum([prices[other] for other in table]) if self._company[number] else 0

    def _fewest(self) -> int:
        return min(min(row[:one]) for one, row in enumerate(self._meetings) if one)
