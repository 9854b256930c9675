"""No seat learns from its view what it may not know.

Random reachable states are redealt, keeping what the seat knows. The seat must not notice any
difference, and the redealt state must differ wherever that is possible. View functions that each
leak one thing show that the test works: all of them are caught.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest

from arena.games.conformance import Setting, difference, settings_of
from arena.games.randomness import seed_from
from arena.games.registry import GAME_IDS, game_named
from tests.builders.settings import every_setting


def hidden(game_id: str) -> Any:
    """Return the module with a game's leaks and its exchange of hidden cards."""
    return import_module(f"tests.games.{game_id}.hidden")


def states(setting: Setting, matches: int, share: float) -> Iterator[Any]:
    """Yield random reachable states; the same object each time within a match."""
    rng = Random(11)
    for number in range(matches):
        state = setting.game.start(setting.seats, seed_from(number), setting.parameters)
        decisions = 0
        while not state.is_over and decisions < 400:
            if rng.random() < share or decisions < 2:
                yield state
            state.apply(state.random_action(rng))
            decisions += 1


def can_differ(setting: Setting, state: Any, seat: int, rng: Random) -> bool:
    """Return whether exchanging two hidden pieces gives a state that the seat cannot tell apart."""
    exchange_hidden = hidden(setting.game.id).exchange_hidden
    for _ in range(10):
        other = exchange_hidden(state, rng)
        if (
            other is not None
            and other.truth() != state.truth()
            and difference(setting.game, state, other, seat) is None
        ):
            return True
    return False


@every_setting
def test_no_seat_can_tell_a_redealt_state_from_the_true_one(setting: Setting) -> None:
    rng = Random(5)
    for state in states(setting, matches=2, share=0.1):
        for seat in range(setting.seats):
            for _ in range(2):
                other = setting.game.redeal(state, seat, rng)
                assert difference(setting.game, state, other, seat) is None


NOTHING_HIDDEN = {"meow expert with 2 seats"}
"""Settings where every card is in the seat's own hand or in the only other one."""


@every_setting
def test_a_redealt_state_differs_wherever_it_can(setting: Setting) -> None:
    rng = Random(6)
    checked = 0
    for state in states(setting, matches=2, share=0.05):
        for seat in range(setting.seats):
            if not can_differ(setting, state, seat, rng):
                continue
            checked += 1
            redealt = (setting.game.redeal(state, seat, rng) for _ in range(200))
            assert any(other.truth() != state.truth() for other in redealt)
    assert (checked == 0) == (str(setting) in NOTHING_HIDDEN), "a test of nothing proves nothing"


LEAKS = [
    pytest.param(game_id, leak, id=f"{game_id}: {name}")
    for game_id in GAME_IDS
    for name, leak in hidden(game_id).LEAKS.items()
]


@pytest.mark.parametrize(("game_id", "leak"), LEAKS)
def test_a_view_that_leaks_is_caught(game_id: str, leak: Callable[[Any, int], Any]) -> None:
    assert any(_notices(setting, leak) for setting in settings_of(game_named(game_id))), (
        "the leak went unnoticed"
    )


def _notices(setting: Setting, leak: Callable[[Any, int], Any]) -> bool:
    rng = Random(7)
    return any(
        difference(setting.game, state, setting.game.redeal(state, seat, rng), seat, leak)
        for state in states(setting, matches=3, share=0.2)
        for seat in range(setting.seats)
    )


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_every_game_has_three_leaks_to_catch(game_id: str) -> None:
    assert len(hidden(game_id).LEAKS) >= 3
