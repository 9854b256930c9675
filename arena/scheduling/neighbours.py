"""In which order do those who meet sit round the table?

Rotations bring everybody to every seat, but never change who sits behind whom. So each table takes
the order in which neighbours have been neighbours least often, and those who sit across the table,
where team games seat partners, as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations
from operator import itemgetter
from typing import NamedTuple

from arena.scheduling.circle import Round

Seatings = list[tuple[int, ...]]
"""The tables of a round, each with its entrants by seat."""


class _Order(NamedTuple):
    """One way to sit round a table."""

    places: tuple[int, ...]
    counts: Callable[[list[int]], Iterable[int]]
    """Picks, from counts of all ordered pairs at the table, those that this order adds to."""


def in_order(rounds: Iterable[Round], entrants: int) -> Iterator[Seatings]:
    """Yield the rounds with the entrants of each table in the order of their seats."""
    behind = [[0] * entrants for _ in range(entrants)]
    across = [[0] * entrants for _ in range(entrants)]

    def seated(table: list[int]) -> tuple[int, ...]:
        counts = [row[other] for row in map(behind.__getitem__, table) for other in table]
        counts += [row[other] for row in map(across.__getitem__, table) for other in table]
        best = min(_orders(len(table)), key=lambda order: sum(order.counts(counts)))
        seating = tuple(table[place] for place in best.places)
        half, odd = divmod(len(table), 2)
        for seat, one in enumerate(seating):
            behind[one][seating[seat - 1]] += 1
            across[one][seating[seat - half]] += 1 - odd
        return seating

    for tables in rounds:
        yield [seated(table) for table in tables]


@cache
def _orders(size: int) -> list[_Order]:
    orders = []
    for rest in permutations(range(1, size)):
        places = (0, *rest)
        pairs = [places[seat] * size + places[seat - 1] for seat in range(size)]
        if size % 2 == 0:
            half = size // 2
            pairs += [
                size * size + places[seat] * size + places[seat - half] for seat in range(half)
            ]
        orders.append(_Order(places, itemgetter(*pairs)))
    return orders
