"""Who plays whom, if everybody is to play everybody?

A schedule is whole cycles, as many as fit, and then rounds that are fair among themselves.

A cycle of n entrants is n - 1 rounds where all sit at tables of one size, and n rounds elsewhere.
It gives all the same number of byes and of places at each size of table. Each pair meets once in it
at tables of two, and about K - 1 times at tables of K. Where there are few possible tables, a cycle
is each of them once, and all pairs meet equally often.

A schedule follows from the numbers, and the seed only tells who is who, so how even it is can be
said beforehand: README.md has the figures. To go on in the middle, skip what has been played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import count, cycle, islice
from math import comb

from arena.games.randomness import Seed, derive
from arena.scheduling.circle import Round, circle, cycle_length
from arena.scheduling.complete import all_tables
from arena.scheduling.neighbours import in_order
from arena.scheduling.pairing import Pairing, rotations
from arena.scheduling.partial import partial_cycle
from arena.scheduling.seating import table_sizes

FEW_TABLES = 30
"""Up to how many possible tables a cycle has them all."""


def round_robin(
    entrants: int, *, seats: int, allowed: Collection[int], seed: Seed, limit: int | None = None
) -> Iterator[Pairing]:
    """Plan pairings at tables of so many seats, or of one more or less as `table_sizes` says.

    `allowed` are the numbers of seats that the game has. `limit` is a number of pairings; without
    it the schedule is one cycle.
    """
    sizes = table_sizes(entrants, wanted=seats, allowed=allowed)
    if limit is None:
        limit = len(sizes) * rounds_in_cycle(entrants, sizes)
    rounds = -(-limit // len(sizes))
    return islice(_pairings(entrants, sizes, rounds, seed), limit)


def rounds_in_cycle(entrants: int, sizes: Sequence[int]) -> int:
    """Return how many rounds with tables of these sizes a cycle has."""
    if _few_tables(entrants, sizes):
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
    """Return how many pairings a schedule has, with tables of these sizes in each round.

    It is limited by its rounds or by its matches; otherwise it is one cycle. Pairings are whole:
    they are the fewest that come to at least that many matches, all deals and rotations counted.
    `sides` tells the game's sides for a number of seats.
    """
    if matches is None:
        return len(sizes) * (rounds or rounds_in_cycle(entrants, sizes))
    worth = [deals * len(rotations(sides(size))) for size in sizes]
    whole, left = divmod(matches, sum(worth))
    return whole * len(sizes) + sum(sum(worth[:n]) < left for n in range(len(sizes)))


def _pairings(entrants: int, sizes: Sequence[int], rounds: int, seed: Seed) -> Iterator[Pairing]:
    field = sorted(range(entrants), key=lambda entrant: derive(seed, f"entrant {entrant}"))
    numbers = count()
    seated = in_order(_rounds(entrants, sizes, rounds), entrants)
    for number, seatings in enumerate(seated, start=1):
        for seating in seatings:
            yield Pairing(number, next(numbers), tuple(field[place] for place in seating))


def _rounds(entrants: int, sizes: Sequence[int], rounds: int) -> Iterator[Round]:
    cycles: Iterator[Round] = circle(entrants, sizes)
    if _few_tables(entrants, sizes):
        cycles = cycle(all_tables(entrants, sizes[0]))
    rest = rounds % rounds_in_cycle(entrants, sizes)
    # At tables of two no pair meets twice in a part of a cycle: no search does better.
    if set(sizes) == {2}:
        rest = 0
    before = []
    for tables in islice(cycles, rounds - rest):
        before.append(tables)
        yield tables
    if rest:
        yield from partial_cycle(entrants, sizes, rounds=rest, before=before)


def _few_tables(entrants: int, sizes: Sequence[int]) -> bool:
    seats = sizes[0]
    # With one entrant too many, or none, the circle comes to the same tables.
    return (
        set(sizes) == {seats}
        and seats + 1 < entrants <= 2 * seats
        and comb(entrants, seats) <= FEW_TABLES
    )
