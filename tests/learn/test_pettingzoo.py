"""PettingZoo's own tests judge our environments, for every game, variant and number of seats."""

from __future__ import annotations

import warnings
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from arena.errors import BadInput
from arena.games.conformance import Setting
from arena.learn.pettingzoo import env, raw_env
from tests.builders.settings import SETTINGS, every_setting

pytestmark = [
    # What its own card games do as well: observations are dictionaries with masks, and nobody may
    # do anything when a match is over.
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def made(make: Any, setting: Setting, words: str = "") -> Any:
    """Return a function that makes an environment for a setting."""
    variant = f"{setting.variant} {words}"
    return partial(make, setting.game.id, seats=setting.seats, variant=variant)


@every_setting
def test_every_game_passes_the_test_of_the_interface(setting: Setting) -> None:
    api_test(made(env, setting)(), num_cycles=20)
    api_test(made(raw_env, setting)(max_cycles=3), num_cycles=10)


@every_setting
def test_the_same_seed_gives_the_same_match(setting: Setting) -> None:
    seed_test(made(env, setting), num_cycles=10)


@pytest.mark.parametrize("setting", SETTINGS[::6], ids=str)
def test_every_way_of_rendering_passes(setting: Setting, capsys: Any) -> None:
    def is_page(page: str) -> bool:
        return page.startswith("<!DOCTYPE html>") and setting.game.title.split()[0] in page

    render_test(made(env, setting), custom_tests={"html": is_page})
    assert "seat 0" in capsys.readouterr().out


@pytest.mark.parametrize("setting", SETTINGS[::4], ids=str)
def test_agents_see_and_get_what_the_rules_say(setting: Setting) -> None:
    game = setting.game
    encoder = game.encoder(setting.seats)
    played = made(raw_env, setting, "turn_cap=5" if setting.game.id == "trio" else "")()
    played.reset(seed=3)
    state = played._state.copy()
    rng = np.random.default_rng(1)
    for agent in played.agent_iter():
        observation, reward, terminated, truncated, info = played.last()
        if terminated:
            break
        assert (reward, truncated, agent) == (0, False, f"seat_{state.to_act}")
        view = game.view_of(state, state.to_act)
        assert observation["observation"].tobytes() == bytes(encoder.encode(view))
        assert observation["action_mask"] is info["action_mask"]
        assert np.flatnonzero(observation["action_mask"]).tolist() == state.legal_actions()
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        played.step(np.int32(action))
        state.apply(action)
    outcome = state.outcome()
    rewards = [played.rewards[agent] for agent in played.possible_agents]
    places = [played.infos[agent]["place"] for agent in played.possible_agents]
    assert tuple(places) == outcome.places
    assert sum(rewards) == pytest.approx(0)
    assert [sorted(places)[0] == place for place in places] == [
        reward == max(rewards) for reward in rewards
    ]


def test_an_illegal_action_ends_the_match_for_all_and_costs_its_seat() -> None:
    played = raw_env("meow", seats=3)
    played.reset(seed=1)
    illegal = int((1 - played.observe("seat_0")["action_mask"]).argmax())
    played.step(illegal)
    assert played.rewards == {"seat_0": -1, "seat_1": 0, "seat_2": 0}
    assert all(played.terminations.values())


def test_another_reset_deals_another_match() -> None:
    played = raw_env("meow")
    played.reset(seed=1)
    first = played.observe("seat_0")["observation"]
    played.reset()
    assert not np.array_equal(played.observe("seat_0")["observation"], first)
    played.reset(seed=1)
    assert np.array_equal(played.observe("seat_0")["observation"], first)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: raw_env("meow", render_mode="gif"), "no such render_mode: 'gif'"),
        (lambda: raw_env("meow").render(), "call reset before render"),
    ],
)
def test_what_there_is_not_is_named(make: Any, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        make()


@pytest.mark.parametrize("action", [1.5, "P1", None], ids=repr)
def test_what_is_no_action_is_named(action: Any) -> None:
    played = raw_env("meow")
    played.reset(seed=1)
    with pytest.raises(BadInput, match="an action is a whole number from 0 to 53"):
        played.step(action)


def test_nothing_warns_outside_of_what_pettingzoo_does_itself() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        played = env("meow", seats=2)
        played.reset(seed=1)
        for agent in played.agent_iter(20):
            observation, *_ = played.last()
            played.step(played.action_space(agent).sample(observation["action_mask"]))
