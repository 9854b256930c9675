"""Are there tables at which fewer meetings are repeated?

A search through all ways to fill the tables, seat by seat, that turns back where as many meetings
are repeated as in the best tables known. It comes to its end in fields of up to a dozen, so there
the answer is sure. In larger ones it gives up after so many steps, but often has found some.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.scheduling.swiss.history import Entry

STEPS = 40_000


def fewest_repeats(
    entries: Sequence[Entry], sizes: Sequence[int], *, below: int
) -> list[list[int]] | None:
    """Return tables of ranks with the fewest repeated meetings; None if that is not below."""
    search = _Search(entries, below)
    search.open_table(list(range(len(entries))), list(sizes), 0)
    return search.best


class _Search:
    """The tables filled so far, and the best that were ever full."""

    def __init__(self, entries: Sequence[Entry], below: int) -> None:
        self.best: list[list[int]] | None = None
        self._below = below
        self._steps = STEPS
        self._met = [[one.met[other.entrant] for other in entries] for one in entries]
        self._tables: list[list[int]] = []

    def open_table(self, waiting: list[int], sizes: list[int], repeats: int) -> None:
        """Fill what is left; the first who waits gets a table of each size that is left."""
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
        self, waiting: list[int], start: int, chairs: int, sizes: list[int], repeats: int
    ) -> None:
        """Give the chairs that are left at the last table to those who wait from `start` on."""
        if not chairs:
            self.open_table(waiting, sizes, repeats)
            return
        table = self._tables[-1]
        for at in range(start, len(waiting) - chairs + 1):
            one = waiting[at]
            again = repeats + sum(self._met[one][other] for other in table)
            if again >= self._below or self._steps == 0:
                continue
            self._steps -= 1
            table.append(one)
            self._fill_table(waiting[:at] + waiting[at + 1 :], at, chairs - 1, sizes, again)
            table.pop()
