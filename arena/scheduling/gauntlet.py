"""A gauntlet: challengers meet the others, and no table is without a challenger.

Each table has one challenger, and others in the remaining seats. Challengers never meet. In a lap
every challenger sits at one table; if there are too few others for all challengers at once, a lap
has several rounds and challengers rest in turn.

The others stand on a circle. From lap to lap a challenger goes on to the next ones, as many as it
meets at a table, and so round and round. So at the end of any lap it has met any two others equally
often, or one of them once more. After as many laps as there are others, it has met each of them
once in every seat that it can have beside the challenger: as its next neighbour, as its partner,
and so on. That is a turn, and the next one begins with another circle.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from math import gcd

from arena.errors import BadInput
from arena.games.randomness import Seed, derive
from arena.indices import EntrantIndex
from arena.scheduling.pairing import Pairing


def gauntlet(challengers: int, others: int, *, seats: int, seed: Seed) -> Iterator[Pairing]:
    """Return pairings without end; challengers have the first indices, the others follow."""
    check_gauntlet(challengers, others, seats=seats)
    return _pairings(challengers, others, seats, seed)


def check_gauntlet(challengers: int, others: int, *, seats: int) -> None:
    """Raise an error unless a challenger and others fill a table."""
    if challengers < 1:
        raise BadInput("a gauntlet needs a challenger")
    if seats < 2 or others < seats - 1:
        raise BadInput(f"{others} others are too few for a challenger's table of {seats}")


def pairings_in_turn(challengers: int, others: int) -> int:
    """Return the number of pairings after which all is even."""
    return challengers * others


def rounds_for_pairings(pairings: int, challengers: int, others: int, *, seats: int) -> int:
    """Return the number of rounds that this many pairings begin."""
    sizes = tables_by_round(challengers, others, seats=seats)
    laps, rest = divmod(pairings, challengers)
    return laps * len(sizes) + sum(sum(sizes[:n]) < rest for n in range(len(sizes)))


def tables_by_round(challengers: int, others: int, *, seats: int) -> list[int]:
    """Return the number of tables in each round of a lap."""
    check_gauntlet(challengers, others, seats=seats)
    rounds = -(-challengers // (others // (seats - 1)))
    return [len(range(first, challengers, rounds)) for first in range(rounds)]


def _pairings(challengers: int, others: int, seats: int, seed: Seed) -> Iterator[Pairing]:
    rounds = len(tables_by_round(challengers, others, seats=seats))
    order = _shuffle(range(challengers), derive(seed, "challengers"))
    groups = [order[first::rounds] for first in range(rounds)]
    opponents = seats - 1
    # A lap moves on by as many as sit at a table. That visits only some of the starting points
    # before it comes back to the first one, so then the start moves on by one.
    laps_in_round_trip = others // gcd(others, opponents)
    numbers, round_numbers = count(), count(1)
    for turn in count():
        field = range(challengers, challengers + others)
        circle = _shuffle(field, derive(seed, f"turn {turn}"))
        for lap in range(others):
            start = lap * opponents + lap // laps_in_round_trip
            for group in groups:
                number = next(round_numbers)
                for table, challenger in enumerate(group):
                    first = start + table * opponents
                    met = [circle[(first + seat) % others] for seat in range(opponents)]
                    yield Pairing(number, next(numbers), (challenger, *met))


def _shuffle(entrants: range, seed: Seed) -> list[EntrantIndex]:
    return sorted(map(EntrantIndex, entrants), key=lambda entrant: derive(seed, f"{entrant}"))
