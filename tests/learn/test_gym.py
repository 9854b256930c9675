"""Gymnasium's own test judges our environments, for every game, variant and number of seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import arena.learn.gym
from arena.errors import BadInput
from arena.games.conformance import Setting
from arena.games.registry import GAME_IDS
from arena.learn.gym import OneSeat
from tests.builders.settings import every_setting


@every_setting
def test_every_game_passes_the_check_of_the_interface(setting: Setting) -> None:
    made = gymnasium.make(
        f"arena.learn.gym:arena/{setting.game.id}-v0",
        seats=setting.seats,
        variant=setting.variant,
        opponents="random",
        disable_env_checker=True,
    )
    check_env(made.unwrapped)


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_a_match_against_the_house_bots_has_an_end(game_id: str) -> None:
    played = OneSeat(game_id, seats=3, opponents=[f"greedy-{game_id}", "first"])
    observation, info = played.reset(seed=2)
    rng = np.random.default_rng(1)
    total, over = 0.0, False
    while not over:
        assert np.array_equal(played.action_masks(), observation["action_mask"])
        assert played.view.to_act == played.view.seat == info["seat"]
        action = rng.choice(np.flatnonzero(observation["action_mask"]))
        observation, reward, over, cut_off, info = played.step(action)
        assert not cut_off
        total += reward
    assert total == {1: 1.0, 2: 0.0, 3: -1.0}.get(info["places"][played.seat], total)
    assert -1 <= total <= 1
    with pytest.raises(BadInput, match="the match is over, or has not begun: call reset"):
        played.step(0)


def test_the_seat_moves_on_unless_it_is_chosen() -> None:
    moving = OneSeat("meow", seats=3)
    assert [moving.reset(seed=1)[1]["seat"], *(moving.reset()[1]["seat"] for _ in range(4))] == [
        0, 1, 2, 0, 1,
    ]  # fmt: skip
    fixed = OneSeat("meow", seats=3, seat=2)
    assert {fixed.reset()[1]["seat"] for _ in range(4)} == {2}


def test_a_deal_is_played_once_in_every_seat() -> None:
    played = OneSeat("meow", seats=2)
    played.reset(seed=1)
    later = [played.view.later]
    for _ in range(3):
        played.reset()
        later.append(played.view.later)
    assert later[0] == later[1] != later[2] == later[3]


def test_an_illegal_action_loses_the_match() -> None:
    played = OneSeat("meow", seats=2)
    observation, _ = played.reset(seed=1)
    illegal = int((1 - observation["action_mask"]).argmax())
    _, reward, over, _, info = played.step(illegal)
    assert (reward, over, info["illegal"]) == (-1, True, illegal)


def test_a_page_shows_only_what_the_seat_knows(capsys: Any) -> None:
    played = OneSeat("meow", seats=2, render_mode="html")
    played.reset(seed=1)
    page = played.render()
    assert page.startswith("<!DOCTYPE html>")
    assert '"viewpoint":0' in page
    assert '"seed":' not in page
    shown = OneSeat("meow", seats=2, render_mode="human")
    shown.reset(seed=1)
    assert shown.render() is None
    assert "seat 0 you" in capsys.readouterr().out
    silent = OneSeat("meow", seats=2)
    silent.reset(seed=1)
    with pytest.raises(BadInput, match="pass render_mode when you make the environment"):
        silent.render()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"seat": 4}, "there is no seat 4: the seats are 0 to 3"),
        ({"opponents": ()}, "name at least one opponent"),
        ({"opponents": ["random"], "seats": 3}, "1 opponents for 3 seats"),
        ({"render_mode": "gif"}, "no such render_mode: 'gif'"),
    ],
    ids=str,
)
def test_what_there_is_not_is_named(settings: Any, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        OneSeat("meow", **settings)


def test_all_games_are_registered() -> None:
    ids = {f"arena/{game_id}-v0" for game_id in GAME_IDS}
    assert ids <= set(gymnasium.registry)
    assert arena.learn.gym.OneSeat is OneSeat
