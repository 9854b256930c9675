"""Choose the order of the entrants round each table.

Rotations bring every entrant to every seat but do not change who sits behind whom. So for each
table the order is chosen whose neighbours have been neighbours least often. The same holds for
entrants who sit opposite each other, where team games seat partners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import permutations
from operator import itemgetter
from typing import NamedTuple

from arena.scheduling.circle import RoundTables

Seatings = list[tuple[int, ...]]
"""The tables of a round, each with its entrants by seat."""


class _Order(NamedTuple):
    """One way to sit round a table."""

    positions: tuple[int, ...]
    counts: Callable[[list[int]], Iterable[int]]
    """Picks the pairs of this order from the counts of all ordered pairs at the table."""


def order_rounds(rounds: Iterable[RoundTables], entrants: int) -> Iterator[Seatings]:
    """Yield the rounds with the entrants of each table in the order of their seats."""
    behind = [[0] * entrants for _ in range(entrants)]
    across = [[0] * entrants for _ in range(entrants)]

    def order_table(table: list[int]) -> tuple[int, ...]:
        counts = [row[other] for row in map(behind.__getitem__, table) for other in table]
        counts += [row[other] for row in map(across.__getitem__, table) for other in table]
        best = min(_orders(len(table)), key=lambda order: sum(order.counts(counts)))
        seating = tuple(table[position] for position in best.positions)
        half, odd = divmod(len(table), 2)
        for seat, one in enumerate(seating):
            behind[one][seating[seat - 1]] += 1
            across[one][seating[seat - half]] += 1 - odd
        return seating

    for tables in rounds:
        yield [order_table(table) for table in tables]


@cache
def _orders(size: int) -> list[_Order]:
    orders = []
    for rest in permutations(range(1, size)):
        positions = (0, *rest)
        pairs = [positions[seat] * size + positions[seat - 1] for seat in range(size)]
        if size % 2 == 0:
            half = size // 2
            pairs += [
                size * size + positions[seat] * size + positions[seat - half]
                for seat in range(half)
            ]
        orders.append(_Order(positions, itemgetter(*pairs)))
    return orders
