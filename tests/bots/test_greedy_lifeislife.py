"""The greedy bot for Life is Life completes sets, and knocks in time."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.lifeislife import GAME
from arena.games.lifeislife.odds import chance_of_fewer
from tests.bots.inprocess import bot_class, decision
from tests.games.lifeislife.positions import THREE, play, position

GreedyLifeIsLife = bot_class("greedy-lifeislife")

GOOD = "4 giraffe, 3 bear, 3 mole"
"""Three majorities, if few of these animals are in unseen hands."""
BAD = "giraffe, bear, mole, goat, sheep, dog, rabbit, pig, cat, mouse"
OTHERS = ("2 goat, 4 sheep, 4 dog", "2 goat, sheep, dog, 3 rabbit, 3 pig")
ROWS = ("giraffe", "giraffe, bear", "bear, mole, mole", "giraffe, bear, goat, goat")


def test_a_set_is_completed() -> None:
    hand = "4 rabbit, 3 bear, 3 mole"
    rows = ("rabbit", "mole, goat", "dog, pig, pig", "4 giraffe")
    state = position(hand, *THREE[1:], rows=rows)
    before = state.round
    play(state, decision(GreedyLifeIsLife, GAME, state))
    assert state.round == before + 1
    assert state.lives == [5, 4, 4]


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


@given(total=st.integers(1, 9), marked=st.integers(0, 9), size=st.integers(0, 9))
def test_the_odds_match_an_enumeration_of_all_hands(total: int, marked: int, size: int) -> None:
    marked, size = min(marked, total), min(size, total)
    hands = list(combinations([card < marked for card in range(total)], size))
    odds = chance_of_fewer(total, marked, size)
    for count in range(len(odds)):
        share = sum(sum(hand) < count for hand in hands) / len(hands)
        assert odds[count] == pytest.approx(share)
