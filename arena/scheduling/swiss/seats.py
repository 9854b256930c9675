"""Assign the seats of a table.

A pairing plays every deal in all rotations, so its seating only decides which rotation comes first.
Even so, no entrant starts in one seat much more often than in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from operator import getitem

from arena.indices import EntrantIndex, Seat
from arena.scheduling.swiss.history import Entry


def seat_penalty(entry: Entry, seat: Seat) -> int:
    """Return the penalty of a seat that an entrant had often, last time, or twice running.

    The third time running is worse than any usual imbalance.
    """
    last, last_but_one = [None, None, *entry.seats][:-3:-1]
    running = (last == seat) + 6 * (last == last_but_one == seat)
    return 2 * entry.seats.count(seat) + running


def seating(table: Sequence[Entry], *, first: Seat) -> tuple[EntrantIndex, ...]:
    """Return the entrants of a table, listed by rank, in the order of their seats.

    The sum of penalties is least; among such orders, higher ranks get smaller penalties. Where all
    penalties are equal, entrants sit by rank, from the seat `first` on.
    """
    size = len(table)
    penalties = [[seat_penalty(entry, Seat(seat)) for seat in range(size)] for entry in table]
    base = 1 + max(map(max, penalties))
    weighed = [
        [value * (base**size + base ** (size - 1 - rank)) for value in row]
        for rank, row in enumerate(penalties)
    ]
    from_first = [(first + seat) % size for seat in range(size)]
    best = min(permutations(from_first), key=lambda seats: sum(map(getitem, weighed, seats)))
    by_seat = dict(zip(best, table, strict=True))
    return tuple(by_seat[seat].entrant for seat in range(size))
