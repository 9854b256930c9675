"""Are both versions treated alike, and is what they get counted right?"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.compare.plan import NEW, OLD, Plan, plan_for, saving_of
from arena.errors import BadInput
from arena.games.core import places_by
from arena.games.registry import AnyGame, all_games, game_named

MEOW = game_named("meow")
TRIO = game_named("trio")
TEAMS = TRIO.variants["simple-teams"]


def planned(
    game: AnyGame = MEOW,
    *,
    opponents: int = 0,
    seats: int | None = None,
) -> Plan:
    """Plan a comparison at a game as it is usually played."""
    return plan_for(game, game.default_parameters, opponents=opponents, seats=seats)


def bots_of(plan: Plan) -> list[list[int]]:
    """Return the bots of each match by seat."""
    return [[plan.players[player] for player in seating] for seating in plan.seatings]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_without_opponents_two_and_two_sit_alternately_and_change_places(game: AnyGame) -> None:
    assert bots_of(planned(game)) == [[NEW, OLD, NEW, OLD], [OLD, NEW, OLD, NEW]]


def test_partners_are_of_the_same_version() -> None:
    plan = plan_for(TRIO, TEAMS, opponents=0, seats=None)
    for bots in bots_of(plan):
        assert bots[:2] == bots[2:]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_any_table_that_can_be_halved_will_do(seats: int) -> None:
    for bots in bots_of(planned(seats=seats)):
        assert Counter(bots) == {NEW: seats // 2, OLD: seats // 2}


@pytest.mark.parametrize(
    ("game", "variant", "seats"), [("meow", "standard", 3), ("trio", "simple-teams", 6)]
)
def test_a_table_that_cannot_be_halved_needs_opponents(game: str, variant: str, seats: int) -> None:
    parameters = game_named(game).variants[variant]
    with pytest.raises(BadInput, match="cannot be halved"):
        plan_for(game_named(game), parameters, opponents=0, seats=seats)
    assert plan_for(game_named(game), parameters, opponents=1, seats=seats).seats == seats


tables = st.integers(2, 6).flatmap(
    lambda seats: st.tuples(st.integers(1, seats - 1), st.just(seats))
)


@given(tables)
def test_against_opponents_each_version_comes_to_every_seat_with_the_same_neighbours(
    table: tuple[int, int],
) -> None:
    opponents, seats = table
    plan = planned(opponents=opponents, seats=seats)
    new = [seating for seating in plan.seatings if NEW in seating]
    old = [seating for seating in plan.seatings if OLD in seating]
    assert [seating.index(NEW) for seating in new] == list(range(seats))
    assert [tuple(OLD if one == NEW else one for one in seating) for seating in new] == old
    assert set(plan.players[2:]) == set(range(2, 2 + opponents))


@given(tables)
def test_nobody_sits_in_two_seats(table: tuple[int, int]) -> None:
    opponents, seats = table
    for seating in planned(opponents=opponents, seats=seats).seatings:
        assert len(set(seating)) == seats


@pytest.mark.parametrize(
    ("game", "opponents", "seats"),
    [("meow", 1, 2), ("meow", 3, 4), ("trio", 1, 3), ("jackal", 4, 5)],
)
def test_the_table_is_as_large_as_the_opponents_need(game: str, opponents: int, seats: int) -> None:
    assert planned(game_named(game), opponents=opponents).seats == seats


def test_too_many_opponents_are_refused() -> None:
    with pytest.raises(BadInput, match="4 opponents are too many for a table of 4"):
        planned(opponents=4, seats=4)
    with pytest.raises(BadInput, match="9 opponents are too many for a table of 6"):
        planned(opponents=9)


def test_a_number_of_seats_that_the_game_does_not_have_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot seat 7"):
        planned(seats=7)


def test_a_version_that_is_always_ahead_has_a_difference_of_one() -> None:
    ahead = [(1, 3, 1, 3), (3, 1, 3, 1)]
    assert sum(planned().differences(ahead)) == 1
    assert sum(planned().differences(ahead[::-1])) == -1


def test_what_a_version_does_to_itself_does_not_count() -> None:
    assert not any(planned().differences([(1, 2, 4, 3), (2, 1, 3, 4)]))


def test_against_opponents_the_points_of_a_match_are_compared() -> None:
    plan = planned(opponents=1, seats=3)
    # In its first seat new is first and old is second; otherwise both are last.
    places = [(1, 2, 3), (2, 1, 3), (1, 3, 2), (1, 3, 2), (1, 2, 3), (1, 2, 3)]
    assert plan.differences(places)[:2] == (Fraction(1, 3), Fraction(-1, 6))
    assert sum(plan.differences(places)) == Fraction(1, 6)


ranks = st.lists(st.integers(0, 3), min_size=4, max_size=4).map(places_by)


@given(ranks, ranks, st.sampled_from((0, 1, 3)))
def test_where_both_versions_do_the_same_there_is_no_difference(
    one: tuple[int, ...], other: tuple[int, ...], opponents: int
) -> None:
    plan = planned(opponents=opponents, seats=4)
    each = [one, other, one, other] if opponents else [one]
    places = [table for table in each for _ in (NEW, OLD)]
    assert sum(plan.differences(places)) == 0


@given(st.data())
def test_a_difference_lies_between_minus_one_and_one(data: st.DataObject) -> None:
    plan = planned(opponents=data.draw(st.integers(0, 3)), seats=4)
    places = [data.draw(ranks) for _ in plan.seatings]
    assert -1 <= sum(plan.differences(places)) <= 1


def test_a_deal_whose_matches_cancel_saves_everything() -> None:
    deals = [(Fraction(n, 4), Fraction(-n, 4)) for n in (-1, 0, 1)]
    saving = saving_of(deals)
    assert saving.together == 0
    assert saving.apart == pytest.approx(1 / 8)
    assert saving.share == 1


def test_matches_that_have_nothing_to_do_with_each_other_save_nothing() -> None:
    halves = (Fraction(-1, 2), Fraction(1, 2))
    saving = saving_of([(one, other) for one in halves for other in halves])
    assert saving.share == pytest.approx(0)


def test_nothing_is_saved_where_nothing_varies() -> None:
    assert saving_of([(Fraction(1),), (Fraction(1),)]).share == 0
