"""The greedy bot for MEOW wins good tokens cheaply and leaves bad ones to others."""

from __future__ import annotations

import pytest

from arena.games.meow import GAME
from arena.games.meow.cards import Token
from arena.games.meow.parameters import Parameters, Vases
from arena.games.randomness import seed_from
from tests.bots.inprocess import bot_class, decision, play_bots
from tests.games.meow.positions import position

GreedyMeow = bot_class("greedy-meow")


@pytest.mark.parametrize("tokens", [(5,) * 27, (-5,) * 27, (100,) * 27, (-100,) * 27])
def test_it_plays_for_tokens_of_one_kind(tokens: tuple[int, ...]) -> None:
    for vases in Vases:
        bots = [GreedyMeow() for _ in range(3)]
        parameters = Parameters(tokens=tuple(map(Token, tokens)), vases=vases)
        assert play_bots(GAME, bots, seed_from(3), parameters).decisions


def test_a_bowl_is_won_with_the_weakest_card_that_wins() -> None:
    state = position("P5 B2", "P4 P6 P18", trick="P5", row="9 3 -2")
    assert decision(GreedyMeow, GAME, state) == "P6"


def test_a_bone_is_left_to_others_with_the_strongest_card_that_loses() -> None:
    state = position("P5 B2", "P2 P4 P18", trick="P5", row="-9 3 -2")
    assert decision(GreedyMeow, GAME, state) == "P4"


def test_a_one_wins_together_with_its_eighteen() -> None:
    state = position("P18 B2", "P1 P4 P9", trick="P18", row="9 3 -2")
    assert decision(GreedyMeow, GAME, state) == "P1"
