"""Who gets which seat of a table?

A pairing plays every deal in all rotations, so its seating only decides with which of them it
begins. Even so, nobody begins in one seat much more often than in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from operator import getitem

from arena.scheduling.swiss.history import Entry


def dislike(entry: Entry, seat: int) -> int:
    """Tell how little an entrant would like a seat that it had often, last time, or twice running.

    The third time running is worse than any imbalance that is small enough to be usual.
    """
    last, last_but_one = [None, None, *entry.seats][:-3:-1]
    running = (last == seat) + 6 * (last == last_but_one == seat)
    return 2 * entry.seats.count(seat) + running


def seating(table: Sequence[Entry], *, first: int) -> tuple[int, ...]:
    """Return the entrants of a table, listed by rank, in the order of their seats.

    Together they dislike their seats least; of two such orders, the higher rank likes its seat
    better. Who likes all seats alike sits by rank, from the seat `first` on.
    """
    size = len(table)
    dislikes = [[dislike(entry, seat) for seat in range(size)] for entry in table]
    base = 1 + max(map(max, dislikes))
    weighed = [
        [value * (base**size + base ** (size - 1 - rank)) for value in row]
        for rank, row in enumerate(dislikes)
    ]
    from_first = [(first + seat) % size for seat in range(size)]
    best = min(permutations(from_first), key=lambda seats: sum(map(getitem, weighed, seats)))
    by_seat = dict(zip(best, table, strict=True))
    return tuple(by_seat[seat].entrant for seat in range(size))
