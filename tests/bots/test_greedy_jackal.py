"""The greedy bot for Jackal & High meets numbers, and rolls again where that is better."""

from __future__ import annotations

import pytest

from arena.games.jackal import GAME
from arena.games.jackal.parameters import Parameters
from arena.games.randomness import seed_from
from tests.bots.inprocess import bot_class, decision, play_bots
from tests.games.jackal.positions import do, position, settle_round

GreedyJackal = bot_class("greedy-jackal")


@pytest.mark.parametrize("paws", [0, 9])
def test_it_plays_for_any_paws(paws: int) -> None:
    parameters = Parameters(paws=(paws,) * 20, take2_paws=9 - paws, round_cap=20)
    assert play_bots(GAME, [GreedyJackal() for _ in range(3)], seed_from(3), parameters).decisions


def test_a_number_that_the_roll_meets_is_met() -> None:
    state = position("20 13 3 19", "-", "1:6+6+6", "1:6+6+6", rolled=(1, 5, 8))
    assert decision(GreedyJackal, GAME, state).startswith("place - 2 2")


def test_a_single_die_that_misses_is_rolled_again_and_one_that_hits_is_not() -> None:
    for face, choice in ((2, "again"), (5, "place 1")):
        state = position("15 21 21", "1:3+7", "1:1+1+1", rolled=(face,), turn=1, rolls_left=2)
        assert decision(GreedyJackal, GAME, state) == choice


def test_won_cards_go_down_with_the_cheapest_on_top() -> None:
    state = settle_round("3 9 21", "1:3 2:4+5", "-")
    do(state, decision(GreedyJackal, GAME, state))
    assert state.piles[0] == (9, 3)
