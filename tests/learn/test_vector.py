"""Many matches at once are the same matches as one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from arena.errors import BadInput, BadParameter, IllegalAction, UnknownGame, UnknownName
from arena.games.conformance import Setting
from arena.games.registry import all_games
from arena.learn.opponents import Opponent
from arena.learn.table import match_seed, seed_of
from arena.learn.vector import VectorEnv, VectorStep, returns_of
from arena.sdk import Bot
from tests.builders.settings import SETTINGS, every_setting


def at_random(batch: VectorStep, rng: np.random.Generator) -> NDArray[np.int64]:
    """Choose among the legal actions."""
    chosen: NDArray[np.int64] = (rng.random(batch.masks.shape) * batch.masks).argmax(1)
    return chosen


def played(
    env: VectorEnv, steps: int
) -> Iterator[tuple[VectorStep, NDArray[np.int64], VectorStep]]:
    """Play at random; yield each batch, the actions, and the batch that follows."""
    rng = np.random.default_rng(5)
    batch = env.reset()
    for _ in range(steps):
        actions = at_random(batch, rng)
        after = env.step(actions)
        yield batch, actions, after
        batch = after


@every_setting
def test_every_match_is_the_match_that_the_engine_plays(setting: Setting) -> None:
    game = setting.game
    env = VectorEnv(
        game.id, 3, seats=setting.seats, variant=setting.variant, seed=9, ask_forced=True
    )
    numbers = [0, 0, 0]
    states = [game.start(setting.seats, match_seed(seed_of(9), t, 0), setting.parameters)
              for t in range(3)]  # fmt: skip
    encoder = game.encoder(setting.seats)
    for batch, actions, after in played(env, 70):
        views = [game.view_of(state, state.to_act) for state in states]
        assert batch.observations.tobytes() == encoder.encode_many(views)
        assert batch.masks.tobytes() == b"".join(map(encoder.mask, views))
        assert batch.seats.tolist() == [state.to_act for state in states]
        for table, action in enumerate(actions.tolist()):
            states[table].apply(action)
            over = states[table].is_over
            assert after.done[table] == over
            if over:
                outcome = states[table].outcome()
                assert tuple(after.places[table]) == outcome.places
                assert tuple(after.scores[table]) == outcome.scores
                numbers[table] += 1
                seed = match_seed(seed_of(9), table, numbers[table])
                states[table] = game.start(setting.seats, seed, setting.parameters)
            else:
                assert not after.places[table].any()


def test_a_reset_begins_again_from_the_same_seed_or_from_another() -> None:
    env = VectorEnv("meow", 2, seed=3)
    first = env.reset().observations
    env.step(at_random(env.reset(), np.random.default_rng(1)))
    assert np.array_equal(env.reset().observations, first)
    assert not np.array_equal(env.reset(seed=4).observations, first)
    assert np.array_equal(env.reset(seed=3).observations, first)


@pytest.mark.parametrize("setting", SETTINGS[::3], ids=str)
def test_a_seat_without_a_choice_is_not_asked(setting: Setting) -> None:
    env = VectorEnv(setting.game.id, 2, seats=setting.seats, variant=setting.variant)
    for batch, _, _ in played(env, 40):
        assert (batch.masks.sum(1) > 1).all()


def test_rewards_add_up_to_nothing_and_follow_the_places() -> None:
    ends = 0
    for _, _, after in played(VectorEnv("meow", 4, seats=3), 120):
        for table in np.flatnonzero(after.done):
            ends += 1
            rewards, places = after.rewards[table], after.places[table]
            assert abs(rewards.sum()) < 1e-6
            order = np.argsort(places)
            assert (np.diff(rewards[order]) <= 0).all()
            assert rewards.max() <= 1
        assert not after.rewards[~after.done].any()
    assert ends > 3


def test_partners_get_the_same_reward() -> None:
    rewards = [
        after.rewards[after.done]
        for _, _, after in played(VectorEnv("trio", 6, seats=4, variant="simple-teams"), 150)
    ]
    ended = np.concatenate(rewards)
    assert len(ended)
    assert np.array_equal(ended[:, :2], ended[:, 2:])
    assert set(np.unique(ended)) <= {-1, 0, 1}


def test_returns_are_the_rewards_at_the_end_of_the_match() -> None:
    steps = list(played(VectorEnv("meow", 3, seats=2), 130))
    seats = np.stack([batch.seats for batch, _, _ in steps])
    done = np.stack([after.done for _, _, after in steps])
    rewards = np.stack([after.rewards for _, _, after in steps])
    returns = returns_of(seats, done, rewards)
    for step in range(len(steps)):
        for table in range(3):
            ends = np.flatnonzero(done[step:, table])
            if len(ends):
                assert returns[step, table] == rewards[step + ends[0], table, seats[step, table]]
            else:
                assert np.isnan(returns[step, table])


def test_one_illegal_action_is_refused_and_nothing_is_played() -> None:
    env = VectorEnv("meow", 3)
    batch = env.reset()
    actions = batch.masks.argmax(1)
    illegal = (~batch.masks).argmax(1)
    for wrong in (illegal[1], -1, 54):
        with pytest.raises(IllegalAction, match=f"action {wrong} is not legal in match 1"):
            env.step(np.array([actions[0], wrong, actions[2]]))
    assert [view.trick for view in env.views] == [(), (), ()]
    env.step(actions)
    assert all(view.trick for view in env.views)


class Note(Bot):
    """Plays the first legal action and takes note of what it is told."""

    name = "note"
    told: list[tuple[str, Any]]

    def __init__(self) -> None:
        """Begin without notes."""
        self.told = []

    def match_started(self) -> None:
        """Take note of the seat."""
        self.told.append(("started", self.match.seat))

    def happened(self, events: Any) -> None:
        """Take note of the number of events."""
        self.told.append(("events", len(events)))

    def choose(self, view: Any) -> int:
        """Play the first legal action."""
        assert view.seat == self.match.seat == view.to_act
        return self.legal_actions(view)[0]

    def match_ended(self, result: Any) -> None:
        """Take note of the places."""
        self.told.append(("ended", result.places))


def test_with_opponents_each_deal_is_played_once_in_every_seat() -> None:
    env = VectorEnv("meow", 2, seats=3, opponents=[Note, "first"])
    hands: dict[int, list[tuple[int, tuple[Any, ...]]]] = {0: [], 1: []}
    batch = env.reset()
    fresh = np.array([True, True])
    while min(map(len, hands.values())) < 4:
        for table in np.flatnonzero(fresh).tolist():
            view = env.views[table]
            hands[table].append((view.seat, view.later))
        batch = env.step(batch.masks.argmax(1))
        fresh = batch.done
    for table, found in hands.items():
        assert [seat for seat, _ in found[:4]] == [(table + turn) % 3 for turn in range(4)]
        assert len({later for _, later in found[:3]}) == 1
        assert found[3][1] != found[0][1]


def test_opponents_are_told_what_a_bot_in_a_league_is_told() -> None:
    env = VectorEnv("meow", 1, seats=2, opponents=Note)
    (opponent,) = env._setup.opponents
    batch = env.reset()
    while not batch.done[0]:
        batch = env.step(batch.masks.argmax(1))
    told = opponent._bot.told  # type: ignore[attr-defined]
    until = [kind for kind, _ in told].index("ended")
    assert told[0] == ("started", 1)
    assert told[until] == ("ended", tuple(batch.places[0]))
    # 3 deals, 54 cards and 27 tricks.
    assert sum(count for kind, count in told[:until] if kind == "events") == 3 + 54 + 27


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"game": "moew"}, UnknownGame, "did you mean meow"),
        ({"game": "meow", "count": 0}, BadInput, "0 matches cannot be played at once"),
        ({"game": "meow", "seats": 7}, BadParameter, "cannot seat 7"),
        ({"game": "meow", "variant": "expret"}, BadParameter, "did you mean expert"),
        ({"game": "meow", "opponents": ["gredy-meow"] * 2}, UnknownName, "greedy-meow"),
        ({"game": "meow", "opponents": "greedy-trio"}, BadInput, "does not play meow: only trio"),
        ({"game": "meow", "opponents": ["first"], "seats": 4}, BadInput, "1 opponents for 4 seats"),
        ({"game": "meow", "opponents": 5}, BadInput, "an opponent is the name of a bot"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_named(arguments: Any, error: Any, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        VectorEnv(**{"count": 2} | arguments)


@pytest.mark.parametrize("actions", [[1.5, 2.5], [1], [[1, 2]], ["P1", "P2"]], ids=str)
def test_what_are_no_actions_is_named(actions: Any) -> None:
    env = VectorEnv("meow", 2)
    with pytest.raises(BadInput, match="call reset before step"):
        env.step([0, 0])
    env.reset()
    with pytest.raises(BadInput, match="step takes 2 whole numbers, one action for each match"):
        env.step(actions)


def test_a_bot_in_another_language_cannot_play_in_this_process(tmp_path: Any) -> None:
    (tmp_path / "bot.toml").write_text('name = "sh"\ngames = ["meow"]\ncommand = ["sh", "x"]\n')
    with pytest.raises(BadInput, match="sh is not a bot in Python"):
        Opponent(str(tmp_path), all_games()[2])
