"""Entrants of one group never meet, and all play equally often nevertheless."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.scheduling.groups import Groups
from arena.scheduling.pairing import Pairing
from arena.scheduling.round_robin import round_robin
from arena.scheduling.swiss import History, swiss_round
from arena.scheduling.table_sizes import table_sizes
from tests.scheduling.balance import balance_of
from tests.scheduling.swiss_events import rounds_of

SEED = seed_from(5)
SIZES = {2, 3, 4, 5, 6}


@st.composite
def fields(draw: st.DrawFn) -> tuple[int, int, list[int]]:
    """Draw a number of entrants, a number of seats, and groups that can be kept apart."""
    seats = draw(st.integers(2, 6))
    entrants = draw(st.integers(2 * seats, 20))
    tables = len(table_sizes(entrants, wanted=seats, allowed=SIZES))
    groups: list[int] = []
    while len(groups) < entrants:
        groups += [len(groups)] * draw(st.integers(1, tables))
    return entrants, seats, draw(st.permutations(groups[:entrants]))


def has_conflict(pairings: Iterable[Pairing], groups: Groups) -> bool:
    """Return whether two entrants of a group meet."""
    return any(
        groups[one] == groups[other]
        for pairing in pairings
        for one, other in combinations(pairing.seating, 2)
    )


@settings(max_examples=12)
@given(fields(), st.integers(1, 12))
def test_a_round_robin_keeps_groups_apart_and_seats_all_equally_often(
    field: tuple[int, int, list[int]], rounds: int
) -> None:
    entrants, seats, groups = field
    sizes = table_sizes(entrants, wanted=seats, allowed=SIZES)
    pairings = list(
        round_robin(
            entrants,
            seats=seats,
            allowed=SIZES,
            seed=SEED,
            limit=rounds * len(sizes),
            groups=groups,
        )
    )
    assert not has_conflict(pairings, groups)
    assert [len(pairing.seating) for pairing in pairings] == [*sizes] * rounds
    for number in range(1, rounds + 1):
        seated = [one for pairing in pairings if pairing.round == number for one in pairing.seating]
        assert len(set(seated)) == len(seated)
    assert balance_of(pairings, entrants).matches.spread <= 1


def test_in_a_round_robin_entrants_of_other_groups_meet_about_equally_often() -> None:
    groups = [0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7]
    pairings = list(round_robin(12, seats=4, allowed={4}, seed=SEED, groups=groups))
    met = Counter(pair for p in pairings for pair in combinations(sorted(map(int, p.seating)), 2))
    possible = [pair for pair in combinations(range(12), 2) if groups[pair[0]] != groups[pair[1]]]
    times = [met[pair] for pair in possible]
    assert max(times) - min(times) <= 2
    assert min(times) >= 2


def test_groups_of_one_change_nothing() -> None:
    plain = list(round_robin(9, seats=4, allowed=SIZES, seed=SEED))
    assert plain == list(round_robin(9, seats=4, allowed=SIZES, seed=SEED, groups=range(9)))


@settings(max_examples=12)
@given(fields(), st.integers(0, 10**6), st.sampled_from([0.0, 0.1]))
def test_swiss_rounds_keep_groups_apart_even_if_entrants_withdraw(
    field: tuple[int, int, list[int]], seed: int, leaving: float
) -> None:
    entrants, seats, groups = field
    rounds = rounds_of(entrants, seats, 5, seed=seed, allowed=SIZES, leaving=leaving, groups=groups)
    for history, (pairings, byes) in rounds:
        assert not has_conflict(pairings, groups)
        seated = [one for pairing in pairings for one in pairing.seating]
        left = set(range(entrants)) - history.withdrawn
        assert sorted([*seated, *(bye.entrant for bye in byes)]) == sorted(left)


def test_a_large_swiss_field_at_tables_of_two_keeps_groups_apart() -> None:
    groups = [entrant // 35 for entrant in range(70)]
    for _, (pairings, byes) in rounds_of(70, 2, 2, seed=1, allowed={2}, groups=groups):
        assert not has_conflict(pairings, groups)
        assert not byes


def test_a_group_that_is_larger_than_the_number_of_tables_is_refused() -> None:
    groups = [0, 0, 0, 1, 2, 3, 4, 5]
    refused = pytest.raises(BadInput, match="3 entrants cannot be kept apart at 2 tables")
    with refused:
        round_robin(8, seats=4, allowed={4}, seed=SEED, groups=groups)
    with refused:
        swiss_round(History(), entrants=8, seats=4, allowed_sizes={4}, seed=SEED, groups=groups)
