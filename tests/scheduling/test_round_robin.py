"""In a round-robin, all entrants play and meet equally often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from arena import scheduling
from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.scheduling.pairing import Pairing
from arena.scheduling.round_robin import limit_for, round_robin, rounds_in_cycle
from arena.scheduling.table_sizes import table_sizes
from tests.builders.planned import matches_of
from tests.scheduling.balance import balance_of
from tests.scheduling.evenness import FIELDS, PARTS, row

README = Path(scheduling.__file__).with_name("README.md").read_text(encoding="utf-8")
ALLOWED = [{2, 3, 4, 5, 6}, {3, 4, 5, 6}, {3, 4, 5}, {4, 6}, {3}, {4}, {5}, {6}]
"""Sets of one size are those of events whose organiser asked for it."""
SEED = seed_from(5)

"""Settings of property tests: no deadline, as the machine may be busy."""


@st.composite
def fields(draw: st.DrawFn) -> tuple[int, int, set[int]]:
    """Draw a number of entrants, a number of seats, and the allowed sizes."""
    allowed = draw(st.sampled_from(ALLOWED))
    seats = draw(st.sampled_from(sorted(allowed)))
    return draw(st.integers(seats, 14)), seats, allowed


def plan_rounds(field: tuple[int, int, set[int]], rounds: int | None = None) -> list[Pairing]:
    """Plan this many rounds, or the whole schedule."""
    entrants, seats, allowed = field
    tables = len(table_sizes(entrants, wanted=seats, allowed=allowed))
    limit = None if rounds is None else rounds * tables
    return list(round_robin(entrants, seats=seats, allowed=allowed, seed=SEED, limit=limit))


@given(fields(), st.integers(1, 30))
def test_a_round_seats_as_many_entrants_as_its_tables_hold(
    field: tuple[int, int, set[int]], rounds: int
) -> None:
    entrants, seats, allowed = field
    sizes = table_sizes(entrants, wanted=seats, allowed=allowed)
    pairings = plan_rounds(field, rounds)
    assert [pairing.number for pairing in pairings] == [*range(rounds * len(sizes))]
    assert [pairing.round for pairing in pairings] == [
        number for number in range(1, rounds + 1) for _ in sizes
    ]
    assert [len(pairing.seating) for pairing in pairings] == [*sizes] * rounds
    for number in range(1, rounds + 1):
        seated = [one for pairing in pairings if pairing.round == number for one in pairing.seating]
        assert len(set(seated)) == sum(sizes)
        assert set(seated) <= set(range(entrants))


@given(fields(), st.integers(1, 30))
def test_after_any_round_byes_and_tables_of_each_size_differ_by_at_most_one(
    field: tuple[int, int, set[int]], rounds: int
) -> None:
    pairings = plan_rounds(field, rounds)
    assert balance_of(pairings, field[0]).matches.spread <= 1
    assert balance_of(pairings, field[0]).meetings.spread <= 5
    for size in {len(pairing.seating) for pairing in pairings}:
        tables = [pairing for pairing in pairings if len(pairing.seating) == size]
        assert balance_of(tables, field[0]).matches.spread <= 1


def test_meetings_that_are_even_after_some_cycles_stay_even_after_many() -> None:
    field = (5, 3, {2, 3, 4, 5, 6})
    assert balance_of(plan_rounds(field, 10), 5).meetings.spread == 0
    assert balance_of(plan_rounds(field, 100), 5).meetings.spread == 0


@given(fields(), st.integers(1, 2))
def test_whole_cycles_treat_all_entrants_alike(
    field: tuple[int, int, set[int]], cycles: int
) -> None:
    entrants, seats, allowed = field
    rounds = rounds_in_cycle(entrants, table_sizes(entrants, wanted=seats, allowed=allowed))
    pairings = plan_rounds(field, cycles * rounds)
    assert balance_of(pairings, entrants).meetings.spread <= (2 if seats > 2 else 0)
    assert balance_of(pairings, entrants).behind.spread <= 4
    matches = [
        match
        for pairing in pairings
        for match in matches_of(pairing, deals=1, sides=tuple(range(len(pairing.seating))), first=0)
    ]
    assert balance_of(matches, entrants).matches.spread == 0
    assert balance_of(matches, entrants).seats.spread == 0


@given(st.integers(2, 40))
def test_at_tables_of_two_each_pair_meets_once(entrants: int) -> None:
    pairings = plan_rounds((entrants, 2, {2, 3, 4}))
    pairs = Counter(frozenset(pairing.seating) for pairing in pairings)
    assert set(pairs) == set(map(frozenset, combinations(range(entrants), 2)))
    assert set(pairs.values()) == {1}
    assert pairings[-1].round == entrants - 1 + entrants % 2


@pytest.mark.parametrize(
    ("entrants", "seats", "allowed"),
    [(6, 3, {3, 4}), (6, 4, {4, 6}), (7, 5, {5}), (8, 6, {4, 6}), (5, 4, {4}), (7, 6, {6})],
)
def test_if_few_tables_are_possible_each_occurs_once(
    entrants: int, seats: int, allowed: set[int]
) -> None:
    pairings = plan_rounds((entrants, seats, allowed))
    assert len({frozenset(pairing.seating) for pairing in pairings}) == len(pairings)
    assert len(pairings) == comb(entrants, seats)


def test_six_rounds_of_four_seat_all_pairs_in_sequence_and_opposite_twice() -> None:
    found = balance_of(plan_rounds((4, 4, {4}), 6), 4)
    assert found.behind == (2, 2)
    assert found.across == (2, 2)


def test_in_a_large_field_no_pair_meets_twice_in_ten_rounds() -> None:
    pairings = plan_rounds((300, 6, {5, 6}), 10)
    assert balance_of(pairings, 300).meetings.most == 1


@given(fields(), st.integers(0, 40))
def test_a_schedule_is_determined_by_its_arguments(
    field: tuple[int, int, set[int]], limit: int
) -> None:
    entrants, seats, allowed = field

    def plan(seed: int) -> list[Pairing]:
        seed_bytes = seed_from(seed)
        return list(
            round_robin(entrants, seats=seats, allowed=allowed, seed=seed_bytes, limit=limit)
        )

    assert plan(1) == plan(1)
    assert len(plan(1)) == limit
    renamed = {
        (one, other)
        for pairing, same in zip(plan(1), plan(2), strict=True)
        for one, other in zip(pairing.seating, same.seating, strict=True)
    }
    assert len({one for one, _ in renamed}) == len({other for _, other in renamed}) == len(renamed)


def test_the_seed_shuffles_the_entrants() -> None:
    firsts = {
        next(round_robin(12, seats=4, allowed={4}, seed=seed_from(seed))).seating
        for seed in range(20)
    }
    assert len(firsts) > 10


@given(fields(), st.integers(1, 200), st.integers(1, 3))
def test_the_limit_is_the_fewest_pairings_that_reach_the_number_of_matches(
    field: tuple[int, int, set[int]], matches: int, deals: int
) -> None:
    entrants, seats, allowed = field
    assume(entrants <= 8)
    sizes = table_sizes(entrants, wanted=seats, allowed=allowed)

    def sides(count: int) -> tuple[int, ...]:
        return tuple(range(count))

    limit = limit_for(entrants, sizes, rounds=None, matches=matches, deals=deals, sides=sides)
    pairings = list(round_robin(entrants, seats=seats, allowed=allowed, seed=SEED, limit=limit))
    lengths = [
        len(list(matches_of(pairing, deals=deals, sides=sides(len(pairing.seating)), first=0)))
        for pairing in pairings
    ]
    assert sum(lengths[:-1]) < matches <= sum(lengths)


@pytest.mark.parametrize(
    ("rounds", "matches", "expected"),
    [(None, None, 18), (3, None, 6), (None, 18, 4), (None, 19, 5)],
)
def test_a_schedule_is_one_cycle_or_limited_by_rounds_or_by_matches(
    rounds: int | None, matches: int | None, expected: int
) -> None:
    def sides(count: int) -> tuple[int, ...]:
        return tuple(range(count))

    limit = limit_for(9, (5, 4), rounds=rounds, matches=matches, deals=1, sides=sides)
    assert limit == expected


def test_too_few_entrants_are_refused_at_once() -> None:
    with pytest.raises(BadInput, match="2 entrants are too few for tables of 4"):
        round_robin(2, seats=4, allowed={3, 4}, seed=SEED)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "entrants", [pytest.param(n, marks=[pytest.mark.slow] * (n > 32)) for n in FIELDS]
)
def test_schedules_are_as_even_as_the_readme_says(entrants: int, part: str) -> None:
    assert row(entrants, PARTS[part]) in README.partition(f"| {part} |")[2].partition("\n\n")[0]
