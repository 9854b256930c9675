"""Both versions are treated in the same way, and their points are counted correctly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.comparison.plan import NEW, OLD, ComparisonPlan, plan_for, saving_of
from arena.errors import BadInput
from arena.games.outcome import places_by
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, all_games, game_named
from tests.indices import entrants

MEOW = game_named("meow")
TRIO = game_named("trio")
TEAMS = TRIO.variants["simple-teams"]


def make_plan(
    game: AnyGame = MEOW,
    *,
    opponents: int = 0,
    seats: int | None = None,
) -> ComparisonPlan:
    """Plan a comparison at a game's default variant."""
    return plan_for(game, game.default_parameters, opponents=opponents, seats=seats)


def bots_of(plan: ComparisonPlan) -> list[list[int]]:
    """Return the bots of each match by seat, where all deals are seated in the same way."""
    (seatings,) = plan.rotations
    return [[plan.entrants[entrant] for entrant in seating] for seating in seatings]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_without_opponents_the_versions_alternate_and_swap_seats(game: AnyGame) -> None:
    assert bots_of(make_plan(game)) == [[NEW, OLD, NEW, OLD], [OLD, NEW, OLD, NEW]]


def test_partners_are_of_the_same_version() -> None:
    plan = plan_for(TRIO, TEAMS, opponents=0, seats=None)
    for bots in bots_of(plan):
        assert bots[:2] == bots[2:]


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_any_table_that_can_be_halved_is_accepted(seats: int) -> None:
    for bots in bots_of(make_plan(seats=seats)):
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
def test_against_opponents_each_version_takes_every_seat_with_the_same_neighbours(
    table: tuple[int, int],
) -> None:
    opponents, seats = table
    plan = make_plan(opponents=opponents, seats=seats)
    # The first two entrants are the versions.
    assert plan.entrants[:2] == (NEW, OLD)
    first, second = entrants(0, 1)
    new, old = (list(seatings) for seatings in zip(*plan.rotations, strict=True))
    assert [seating.index(first) for seating in new] == list(range(seats))
    assert [tuple(second if one == first else one for one in seating) for seating in new] == old
    assert set(plan.entrants[2:]) == set(range(2, 2 + opponents))


def test_each_deal_draws_one_of_the_rotations_from_the_secret() -> None:
    plan = make_plan(opponents=3)
    drawn = [plan.seatings(seed_from(1), deal) for deal in range(400)]
    assert drawn == [plan.seatings(seed_from(1), deal) for deal in range(400)]
    assert drawn != [plan.seatings(seed_from(2), deal) for deal in range(400)]
    times = Counter(drawn)
    assert set(times) == set(plan.rotations)
    assert min(times.values()) > 60
    # Not in turn: some deal is seated like the one before it.
    assert any(one == other for one, other in pairwise(drawn))


@pytest.mark.parametrize(
    ("game", "opponents", "seats"),
    [("meow", 1, 2), ("meow", 3, 4), ("trio", 1, 3), ("jackal", 4, 5)],
)
def test_the_table_is_as_large_as_the_opponents_need(game: str, opponents: int, seats: int) -> None:
    assert make_plan(game_named(game), opponents=opponents).seats == seats


def test_too_many_opponents_are_refused() -> None:
    with pytest.raises(BadInput, match="4 opponents are too many for a table of 4"):
        make_plan(opponents=4, seats=4)
    with pytest.raises(BadInput, match="9 opponents are too many for a table of 6"):
        make_plan(opponents=9)


def test_a_number_of_seats_that_the_game_does_not_allow_is_refused() -> None:
    with pytest.raises(BadInput, match="cannot seat 7"):
        make_plan(seats=7)


def difference_of(plan: ComparisonPlan, places: Sequence[tuple[int, ...]]) -> Fraction:
    """Return the difference of a deal that is seated in the first rotation."""
    return sum(plan.differences(plan.rotations[0], places), Fraction())


def test_a_version_that_is_always_ahead_has_a_difference_of_one() -> None:
    ahead = [(1, 3, 1, 3), (3, 1, 3, 1)]
    assert difference_of(make_plan(), ahead) == 1
    assert difference_of(make_plan(), ahead[::-1]) == -1


def test_differences_between_seats_of_one_version_do_not_count() -> None:
    plan = make_plan()
    assert not any(plan.differences(plan.rotations[0], [(1, 2, 4, 3), (2, 1, 3, 4)]))


def test_against_opponents_the_points_of_a_match_are_compared() -> None:
    plan = make_plan(opponents=1, seats=3)
    # In the first rotation the versions sit in seat 0, in the second in seat 1.
    places = [(1, 2, 3), (2, 1, 3)]
    assert plan.differences(plan.rotations[0], places) == (Fraction(1), Fraction(-1, 2))
    assert plan.differences(plan.rotations[1], places) == (Fraction(1, 2), Fraction(-1))
    assert difference_of(plan, places) == Fraction(1, 2)


ranks = st.lists(st.integers(0, 3), min_size=4, max_size=4).map(places_by)


@given(ranks, st.sampled_from((0, 1, 3)))
def test_if_both_versions_get_the_same_places_there_is_no_difference(
    places: tuple[int, ...], opponents: int
) -> None:
    plan = make_plan(opponents=opponents, seats=4)
    assert difference_of(plan, [places, places]) == 0


@given(ranks, ranks, st.integers(0, 3))
def test_a_difference_lies_between_minus_one_and_one(
    one: tuple[int, ...], other: tuple[int, ...], opponents: int
) -> None:
    plan = make_plan(opponents=opponents, seats=4)
    assert -1 <= difference_of(plan, [one, other]) <= 1


def test_a_deal_whose_matches_cancel_saves_everything() -> None:
    deals = [(Fraction(n, 4), Fraction(-n, 4)) for n in (-1, 0, 1)]
    saving = saving_of(deals)
    assert saving.together == 0
    assert saving.apart == pytest.approx(1 / 8)
    assert saving.share == 1


def test_uncorrelated_matches_save_nothing() -> None:
    halves = (Fraction(-1, 2), Fraction(1, 2))
    saving = saving_of([(one, other) for one in halves for other in halves])
    assert saving.share == pytest.approx(0)


def test_without_variance_nothing_is_saved() -> None:
    assert saving_of([(Fraction(1),), (Fraction(1),)]).share == 0
