"""Who gets which seat of a table?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from operator import getitem

from arena.scheduling.swiss.history import Entry


def seating(table: Sequence[Entry], *, first: int) -> tuple[int, ...]:
    """Return the entrants of a table, listed by rank, in the order of their seats.

    Seats that they had less often are better, then others than the last one; where wishes are
    equal, the higher rank has its own. Who has no wishes sits by rank from the seat `first` on.
    A pairing is played in all rotations anyway, so this only decides with which one it begins.
    """
    size = len(table)
    dislikes = [
        [2 * entry.seats.count(seat) + (entry.seats[-1:] == [seat]) for seat in range(size)]
        for entry in table
    ]
    base = 1 + max(map(max, dislikes))
    weighed = [
        [dislike * (base**size + base ** (size - 1 - rank)) for dislike in row]
        for rank, row in enumerate(dislikes)
    ]
    from_first = [(first + seat) % size for seat in range(size)]
    best = min(permutations(from_first), key=lambda seats: sum(map(getitem, weighed, seats)))
    by_seat = sorted(zip(best, table, strict=True), key=lambda pair: pair[0])
    return tuple(entry.entrant for _, entry in by_seat)
