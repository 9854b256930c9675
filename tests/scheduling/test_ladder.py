"""Ladders seat together those whose order is in doubt, and new entrants first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.indices import EntrantIndex
from arena.scheduling.ladder import NEW_TABLES, Draws, ladder_round
from arena.scheduling.swiss.rounds import Round
from tests.indices import entrants_in


def plan(
    tables_sat: Mapping[EntrantIndex, int], draws: Draws, *, top: int = 0, seats: int = 4
) -> Round:
    """Plan the seventh round of a ladder at tables of three to six, or of two."""
    return ladder_round(
        tables_sat,
        draws,
        top=top,
        seats=seats,
        allowed_sizes={2} if seats == 2 else range(3, 7),
        rng=Random(5),
        number=7,
        first_pairing=30,
    )


def veterans(count: int) -> dict[EntrantIndex, int]:
    """Return entrants that are not new."""
    return dict.fromkeys(entrants_in(range(count)), NEW_TABLES)


def always(strengths: Sequence[float]) -> Draws:
    """Draw the same strengths every time: they are known exactly."""
    return repeat(dict(zip(entrants_in(range(len(strengths))), strengths, strict=True)))


def tables_of(planned: Round) -> list[set[int]]:
    """Return who sits together."""
    return [set(pairing.seating) for pairing in planned.pairings]


@given(
    sat=st.lists(st.integers(0, 9), min_size=1, max_size=40),
    top=st.integers(0, 40),
    seats=st.integers(2, 6),
    seed=st.integers(0, 99),
)
def test_everybody_has_one_seat_or_a_bye_and_new_entrants_have_no_bye(
    sat: list[int], top: int, seats: int, seed: int
) -> None:
    rng = Random(seed)
    tables_sat = dict(zip(entrants_in(range(len(sat))), sat, strict=True))
    draws = ({entrant: rng.gauss(0, 1) for entrant in tables_sat} for _ in repeat(None))
    planned = plan(tables_sat, draws, top=top, seats=seats)
    seated = [entrant for pairing in planned.pairings for entrant in pairing.seating]
    idle = [bye.entrant for bye in planned.byes]
    assert sorted([*seated, *idle]) == list(range(len(sat)))
    assert [pairing.number for pairing in planned.pairings] == [
        *range(30, 30 + len(planned.pairings))
    ]
    fresh = {entrant for entrant, count in tables_sat.items() if count < NEW_TABLES}
    if planned.pairings and fresh:
        # There may be more new entrants than seats; none of them gives way to an older one.
        assert not fresh.intersection(idle) or fresh.issuperset(seated)


def test_neighbours_by_strength_sit_together_if_the_order_matters() -> None:
    planned = plan(veterans(8), always([5, 1, 8, 2, 6, 3, 7, 4]))
    assert tables_of(planned) == [{2, 6, 4, 0}, {7, 5, 3, 1}]
    assert planned.byes == ()


@pytest.mark.parametrize(("top", "table"), [(1, {0, 1, 2, 3}), (4, {2, 3, 4, 5})])
def test_only_those_around_the_last_of_the_first_places_play_if_they_matter(
    top: int, table: set[int]
) -> None:
    planned = plan(veterans(8), always([30, 29, 28, 27, 26, 25, 24, 23]), top=top)
    assert tables_of(planned) == [table]
    assert {bye.entrant for bye in planned.byes} == set(range(8)) - table


def test_each_table_has_a_draw_of_its_own() -> None:
    one, other = [9.0 - bot for bot in range(16)], [float(bot) for bot in range(16)]
    field = entrants_in(range(16))
    draws = iter([dict(zip(field, drawn, strict=True)) for drawn in (one, other)])
    assert tables_of(plan(veterans(16), draws, top=1)) == [{0, 1, 2, 3}, {12, 13, 14, 15}]


def test_an_entrant_that_comes_in_is_seated_with_those_who_may_be_as_strong() -> None:
    tables_sat = {**veterans(8), EntrantIndex(8): 0}
    planned = plan(tables_sat, always([9, 8, 7, 6, 5, 4, 3, 2, 8.5]), top=1, seats=3)
    (table,) = [table for table in tables_of(planned) if 8 in table]
    assert table == {0, 8, 1}


def test_the_same_numbers_give_the_same_round() -> None:
    draws = [always([3, 1, 4, 1, 5, 9, 2, 6]) for _ in range(2)]
    assert plan(veterans(8), draws[0]) == plan(veterans(8), draws[1])


def test_too_few_entrants_all_have_a_bye() -> None:
    planned = plan(veterans(2), always([1, 2]))
    assert planned.pairings == ()
    assert [bye.entrant for bye in planned.byes] == [0, 1]


@given(
    groups=st.lists(st.integers(0, 9), min_size=6, max_size=30),
    top=st.integers(0, 10),
    seed=st.integers(0, 99),
)
def test_entrants_of_a_group_never_meet(groups: list[int], top: int, seed: int) -> None:
    rng = Random(seed)
    tables_sat = veterans(len(groups))
    draws = ({entrant: rng.gauss(0, 1) for entrant in tables_sat} for _ in repeat(None))
    planned = ladder_round(
        tables_sat,
        draws,
        top=top,
        seats=3,
        allowed_sizes=range(3, 7),
        rng=Random(5),
        number=7,
        first_pairing=0,
        groups=groups,
    )
    for pairing in planned.pairings:
        assert len({groups[entrant] for entrant in pairing.seating}) == len(pairing.seating)
    seated = [entrant for pairing in planned.pairings for entrant in pairing.seating]
    assert sorted([*seated, *(bye.entrant for bye in planned.byes)]) == list(range(len(groups)))
