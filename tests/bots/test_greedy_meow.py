"""The greedy bot for MEOW counts cards, values tokens, chooses well."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.conformance import Setting, settings_of
from arena.games.meow import GAME
from arena.games.meow.cards import COLOUR_MASK, Token, cards_in
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.state import MeowState, winning_card
from arena.games.meow.view import View
from arena.games.randomness import seed_from
from tests.bots.inprocess import bot_class, bot_module, decision, play_bots
from tests.games.meow.positions import position, tokens

AtRandom, GreedyMeow = bot_class("random"), bot_class("greedy-meow")
meow = bot_module("greedy-meow")
SETTINGS = list(settings_of(GAME))


def states(setting: Setting, number: int) -> Iterator[MeowState]:
    """Play a match at random and yield its positions."""
    rng = Random(number)
    state = GAME.start(setting.seats, seed_from(number), setting.parameters)
    while not state.is_over:
        yield state
        state.apply(state.random_action(rng))


def chances(view: View, *, wanted: bool) -> dict[int, float]:
    """Return the bot's estimate of the probability that each card wins this trick."""
    unseen = meow.unseen_cards(view)
    return {
        card: meow.win_chance(card, view, unseen, wanted=wanted)
        for card in GAME.legal_actions(view)
    }


def worth(
    token: str, *, won: str, row: str = "", later: str = "", vases: Vases = Vases.PAIRS
) -> float:
    """Return the worth of the leftmost token to a seat that has won these."""
    parameters = Parameters(vases=vases)
    view = GAME.view_of(GAME.start(2, seed_from(0), parameters), 0)
    view = view._replace(won=(tokens(won), ()), row=tokens(f"{token} {row}"), later=tokens(later))
    return float(meow.value_of(Token.form().read(token), view))


@pytest.mark.parametrize("tokens", [(5,) * 27, (-5,) * 27, (100,) * 27, (-100,) * 27])
def test_it_plays_for_tokens_of_one_kind(tokens: tuple[int, ...]) -> None:
    for vases in Vases:
        bots = [GreedyMeow() for _ in range(3)]
        parameters = Parameters(tokens=tuple(map(Token, tokens)), vases=vases)
        assert play_bots(GAME, bots, seed_from(3), parameters).decisions


@settings(max_examples=15, deadline=None)
@given(setting=st.sampled_from(SETTINGS), number=st.integers(0, 10_000), wanted=st.booleans())
def test_a_chance_is_a_probability_and_certain_for_the_last_to_play(
    setting: Setting, number: int, wanted: bool
) -> None:
    for state in states(setting, number):
        view = GAME.view_of(state, state.to_act)
        for card, chance in chances(view, wanted=wanted).items():
            assert 0 <= chance <= 1 + 1e-9
            if len(state.trick) == state.seats - 1:
                assert chance == (winning_card([*state.trick, card], state.led) == card)


@settings(max_examples=15, deadline=None)
@given(number=st.integers(0, 10_000))
def test_where_counting_shows_the_only_other_hand_the_chance_is_certain(number: int) -> None:
    duel = Setting(GAME, 2, "expert", GAME.variants["expert"])
    for state in states(duel, number):
        if state.trick:
            continue
        view = GAME.view_of(state, state.to_act)
        theirs = state.hands[1 - state.to_act]
        eager, reluctant = (chances(view, wanted=wanted) for wanted in (True, False))
        for card in eager:
            colour = card // 18
            same = cards_in(theirs & COLOUR_MASK[colour])
            stands = [winning_card([card, reply], colour) == card for reply in same]
            others = [winning_card([card, reply], colour) == card for reply in cards_in(theirs)]
            assert eager[card] == pytest.approx(float(all(stands or others)))
            assert reluctant[card] == pytest.approx(float(any(stands) or not stands))


def test_a_bowl_is_won_with_the_weakest_card_that_wins() -> None:
    state = position("P5 B2", "P4 P6 P18", trick="P5", row="9 3 -2")
    assert decision(GreedyMeow, GAME, state) == "P6"


def test_a_bone_is_left_to_others_with_the_strongest_card_that_loses() -> None:
    state = position("P5 B2", "P2 P4 P18", trick="P5", row="-9 3 -2")
    assert decision(GreedyMeow, GAME, state) == "P4"


def test_a_one_wins_together_with_its_eighteen() -> None:
    state = position("P18 B2", "P1 P4 P9", trick="P18", row="9 3 -2")
    assert decision(GreedyMeow, GAME, state) == "P1"


@pytest.mark.parametrize(
    ("token", "won", "later", "value"),
    [
        pytest.param("7", "", "", 7, id="a bowl is its worth"),
        pytest.param("-7", "3", "", -7, id="a bone, too"),
        pytest.param("-7", "fish", "", 0, id="unless a fish waits for it"),
        pytest.param("-7", "fish -8", "", -7, id="that has no worse one to throw out"),
        pytest.param("fish", "-3 -8", "-9", 8, id="a fish throws out the worst bone"),
        pytest.param("fish", "", "-3 -8 vase", 4, id="or hopes for half the worst to come"),
        pytest.param("fish", "-3 fish", "", 0, id="and is nothing if none will"),
        pytest.param("vase", "vase", "", -20, id="two vases cost"),
        pytest.param("vase", "", "vase", -5, id="one may"),
        pytest.param("vase", "", "9", 0, id="but not the last"),
        pytest.param("vase", "vase vase", "vase", -5, id="a second pair costs again"),
    ],
)
def test_a_token_is_worth_what_it_adds(token: str, won: str, later: str, value: float) -> None:
    assert worth(token, won=won, later=later) == value


def test_if_vases_cost_once_more_of_them_cost_nothing() -> None:
    assert worth("vase", won="vase vase", later="vase", vases=Vases.ONCE) == 0
