"""At the tables of a Swiss round equals meet, and no pair meets twice unnecessarily."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.randomness import seed_from
from arena.scheduling.swiss import History, Round, default_rounds, swiss_round
from tests.scheduling.swiss_events import by_lot, meetings, rounds_of, scores

SEED = seed_from(1)
Tables = list[list[int]]


def tables_of(next_round: Round) -> Tables:
    """Return the entrants at each table."""
    return [list(pairing.seating) for pairing in next_round.pairings]


def repeats(tables: Tables, history: History) -> int:
    """Count the earlier meetings of entrants at the same table."""
    met = meetings(history)
    return sum(met[frozenset(pair)] for table in tables for pair in combinations(table, 2))


def spread(tables: Tables, history: History) -> Fraction:
    """Add up the squared differences in score of entrants at the same table."""
    score = scores(history)
    pairs = [pair for table in tables for pair in combinations(table, 2)]
    return sum(((score[one] - score[other]) ** 2 for one, other in pairs), Fraction())


def all_tables(entrants: Sequence[int], sizes: Sequence[int]) -> Iterator[Tables]:
    """Yield every way to fill tables of these sizes."""
    if not entrants:
        yield []
        return
    first, *others = entrants
    for size in set(sizes):
        left = list(sizes)
        left.remove(size)
        for others_at_table in combinations(others, size - 1):
            rest = [entrant for entrant in others if entrant not in others_at_table]
            yield from ([[first, *others_at_table], *more] for more in all_tables(rest, left))


@given(entrants=st.integers(4, 9), seats=st.integers(2, 6), seed=st.integers(0, 10**6))
def test_no_other_tables_repeat_fewer_meetings(entrants: int, seats: int, seed: int) -> None:
    seats = min(seats, entrants)
    for history, next_round in rounds_of(entrants, seats, 5, seed=seed):
        tables = tables_of(next_round)
        seated = [entrant for table in tables for entrant in table]
        every = all_tables(seated, [len(table) for table in tables])
        assert repeats(tables, history) == min(repeats(other, history) for other in every)


@settings(max_examples=8)
@given(
    entrants=st.integers(10, 18),
    seats=st.integers(2, 5),
    seed=st.integers(0, 10**6),
    levels=st.sampled_from([1, 100]),
)
def test_no_swap_of_two_entrants_improves_the_tables(
    entrants: int, seats: int, seed: int, levels: int
) -> None:
    for history, next_round in rounds_of(entrants, seats, 4, seed=seed, levels=levels):
        tables = tables_of(next_round)
        for here, there in combinations(tables, 2):
            before = (repeats([here, there], history), spread([here, there], history))
            for one, other in product(here, there):
                after = [
                    [other, *(entrant for entrant in here if entrant != one)],
                    [one, *(entrant for entrant in there if entrant != other)],
                ]
                assert (repeats(after, history), spread(after, history)) >= before


@pytest.mark.parametrize(
    ("entrants", "seats", "tables"),
    [
        (8, 2, [[0, 4], [1, 5], [2, 6], [3, 7]]),
        (7, 2, [[0, 3], [1, 4], [2, 5]]),
        (8, 4, [[0, 2, 4, 6], [1, 3, 5, 7]]),
        (9, 3, [[0, 3, 6], [1, 4, 7], [2, 5, 8]]),
        (11, 4, [[0, 3, 6, 9], [1, 4, 7, 10], [2, 5, 8]]),
    ],
    ids=str,
)
def test_the_first_round_has_one_entrant_of_each_level_at_each_table(
    entrants: int, seats: int, tables: Tables
) -> None:
    order = by_lot(entrants, SEED)
    next_round = swiss_round(
        History(),
        entrants=entrants,
        seats=seats,
        allowed_sizes=range(2, 7),
        seed=SEED,
    )
    found = [sorted(map(order.index, pairing.seating)) for pairing in next_round.pairings]
    assert found == tables


@pytest.mark.parametrize(("entrants", "seats"), [(201, 2), (300, 4), (303, 4), (200, 6)])
def test_in_a_large_field_no_pair_meets_twice_and_scores_at_a_table_are_close(
    entrants: int, seats: int
) -> None:
    for history, next_round in rounds_of(entrants, seats, default_rounds(entrants, seats), seed=1):
        tables = tables_of(next_round)
        assert repeats(tables, history) == 0
        # On average, scores at a table differ by at most a quarter of a point.
        pairs = sum(len(table) * (len(table) - 1) // 2 for table in tables)
        assert spread(tables, history) <= Fraction(pairs, 16)
