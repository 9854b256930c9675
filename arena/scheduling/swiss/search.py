"""Search for tables with fewer repeated meetings.

Try all ways to fill the tables, seat by seat, and backtrack when as many meetings are repeated as
in the best tables known. In fields of up to a dozen the search is exhaustive, so the answer is
certain. In larger fields it stops after `STEPS` steps, but often finds an improvement.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.scheduling.swiss.history import Entry

STEPS = 40_000


def fewest_repeats(
    entries: Sequence[Entry], sizes: Sequence[int], *, below: int
) -> list[list[int]] | None:
    """Return tables of ranks with fewer than `below` repeated meetings; None if none is found."""
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
