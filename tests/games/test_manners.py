"""Engines are easy to use by hand: seeds are numbers, variants are names, positions print."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from arena.errors import BadInput, BadParameter, BadSeed, BadText, UnknownGame
from arena.games.conformance import Setting
from arena.games.randomness import seed_from
from arena.games.registry import AnyGame, all_games, game_named
from arena.games.trio.parameters import Parameters as TrioParameters
from tests.builders.settings import LARGEST, every_setting

MEOW = game_named("meow")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_number_is_a_seed(game: AnyGame) -> None:
    assert game.start(4, 7).truth() == game.start(4, seed_from(7)).truth()
    assert game.start(4, 7).truth() != game.start(4, 8).truth()


@every_setting
def test_a_variant_is_named_by_a_word(setting: Setting) -> None:
    game = setting.game
    named = game.start(setting.seats, 7, setting.variant)
    assert game.view_of(named, 0).parameters == setting.parameters


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("4", 7), "the number of seats must be a whole number, not '4'"),
        ((4.0, 7), "the number of seats must be a whole number, not 4.0"),
        ((4, 7, "exprt"), "meow has no variant 'exprt': did you mean expert?"),
        ((4, 7, {"expert": True}), "pass the name of a variant (standard, expert)"),
        ((4, 7, True), "parameters of meow cannot be True"),
        ((4, 7, TrioParameters()), "parameters of meow cannot be Parameters(mode="),
    ],
    ids=repr,
)
def test_what_a_match_cannot_be_played_with_is_named(arguments: Any, sentence: str) -> None:
    with pytest.raises(BadParameter, match=re.escape(sentence)):
        MEOW.start(*arguments)


@pytest.mark.parametrize("seed", ["7", 7.5, None, [7], bytearray(32)], ids=repr)
def test_what_is_no_seed_is_named(seed: Any) -> None:
    with pytest.raises(BadSeed, match="a seed is a whole number from 0, or 32 bytes, not "):
        MEOW.start(4, seed)


@pytest.mark.parametrize("name", [None, 3, ["meow"]], ids=repr)
def test_what_is_no_game_is_named(name: Any) -> None:
    with pytest.raises(UnknownGame, match=re.escape(f"no such game: {name!r}")):
        game_named(name)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_what_is_no_action_is_named(game: AnyGame) -> None:
    for action in (-1, game.action_count, "P4", None):
        no_action: Any = action
        with pytest.raises(BadInput, match=re.escape(f"{game.id} has no action {action!r}: ")):
            game.action_text(no_action)
    no_text: Any = 3
    with pytest.raises(BadText, match="3 is not the text of an action, such as '"):
        game.parse_action(no_text)


@pytest.mark.parametrize("action", ["P4", None, 0.5, (1,)], ids=repr)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_state_plays_numbers_only(game: AnyGame, action: Any) -> None:
    state = game.start(4, 7)
    before = state.truth()
    for method in (state.apply, state.is_legal):
        with pytest.raises(BadInput, match=re.escape(f"an action is a number, not {action!r}: ")):
            method(action)
    assert state.truth() == before


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_view_needs_a_state_and_one_of_its_seats(game: AnyGame) -> None:
    state = game.start(4, 7)
    for seat in (-1, 4):
        with pytest.raises(BadInput, match=f"there is no seat {seat}: the seats are 0 to 3"):
            game.view_of(state, seat)
    no_seat: Any = "a"
    with pytest.raises(BadInput, match="a seat is a number, not 'a'"):
        game.view_of(state, no_seat)
    for no_state in (None, game.view_of(state, 0)):
        with pytest.raises(BadInput, match=f"not of {type(no_state).__name__}"):
            game.view_of(no_state, 0)


@pytest.mark.parametrize("setting", LARGEST, ids=str)
def test_a_position_is_printed_throughout_a_match(setting: Setting) -> None:
    game, rng = setting.game, Random(1)
    state = game.start(setting.seats, 1, setting.parameters)
    for number in range(10_000):
        if state.is_over or number % 10 == 0:
            printed = str(state)
            view = str(game.view_of(state, max(state.to_act, 0)))
            assert printed.startswith(f"{view}\n" if view != printed else view)
            assert game.title in view.splitlines()[0]
            assert "\x1b" not in printed
            assert max(map(len, printed.splitlines())) <= 120
        if state.is_over:
            return
        state.apply(state.random_action(rng))


def test_a_printed_state_lists_the_cards_in_every_hand() -> None:
    state = MEOW.start(3, 1)
    hidden = str(state).partition("Hidden from some seats:\n")[2]
    for seat, hand in enumerate(MEOW.hidden_cards(state).hands):
        assert f"  seat {seat}     {' '.join(hand)}\n" in hidden
    assert "  face down  " in hidden


def test_a_view_still_has_the_repr_of_a_named_tuple() -> None:
    assert repr(MEOW.view_of(MEOW.start(3, 1), 0)).startswith("View(parameters=Parameters(expert=")
