"""The greedy bot for Life is Life plays for majorities and sets, knocks in time, and wins."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import CAT, RABBIT, VALUES, Animal
from arena.games.lifeislife.odds import chance_of_fewer
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from tests.bots.inprocess import bot_class, bot_module, decision
from tests.games.lifeislife.positions import THREE, play, position

AtRandom, GreedyLifeIsLife = bot_class("random"), bot_class("greedy-lifeislife")
lifeislife = bot_module("greedy-lifeislife")

GOOD = "4 giraffe, 3 bear, 3 mole"
"""Three majorities, if few of these animals are in unseen hands."""
BAD = "giraffe, bear, mole, goat, sheep, dog, rabbit, pig, cat, mouse"
OTHERS = ("2 goat, 4 sheep, 4 dog", "2 goat, sheep, dog, 3 rabbit, 3 pig")
ROWS = ("giraffe", "giraffe, bear", "bear, mole, mole", "giraffe, bear, goat, goat")


def points(state: LifeIsLifeState, animal: int) -> list[float]:
    """Return the points that the seat to act expects from an animal, by the number of its cards."""
    found: list[float] = lifeislife.points_of(GAME.view_of(state, state.to_act))[animal]
    return found


def worths(state: LifeIsLifeState, animal: int) -> list[float]:
    """Return the same, including the worth of a complete set."""
    view = GAME.view_of(state, state.to_act)
    found: list[float] = lifeislife.with_sets(animal, points(state, animal), view)
    return found


def test_more_cards_of_an_animal_are_never_worth_less_and_all_are_certain() -> None:
    state = position(*THREE)
    for animal, value in enumerate(VALUES):
        expected = points(state, animal)
        assert expected == sorted(expected)
        assert expected[0] == 0
        assert expected[value] == pytest.approx(value)


def test_a_card_that_a_rival_took_from_a_row_lowers_the_expected_points() -> None:
    rows = ("giraffe", "mole, goat", "dog, rabbit, pig", "4 pig")
    state = position(*THREE, rows=rows, to_act=1)
    assert points(state, Animal.GIRAFFE)[1] > 0
    state = play(position(*THREE, rows=rows), "1 bear")
    assert points(state, Animal.GIRAFFE)[1] == 0


def test_with_two_players_one_card_scores_nothing() -> None:
    two = position(GOOD, OTHERS[0], "", rows=ROWS)
    assert points(two, CAT)[1] == 0
    assert points(two, CAT)[2] > 0


def test_a_set_is_completed() -> None:
    hand = "4 rabbit, 3 bear, 3 mole"
    rows = ("rabbit", "mole, goat", "dog, pig, pig", "4 giraffe")
    state = position(hand, *THREE[1:], rows=rows)
    before = state.round
    play(state, decision(GreedyLifeIsLife, GAME, state))
    assert state.round == before + 1
    assert state.lives == [5, 4, 4]


def test_in_the_expert_game_cats_are_only_points() -> None:
    plain, expert = (position(*THREE, parameters=Parameters(expert=e)) for e in (False, True))
    assert worths(expert, CAT) == points(expert, CAT)
    assert worths(plain, CAT)[4] > sum(VALUES) / 2
    for state in (plain, expert):
        assert worths(state, RABBIT)[5] > sum(VALUES) / 2


def test_hope_for_a_set_ends_when_a_rival_is_known_to_have_a_card_of_it() -> None:
    rows = ("rabbit", "mole, goat", "dog, pig, pig", "4 sheep")
    hands = (THREE[0], THREE[1], "1 giraffe, 2 bear, 3 dog, 2 cat, 2 mouse")
    state = position(*hands, rows=rows, to_act=2)
    assert worths(state, RABBIT)[4] > points(state, RABBIT)[4]
    play(state, "1 mouse")
    assert worths(state, RABBIT)[4] == points(state, RABBIT)[4]


@pytest.mark.parametrize(("hand", "knocks"), [(GOOD, True), (BAD, False)], ids=["good", "bad"])
def test_it_knocks_with_a_good_hand_and_no_other(hand: str, knocks: bool) -> None:
    state = position(hand, *OTHERS, rows=ROWS, turn=3)
    assert (decision(GreedyLifeIsLife, GAME, state) == "knock") == knocks


def test_it_swaps_even_a_good_hand_before_it_may_knock() -> None:
    state = position(GOOD, *OTHERS, rows=ROWS)
    play(state, decision(GreedyLifeIsLife, GAME, state))
    assert state.knocker < 0


def test_in_the_last_lap_it_passes_rather_than_make_a_bad_swap() -> None:
    rows = ("goat", "goat, rabbit", "goat, sheep, pig", "bear, dog, rabbit, pig")
    state = position(OTHERS[0], GOOD, OTHERS[1], rows=rows, turn=3)
    play(state, "knock")
    assert decision(GreedyLifeIsLife, GAME, state) == "knock"


def test_in_the_last_lap_there_is_no_hope_for_a_set() -> None:
    state = position(GOOD, *OTHERS, rows=ROWS, turn=3)
    assert worths(state, RABBIT)[4] > points(state, RABBIT)[4]
    play(state, "knock")
    assert worths(state, RABBIT)[4] == points(state, RABBIT)[4]


@settings(max_examples=60, deadline=None)
@given(total=st.integers(1, 9), marked=st.integers(0, 9), size=st.integers(0, 9))
def test_the_odds_match_an_enumeration_of_all_hands(total: int, marked: int, size: int) -> None:
    marked, size = min(marked, total), min(size, total)
    hands = list(combinations([card < marked for card in range(total)], size))
    odds = chance_of_fewer(total, marked, size)
    for count in range(len(odds)):
        share = sum(sum(hand) < count for hand in hands) / len(hands)
        assert odds[count] == pytest.approx(share)
