"""Seat entrants together at tables.

First, entrants with equal scores meet: from the top, each score group fills as many tables as it
can, with one entrant from each level of the group at each table. The rest join the next group. Then
entrants swap tables, two at a time, as long as that helps: first to avoid repeated meetings, then
for close scores at a table (the sum of squared differences). The price of a repeated meeting starts
low and rises, so that meetings that are cheap to avoid are removed first.

No fast method is known that always finds the best tables of three and more. Where meetings are
still repeated, a small field is searched exhaustively, see `fewest_repeats`. Tables of two could be
paired exactly (by Edmonds' matching), but in simulated events of up to twice the default length,
with 7 to 128 entrants, neither way repeats a meeting.

Entrants that must not meet are separated first, and no later swap brings them together; `partial`
says why that is always possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from operator import itemgetter

from arena.scheduling.swiss.history import Entry, whole_scores

WINDOW = 48
"""How many ranks up and down an entrant without repeated meetings looks for a swap."""
WAVES = 8
"""How often the price restarts in a small field; the best tables found are used."""
SEARCH_LIMIT = 32
"""The largest field that is searched for tables with fewer repeated meetings."""
STEPS = 40_000
"""How many seats such a search fills at most."""


def seat_together(entries: Sequence[Entry], sizes: Sequence[int]) -> list[list[Entry]]:
    """Fill tables of these sizes with entrants listed by rank; tables are ordered by rank."""
    if not entries:
        return []
    scores, point = whole_scores(entries)
    # High enough that no closeness of scores outweighs one more repeated meeting.
    highest = 1 + len(entries) * max(sizes) * (scores[0] - scores[-1]) ** 2
    swaps = _Swaps(entries, scores, fill_from_top(scores, sizes))
    swaps.separate()
    found = []
    for wave in range(min(WAVES, 1 + 800 // len(entries))):
        swaps.settle(lowest=1 + 3**wave * point**2 // 16, highest=highest)
        found.append((swaps.cost(highest), [list(table) for table in swaps.tables]))
    cost, tables = min(found, key=itemgetter(0))
    if cost >= highest and len(entries) <= SEARCH_LIMIT:
        better = fewest_repeats(entries, sizes, below=cost // highest)
        if better:
            swaps = _Swaps(entries, scores, better)
            swaps.settle(lowest=highest, highest=highest)
            tables = swaps.tables
    return [[entries[rank] for rank in sorted(table)] for table in sorted(tables, key=min)]


def fill_from_top(scores: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Fill tables of these sizes from the top, group by group of equal scores."""
    tables: list[list[int]] = []
    waiting: list[int] = []
    for rank, score in enumerate(scores):
        waiting.append(rank)
        if rank + 1 < len(scores) and scores[rank + 1] == score:
            continue
        first, left = len(tables), len(waiting)
        while len(tables) < len(sizes) and sizes[len(tables)] <= left:
            left -= sizes[len(tables)]
            tables.append([])
        chairs = sorted((chair, t) for t in range(first, len(tables)) for chair in range(sizes[t]))
        for one, (_, table) in zip(waiting, chairs, strict=False):
            tables[table].append(one)
        del waiting[: len(chairs)]
    return tables


class _Swaps:
    """Tables that are improved by swaps; sets of entrants are bit masks."""

    def __init__(
        self, entries: Sequence[Entry], scores: list[int], tables: list[list[int]]
    ) -> None:
        self.tables = tables
        self._scores = scores
        self._bit = [1 << entry.entrant for entry in entries]
        self._met = [_levels(entry) for entry in entries]
        self._apart = [sum(1 << other for other in entry.apart) for entry in entries]
        self._at = [0] * len(entries)
        self._members = [0] * len(tables)
        self._total = [0] * len(tables)
        for number, table in enumerate(tables):
            for rank in table:
                self._at[rank] = number
                self._members[number] |= self._bit[rank]
                self._total[number] += scores[rank]
        self._repeats = [self._repeats_at(rank, self._at[rank]) for rank in range(len(entries))]
        """How often each entrant has met the others at its table before."""

    def cost(self, price: int) -> int:
        """Return the cost of these tables at this price of a repeated meeting."""
        squares = sum(
            (self._scores[one] - self._scores[other]) ** 2
            for table in self.tables
            for one, other in combinations(table, 2)
        )
        return price * (sum(self._repeats) // 2) + squares

    def separate(self) -> None:
        """Swap until no table has entrants that must not meet; the nearest ranks swap."""
        conflicts = [rank for rank in range(len(self._at)) if self._conflicts(rank, self._at[rank])]
        while conflicts:
            one = conflicts[-1]
            self._swap(one, self._nearest_that_separates(one))
            conflicts = [
                rank for rank in range(len(self._at)) if self._conflicts(rank, self._at[rank])
            ]

    def _nearest_that_separates(self, one: int) -> int:
        ranks = sorted(range(len(self._at)), key=lambda other: (abs(other - one), other))
        return next(
            other
            for other in ranks
            if self._at[other] != self._at[one] and self._fewer_conflicts(one, other) > 0
        )

    def _fewer_conflicts(self, one: int, other: int) -> int:
        here, there = self._at[one], self._at[other]
        now = self._conflicts(one, here) + self._conflicts(other, there)
        return now - self._conflicts(one, there, other) - self._conflicts(other, here, one)

    def _conflicts(self, rank: int, table: int, leaving: int | None = None) -> int:
        """Count those at a table that an entrant must not meet, without one that leaves it."""
        members = self._members[table] & ~(self._bit[leaving] if leaving is not None else 0)
        return (self._apart[rank] & members).bit_count()

    def settle(self, *, lowest: int, highest: int) -> None:
        """Swap as long as it helps, while the price of a repeated meeting rises."""
        self._improve(range(len(self._at)), lowest)
        price = lowest
        while price < highest:
            price = min(2 * price, highest)
            # At a higher price a swap gains more only if it ends a repeated meeting.
            self._improve([rank for rank, repeats in enumerate(self._repeats) if repeats], price)

    def _improve(self, ranks: Iterable[int], price: int) -> None:
        """Swap until no swap helps any of these ranks, or any at the tables that changed."""
        waiting = dict.fromkeys(ranks)
        while waiting:
            one = next(iter(waiting))
            del waiting[one]
            other = self._best_swap(one, price)
            if other >= 0:
                self._swap(one, other)
                for rank in (one, other):
                    waiting.update(dict.fromkeys(self.tables[self._at[rank]]))

    def _repeats_at(self, rank: int, table: int) -> int:
        return sum((met & self._members[table]).bit_count() for met in self._met[rank])

    def _best_swap(self, one: int, price: int) -> int:
        """Return the best rank to swap with, the nearest of equals; -1 if no swap helps."""
        scores, at, total, repeats = self._scores, self._at, self._total, self._repeats
        here = at[one]
        most = len(scores) if repeats[one] else WINDOW
        best, found = 0, -1
        for distance in range(1, most):
            for other in (one - distance, one + distance):
                if not 0 <= other < len(scores) or at[other] == here:
                    continue
                there = at[other]
                more = scores[other] - scores[one]
                gain = 2 * more * (total[here] - total[there] + more)
                seats = len(self.tables[here]) - len(self.tables[there])
                if seats:
                    gain -= seats * (scores[other] ** 2 - scores[one] ** 2)
                if gain + price * (repeats[one] + repeats[other]) <= best:
                    continue
                gain += price * self._fewer_repeats(one, other)
                if gain > best and self._fewer_conflicts(one, other) == 0:
                    best, found = gain, other
        return found

    def _fewer_repeats(self, one: int, other: int) -> int:
        bits = ~(self._bit[one] | self._bit[other])
        here, there = self._members[self._at[one]] & bits, self._members[self._at[other]] & bits
        fewer = self._repeats[one] + self._repeats[other]
        for met in self._met[one]:
            fewer -= (met & there).bit_count()
        for met in self._met[other]:
            fewer -= (met & here).bit_count()
        return fewer

    def _swap(self, one: int, other: int) -> None:
        here, there = self._at[one], self._at[other]
        self._at[one], self._at[other] = there, here
        self.tables[here][self.tables[here].index(one)] = other
        self.tables[there][self.tables[there].index(other)] = one
        bits = self._bit[one] | self._bit[other]
        more = self._scores[other] - self._scores[one]
        for table, change in ((here, more), (there, -more)):
            self._members[table] ^= bits
            self._total[table] += change
            for rank in self.tables[table]:
                self._repeats[rank] = self._repeats_at(rank, table)


def _levels(entry: Entry) -> list[int]:
    """Return the sets of opponents met at least once, at least twice, and so on."""
    levels: list[int] = []
    for other, times in entry.met.items():
        levels += [0] * (times - len(levels))
        for level in range(times):
            levels[level] |= 1 << other
    return levels


def fewest_repeats(
    entries: Sequence[Entry], sizes: Sequence[int], *, below: int
) -> list[list[int]] | None:
    """Return tables of ranks with fewer than `below` repeated meetings; None if none is found.

    Try all ways to fill the tables, seat by seat, and backtrack when as many meetings are repeated
    as in the best tables known. In fields of up to a dozen the search is exhaustive, so the answer
    is certain. In larger fields it stops after `STEPS` steps, but often finds an improvement.
    """
    search = _Search(entries, below)
    search.open_table(list(range(len(entries))), list(sizes), 0)
    return search.best


class _Search:
    """The tables filled so far, and the best complete ones."""

    def __init__(self, entries: Sequence[Entry], below: int) -> None:
        self.best: list[list[int]] | None = None
        self._below = below
        self._steps = STEPS
        self._met = [
            [below if other.entrant in one.apart else one.met[other.entrant] for other in entries]
            for one in entries
        ]
        """How often two have met; too often for any table if they must not meet."""
        self._tables: list[list[int]] = []

    def open_table(self, waiting: list[int], sizes: list[int], repeats: int) -> None:
        """Fill the remaining tables; the first one waiting tries a table of each size left."""
        if not waiting:
            self._below = repeats
            self.best = [list(table) for table in self._tables]
            return
        for size in sorted(set(sizes)):
            left = list(sizes)
            left.remove(size)
            self._tables.append(waiting[:1])
            self._fill_table(waiting[1:], 0, size - 1, left, repeats)
            self._tables.pop()

    def _fill_table(
        self, waiting: list[int], start: int, seats_left: int, sizes: list[int], repeats: int
    ) -> None:
        """Fill the remaining seats of the last table from those waiting, from `start` on."""
        if not seats_left:
            self.open_table(waiting, sizes, repeats)
            return
        table = self._tables[-1]
        for at in range(start, len(waiting) - seats_left + 1):
            one = waiting[at]
            total = repeats + sum(self._met[one][other] for other in table)
            if total >= self._below or self._steps == 0:
                continue
            self._steps -= 1
            table.append(one)
            self._fill_table(waiting[:at] + waiting[at + 1 :], at, seats_left - 1, sizes, total)
            table.pop()
