"""In a gauntlet every challenger meets every other bot equally often, and in every seat."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.scheduling.gauntlet import (
    gauntlet,
    pairings_in_turn,
    rounds_for_pairings,
    tables_by_round,
)
from arena.scheduling.pairing import Pairing

SEED = seed_from(5)
"""Settings of property tests: no deadline, as the machine may be busy."""

Field = tuple[int, int, int]
"""Numbers of challengers, of others, and of seats."""


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """Draw a gauntlet that is possible."""
    seats = draw(st.integers(2, 6))
    return draw(st.integers(1, 7)), draw(st.integers(seats - 1, 12)), seats


def plan(field: Field, pairings: int, seed: int = 5) -> list[Pairing]:
    """Return the first pairings of a gauntlet."""
    challengers, others, seats = field
    return list(islice(gauntlet(challengers, others, seats=seats, seed=seed_from(seed)), pairings))


@given(fields(), st.integers(1, 60))
def test_every_table_has_one_challenger_and_nobody_sits_twice_in_a_round(
    field: Field, pairings: int
) -> None:
    challengers, others, seats = field
    by_round: dict[int, list[int]] = {}
    for number, pairing in enumerate(plan(field, pairings)):
        assert pairing.number == number
        assert len(pairing.seating) == seats
        assert pairing.seating[0] < challengers
        assert all(challengers <= other < challengers + others for other in pairing.seating[1:])
        by_round.setdefault(pairing.round, []).extend(pairing.seating)
    assert list(by_round) == [*range(1, len(by_round) + 1)]
    assert all(len(set(seated)) == len(seated) for seated in by_round.values())


@given(fields(), st.integers(1, 30))
def test_after_any_lap_a_challenger_has_met_two_others_equally_often_or_one_of_them_once_more(
    field: Field, laps: int
) -> None:
    challengers, others, _ = field
    met: Counter[tuple[int, int]] = Counter(
        (pairing.seating[0], other)
        for pairing in plan(field, laps * challengers)
        for other in pairing.seating[1:]
    )
    for challenger in range(challengers):
        times = [met[challenger, other] for other in range(challengers, challengers + others)]
        assert max(times) - min(times) <= 1


@given(fields(), st.integers(1, 3))
def test_after_a_turn_a_challenger_has_met_each_other_once_in_every_seat_beside_it(
    field: Field, turns: int
) -> None:
    challengers, others, seats = field
    beside = Counter(
        (pairing.seating[0], other, seat)
        for pairing in plan(field, turns * pairings_in_turn(challengers, others))
        for seat, other in enumerate(pairing.seating[1:], start=1)
    )
    assert len(beside) == challengers * others * (seats - 1)
    assert set(beside.values()) == {turns}


@given(fields(), st.integers(1, 60))
def test_rounds_are_counted_as_they_are_planned(field: Field, pairings: int) -> None:
    challengers, others, seats = field
    planned = plan(field, pairings)
    rounds = rounds_for_pairings(pairings, challengers, others, seats=seats)
    assert planned[-1].round == rounds


def test_challengers_rest_in_turn_if_the_others_are_too_few() -> None:
    assert tables_by_round(5, 6, seats=4) == [2, 2, 1]
    assert tables_by_round(2, 6, seats=4) == [2]


def test_the_seed_shuffles_the_others() -> None:
    field = (2, 9, 4)
    assert plan(field, 9) == plan(field, 9)
    assert len({plan(field, 1, seed)[0].seating for seed in range(20)}) > 10


@pytest.mark.parametrize(("challengers", "others"), [(1, 2), (0, 3)])
def test_a_gauntlet_that_fills_no_table_is_refused_at_once(challengers: int, others: int) -> None:
    with pytest.raises(BadInput):
        gauntlet(challengers, others, seats=4, seed=SEED)
