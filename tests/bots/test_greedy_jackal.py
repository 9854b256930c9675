"""The greedy bot for Jackal & High weighs hits, duels and the valley."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.jackal import GAME
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.state import JackalState
from arena.games.randomness import seed_from
from tests.bots.inprocess import bot_class, bot_module, decision, play_bots
from tests.games.jackal.positions import do, position, settle_round

AtRandom, GreedyJackal = bot_class("random"), bot_class("greedy-jackal")
jackal = bot_module("greedy-jackal")


def prizes(state: JackalState) -> list[list[float]]:
    """Return the paws that the seat to act expects from each stack, by the number of its dice."""
    view = GAME.view_of(state, state.to_act)
    return [stack.prizes for stack in jackal.stacks_of(view)]


def valley(state: JackalState) -> list[float]:
    """Return the paws that the seat to act expects from the valley, by the number of its dice."""
    return list(jackal.valley_of(GAME.view_of(state, state.to_act)))


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


def test_a_number_that_is_met_is_worth_less_if_a_rival_met_it_with_more_dice() -> None:
    alone = position("9 21 21", "-", "2:1+1+1", rolled=(1, 4, 5))
    two, three = (
        position("9 21 21", "-", laid, rolled=(1, 4, 5)) for laid in ("1:4+5 2:1", "1:1+3+5")
    )
    for mine in (1, 2, 3):
        free, two_dice, three_dice = (prizes(state)[0][mine] for state in (alone, two, three))
        assert free == 2 > two_dice > three_dice
    assert prizes(two)[0] == sorted(prizes(two)[0])


def test_the_lucky8_is_worth_the_stacks_that_no_rival_meets() -> None:
    state = position("Lucky8 9 20", "-", "2:4+5 3:1", rolled=(1, 4, 5), under=(0, 1, 1))
    # 9 is met, and 20 is out of reach: it counts three paws, and its Take2 two.
    assert prizes(state)[0][1] == 5


@pytest.mark.parametrize(
    ("card", "pile", "expected"),
    [
        pytest.param("20", "9", 3, id="who is alone takes the card"),
        pytest.param("none", "9", -2, id="or pays without one"),
        pytest.param("none", "", 0, id="unless the pile is empty"),
    ],
)
def test_the_valley_of_a_single_seat_is_certain(card: str, pile: str, expected: float) -> None:
    rival = "1:3+6 2:7"
    state = position("9 7 21", "-", rival, rolled=(1, 1, 1), valley=card, piles=(pile, ""))
    assert valley(state) == [0, expected, expected, expected]


def test_more_dice_are_better_in_a_valley_with_others() -> None:
    state = position("21 21 21", "-", "1:1+1", rolled=(1, 1, 1), valley="20", piles=("9", ""))
    none, one, two, three = valley(state)
    assert none == 0
    assert one < two < three


def test_won_cards_go_down_with_the_cheapest_on_top() -> None:
    state = settle_round("3 9 21", "1:3 2:4+5", "-")
    do(state, decision(GreedyJackal, GAME, state))
    assert state.piles[0] == (9, 3)


@settings(max_examples=40, deadline=None)
@given(dice=st.integers(1, 3), need=st.integers(0, 24))
def test_a_chance_to_reach_a_number_grows_with_the_dice(dice: int, need: int) -> None:
    chance = jackal.reach(dice, need)
    assert 0 <= jackal.reach(dice - 1, need) <= chance <= 1
    assert (chance > 0) == (need <= 8 * dice)


@given(mine=st.integers(1, 3), theirs=st.integers(1, 3))
def test_the_chances_of_two_rolls_add_up_to_one(mine: int, theirs: int) -> None:
    assert jackal.beats(mine, theirs) + jackal.beats(theirs, mine) == pytest.approx(1)


def test_two_dice_beat_one_as_often_as_enumeration_says() -> None:
    faces = range(1, 9)
    wins = sum(a + b > c for a, b, c in product(faces, repeat=3))
    assert jackal.beats(2, 1) == pytest.approx(wins / 512)
