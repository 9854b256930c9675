"""Round-robin schedules for tables of any size.

A schedule has as many whole cycles as fit, followed by rounds that are fair among themselves.

A cycle of n entrants has n - 1 rounds if all tables have one size and are full, otherwise n. It
gives all entrants the same number of byes and of seats at each size of table. Each pair meets once
per cycle at tables of two, and about K - 1 times at tables of K. If few tables are possible, a
cycle has each of them once, and all pairs meet equally often.

A schedule depends on the numbers alone; the seed only decides which entrant is which. So its
evenness is known in advance: README.md has the figures. To resume, skip what has been played.

If some entrants must not meet, all rounds are made by the method for parts of a cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, count, cycle, islice, permutations
from math import comb
from operator import itemgetter
from typing import NamedTuple

from arena.games.randomness import Seed, derive
from arena.indices import EntrantIndex
from arena.scheduling.circle import RoundTables, circle, cycle_length
from arena.scheduling.groups import Groups, check_groups
from arena.scheduling.pairing import Pairing, rotations
from arena.scheduling.partial import partial_cycle
from arena.scheduling.table_sizes import table_sizes

FEW_TABLES = 30
"""The most possible tables for a cycle to contain them all."""

Seatings = list[tuple[int, ...]]
"""The tables of a round, each with its entrants by seat."""


def round_robin(
    entrants: int,
    *,
    seats: int,
    allowed: Collection[int],
    seed: Seed,
    limit: int | None = None,
    groups: Groups = (),
) -> Iterator[Pairing]:
    """Plan pairings at tables of `seats`, or one more or less as `table_sizes` decides.

    `allowed` are the table sizes of the game. `limit` is a number of pairings; without it the
    schedule is one cycle. Entrants of one of the `groups` never meet.
    """
    sizes = table_sizes(entrants, wanted=seats, allowed=allowed)
    check_groups(groups, entrants=entrants, tables=len(sizes))
    if limit is None:
        limit = len(sizes) * rounds_in_cycle(entrants, sizes)
    rounds = -(-limit // len(sizes))
    return islice(_pairings(entrants, sizes, rounds, seed, groups), limit)


def rounds_in_cycle(entrants: int, sizes: Sequence[int]) -> int:
    """Return the number of rounds of a cycle with tables of these sizes."""
    if _has_few_tables(entrants, sizes):
        return comb(entrants, sizes[0]) // len(sizes)
    return cycle_length(entrants, sizes)


def limit_for(
    entrants: int,
    sizes: Sequence[int],
    *,
    rounds: int | None,
    matches: int | None,
    deals: int,
    sides: Callable[[int], tuple[int, ...]],
) -> int:
    """Return the number of pairings of a schedule with tables of these sizes in each round.

    It is limited by rounds or by matches; otherwise it is one cycle. A limit in matches gives the
    fewest pairings that reach it, with all deals and rotations counted. `sides` gives the game's
    sides for a number of seats.
    """
    if matches is None:
        return len(sizes) * (rounds or rounds_in_cycle(entrants, sizes))
    worth = [deals * len(rotations(sides(size))) for size in sizes]
    whole, left = divmod(matches, sum(worth))
    return whole * len(sizes) + sum(sum(worth[:n]) < left for n in range(len(sizes)))


def _pairings(
    entrants: int, sizes: Sequence[int], rounds: int, seed: Seed, groups: Groups
) -> Iterator[Pairing]:
    field = [EntrantIndex(entrant) for entrant in range(entrants)]
    field.sort(key=lambda entrant: derive(seed, f"entrant {entrant}"))
    numbers = count()
    by_position = [groups[entrant] for entrant in field] if groups else ()
    ordered = order_rounds(_rounds(entrants, sizes, rounds, by_position), entrants)
    for number, seatings in enumerate(ordered, start=1):
        for seating in seatings:
            yield Pairing(number, next(numbers), tuple(field[position] for position in seating))


def _rounds(
    entrants: int, sizes: Sequence[int], rounds: int, groups: Groups
) -> Iterator[RoundTables]:
    if len(set(groups)) < len(groups):
        yield from partial_cycle(entrants, sizes, rounds=rounds, groups=groups)
        return
    cycles: Iterator[RoundTables] = circle(entrants, sizes)
    if _has_few_tables(entrants, sizes):
        cycles = cycle(_all_tables(entrants, sizes[0]))
    rest = rounds % rounds_in_cycle(entrants, sizes)
    # At tables of two no pair meets twice in part of a cycle: a search cannot do better.
    if set(sizes) == {2}:
        rest = 0
    before = []
    for tables in islice(cycles, rounds - rest):
        before.append(tables)
        yield tables
    if rest:
        yield from partial_cycle(entrants, sizes, rounds=rest, before=before)


def _has_few_tables(entrants: int, sizes: Sequence[int]) -> bool:
    seats = sizes[0]
    # With one entrant left over, or none, the circle gives the same tables.
    return (
        set(sizes) == {seats}
        and seats + 1 < entrants <= 2 * seats
        and comb(entrants, seats) <= FEW_TABLES
    )


def _all_tables(entrants: int, seats: int) -> list[RoundTables]:
    """List every possible table once, for a field of at most two tables.

    A round has one table, or two that contain the whole field. Entrants who have met least so far
    come next.
    """
    tables = [list(table) for table in combinations(range(entrants), seats)]
    waiting: list[RoundTables] = [[table] for table in tables]
    if entrants == 2 * seats:
        # Tables with entrant 0 come first; each one's complement is at the mirrored position.
        half = len(tables) // 2
        waiting = [list(pair) for pair in zip(tables[:half], reversed(tables), strict=False)]
    meetings = [[0] * entrants for _ in range(entrants)]
    played = []
    while waiting:
        chosen = min(waiting, key=lambda tables: _meetings_so_far(tables, meetings))
        waiting.remove(chosen)
        played.append(chosen)
        for table in chosen:
            for one, other in combinations(table, 2):
                meetings[one][other] += 1
    return played


def _meetings_so_far(tables: RoundTables, meetings: list[list[int]]) -> int:
    return sum(meetings[one][other] for table in tables for one, other in combinations(table, 2))


class _Order(NamedTuple):
    """One way to sit round a table."""

    positions: tuple[int, ...]
    counts: Callable[[list[int]], Iterable[int]]
    """Picks the pairs of this order from the counts of all ordered pairs at the table."""


def order_rounds(rounds: Iterable[RoundTables], entrants: int) -> Iterator[Seatings]:
    """Yield the rounds with the entrants of each table in the order of their seats.

    Rotations bring every entrant to every seat but do not change who sits behind whom. So for each
    table the order is chosen whose neighbours have been neighbours least often. The same holds for
    entrants who sit opposite each other, where team games seat partners.
    """
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
