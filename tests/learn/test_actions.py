"""Actions may be integers of numpy; what states, histories and replays keep are plain integers."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from arena.errors import BadInput, IllegalAction
from arena.games.conformance import Setting, settings_of
from arena.games.registry import AnyGame, all_games
from arena.learn.tree import tree_of

SETTINGS = [
    setting for game in all_games() for setting in settings_of(game) if setting.seats in (4, 6)
]


def numbers_in(value: Any) -> list[Any]:
    """List everything within nested tuples and lists."""
    if isinstance(value, tuple | list):
        return [each for part in value for each in numbers_in(part)]
    return [value]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_state_keeps_plain_integers_when_numpy_chooses(setting: Setting) -> None:
    game, rng = setting.game, Random(1)
    plain = game.start(setting.seats, 7, setting.parameters, recording=True)
    state = game.start(setting.seats, 7, setting.parameters, recording=True)
    for _ in range(300):
        if plain.is_over:
            break
        action = plain.random_action(rng)
        plain.apply(action)
        state.apply(np.int64(action))
        seen = game.view_of(state, max(state.to_act, 0))
        kept = numbers_in([state.truth(), state.events[-5:], seen])
        assert not any(isinstance(each, np.generic) for each in kept)
    assert state.truth() == plain.truth()
    assert state.events == plain.events


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_tree_takes_integers_of_numpy(game: AnyGame) -> None:
    rng = Random(2)
    node = tree_of(game, game.seat_counts[0])
    for _ in range(60):
        action: Any = np.int64(rng.choice(node.legal_actions()))
        node = node.after(action)
        assert all(type(drawn) is int for drawn in node.drawn)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
@pytest.mark.parametrize("wrong", ["P1", None, [1], np.array([1, 2])], ids=repr)
def test_what_is_no_number_is_refused_by_states_and_trees(game: AnyGame, wrong: Any) -> None:
    state = game.start(3, 7)
    before = state.truth()
    with pytest.raises((BadInput, IllegalAction)):
        state.apply(wrong)
    with pytest.raises(BadInput, match="an action is a number"):
        tree_of(game, 3).after(wrong)
    assert state.truth() == before
