"""The search bot finds good actions, without peeking and within its time."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.conformance import Setting
from arena.games.meow import GAME
from arena.games.meow.cards import Token
from arena.games.meow.state import MeowState, winning_card
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, game_named
from arena.sdk import Bot, Match
from tests.bots.inprocess import bot_class, bot_module, play_bots
from tests.builders.settings import every_setting
from tests.games.trio.positions import play, position

AtRandom, SearchBot = bot_class("random"), bot_class("search")
search = bot_module("search")
GAMES_HERE = ("meow", "trio")
SECONDS = st.floats(0, 100)


class Hurried(SearchBot):  # type: ignore[misc, valid-type]
    """Has no time at all."""

    def choose_many(self, views: Any) -> list[int]:
        """Decide at once."""
        return [
            search.decide(match, view, 0.0) for match, view in zip(self.matches, views, strict=True)
        ]


def search_action(game: AnyGame, view: Any, *, playouts: int, seed: int = 0) -> int:
    """Return the action that a search with this many playouts chooses."""
    guide = search.guide_for(game.id)(view)
    found = search.Search(game, guide, view, game.legal_actions(view), Random(seed))
    return int(found.run(lambda done: done / playouts))


def midway(game: AnyGame, number: int) -> Any:
    """Return a state with a choice, from somewhere in a random match."""
    rng = Random(number)
    state = game.start(4, seed_from(number))
    for _ in range(rng.randrange(30)):
        state.apply(state.random_action(rng))
    while state.only_action() is not None:
        state.apply(state.random_action(rng))
    return state


def last_choice(number: int) -> MeowState:
    """Return a state of MEOW where the seat to act decides who wins the second-to-last trick."""
    rng = Random(number)
    while True:
        state = GAME.start(4, seed_from(rng.randrange(10_000)))
        while len(state.later) + len(state.row) > 2 or len(state.trick) < 3:
            state.apply(state.random_action(rng))
        tricks = [[*state.trick, card] for card in state.legal_actions()]
        if len({winning_card(trick, state.led) == trick[-1] for trick in tricks}) == 2:
            return state


def a_match(game: AnyGame, *, bank_s: float, increment_s: float, left_s: float) -> Match:
    """Return a match that is being played with this clock."""
    return Match(
        game=game,
        parameters=game.default_parameters,
        seats=4,
        seat=0,
        bank_s=bank_s,
        increment_s=increment_s,
        counts_cpu=True,
        commitment=b"",
        rng=Random(0),
        time_left_s=left_s,
    )


@every_setting
def test_it_plays_every_setting_without_any_time(setting: Setting) -> None:
    bots: list[Bot] = [Hurried(), *(AtRandom() for _ in range(setting.seats - 1))]
    assert play_bots(setting.game, bots, seed_from(3), setting.parameters).decisions


@pytest.mark.parametrize("worth", [99, -99])
def test_tokens_of_extreme_worth_cause_no_fault(worth: int) -> None:
    game = game_named("meow")
    parameters = game.parameters_form.read("tokens=" + ",".join([str(worth)] * 27))
    state = game.start(2, seed_from(1), parameters)
    action = search_action(game, game.view_of(state, state.to_act), playouts=60)
    assert state.is_legal(action)


@given(bank_s=SECONDS, increment_s=SECONDS, left_s=SECONDS)
def test_it_never_thinks_for_more_than_a_third_of_what_is_left(
    bank_s: float, increment_s: float, left_s: float
) -> None:
    match = a_match(game_named("meow"), bank_s=bank_s, increment_s=increment_s, left_s=left_s)
    assert 0 <= search.thinking_time_s(match) <= left_s / 3


def test_a_nearly_empty_clock_causes_no_fault() -> None:
    bot = SearchBot()
    games = [game_named(game_id) for game_id in GAMES_HERE]
    states = [midway(game, 5) for game in games]
    views = [game.view_of(s, s.to_act) for game, s in zip(games, states, strict=True)]
    bot.matches = [a_match(game, bank_s=1, increment_s=0, left_s=1e-6) for game in games]
    actions = bot.choose_many(views)
    assert all(state.is_legal(action) for state, action in zip(states, actions, strict=True))


@pytest.mark.parametrize("game_id", GAMES_HERE)
@settings(max_examples=10)
@given(number=st.integers(0, 10_000))
def test_what_it_cannot_see_does_not_matter(game_id: str, number: int) -> None:
    game = game_named(game_id)
    state = midway(game, number)
    other = game.redeal(state, state.to_act, Random(number))
    choices = [
        search_action(game, game.view_of(truth, state.to_act), playouts=60, seed=number)
        for truth in (state, other)
    ]
    assert choices[0] == choices[1]


@pytest.mark.parametrize("number", range(3))
def test_the_token_that_wins_the_match_is_taken(number: int) -> None:
    game = game_named("meow")
    state = last_choice(number)
    seat = state.to_act
    state.row = (Token(10), Token(1))
    state.won = [()] * 4
    state.apply(search_action(game, game.view_of(state, seat), playouts=100))
    assert state.won[seat] == (10,)


@pytest.mark.parametrize("number", range(3))
def test_the_bone_that_loses_the_match_is_left_to_others(number: int) -> None:
    game = game_named("meow")
    state = last_choice(number)
    seat = state.to_act
    state.row = (Token(-10), Token(-1))
    state.won = [()] * 4
    state.apply(search_action(game, game.view_of(state, seat), playouts=100))
    assert state.won[seat] == ()


def test_a_trio_that_wins_is_found() -> None:
    game = game_named("trio")
    hands = ("1 1 1 2 2 2 3 3 7", "4 4 4 5 5 5 6 6 7", "7 8 8 8 9 9 9 10 10")
    state = position(*hands, centre="3 6 10 11 11 11 12 12 12")
    play(state, "low 0, high 1, low 2, centre 0, high 2, centre 3")
    while state.to_act == 0:
        state.apply(search_action(game, game.view_of(state, 0), playouts=200))
    assert state.is_over
