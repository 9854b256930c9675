"""The guides to Jackal & High and Life is Life play by the rules, without peeking, and well."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.conformance import Setting, settings_of
from arena.games.jackal.parameters import Parameters
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, game_named
from tests.bots.inprocess import bot_module
from tests.games.jackal.positions import position as jackal_position
from tests.games.lifeislife.positions import position as lifeislife_position

search = bot_module("search")
JACKAL, LIFEISLIFE = game_named("jackal"), game_named("lifeislife")
GAMES = [pytest.param(game, id=game.id) for game in (JACKAL, LIFEISLIFE)]
SETTINGS = [*settings_of(JACKAL), *settings_of(LIFEISLIFE)]
NUMBERS = st.integers(0, 10_000)


def guide(game: AnyGame, view: Any) -> Any:
    """Return the guide for a decision; its type is defined by the bot, hence Any."""
    return search.guide_for(game.id)(view)


def midway(game: AnyGame, number: int, seats: int = 4) -> Any:
    """Return a state from somewhere in a match that was partly played at random."""
    rng = Random(number)
    state = game.start(seats, seed_from(number))
    play_on = guide(game, game.view_of(state, 0))
    for _ in range(rng.randrange(50)):
        before = state.copy()
        state.apply(rng.choice([state.random_action, lambda r: play_on.policy(state, r)])(rng))
        if state.is_over:
            return before
    return state


def search_action(game: AnyGame, state: Any, *, playouts: int, opinion: bool = True) -> str:
    """Return the action that a search chooses, as text; without `opinion`, all priors are equal."""
    view = game.view_of(state, state.to_act)
    advice = guide(game, view)
    if not opinion:
        advice.prior = lambda actions: [0.0] * len(actions)
    found = search.Search(game, advice, view, game.legal_actions(view), Random(7))
    return game.action_text(found.run(lambda done: done / playouts if playouts else 1.0))


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_rollouts_are_legal_from_the_deal_to_the_end(setting: Setting) -> None:
    rng = Random(1)
    for number in range(3):
        state: Any = setting.game.start(setting.seats, seed_from(number), setting.parameters)
        play_on = guide(setting.game, setting.game.view_of(state, 0))
        while not state.is_over:
            action = play_on.policy(state, rng)
            assert state.is_legal(action)
            state.apply(action)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=10)
@given(number=NUMBERS)
def test_the_same_view_is_searched_alike_whatever_is_hidden(game: AnyGame, number: int) -> None:
    state = midway(game, number)
    other = game.redeal(state, state.to_act, Random(number))
    choice = search_action(game, state, playouts=20)
    assert choice == search_action(game, other, playouts=20)
    assert state.is_legal(game.parse_action(choice))


def test_a_paw_that_can_no_longer_win_is_given_up_for_a_chance_that_can() -> None:
    state = jackal_position(
        "1 20 21",
        "2:8+8",
        "3:1+1+1",
        rolled=(1,),
        turn=1,
        rolls_left=2,
        piles=("", "9"),
        parameters=Parameters(round_cap=1),
    )
    assert search_action(JACKAL, state, playouts=0) == "place 1"
    assert search_action(JACKAL, state, playouts=300) == "again"


@pytest.mark.parametrize("opinion", [True, False], ids=["by its guide", "by search alone"])
def test_dice_that_win_the_last_round_are_placed(opinion: bool) -> None:
    state = jackal_position(
        "15 20 21",
        "1:8",
        "3:1+1+1",
        rolled=(3, 4),
        turn=1,
        piles=("", "7"),
        parameters=Parameters(round_cap=1),
    )
    assert search_action(JACKAL, state, playouts=400, opinion=opinion) == "place 1 1"


@pytest.mark.parametrize("opinion", [True, False], ids=["by its guide", "by search alone"])
def test_a_sudden_death_that_wins_the_match_is_found(opinion: bool) -> None:
    state = lifeislife_position(
        "4 rabbit, 6 giraffe",
        "3 bear, 4 mole, 3 goat",
        "4 sheep, 3 dog, 3 pig",
        rows=("rabbit", "mole, goat", "dog, cat, pig", "bear, sheep, cat, mouse"),
        lives=(1, 1, 1),
    )
    assert search_action(LIFEISLIFE, state, playouts=400, opinion=opinion) == "1 giraffe"
