"""Training: a bot learns from matches against itself, and training can stop at any time."""

from __future__ import annotations

from pathlib import Path
from random import Random
from xml.etree import ElementTree

import numpy as np
from click.testing import CliRunner
from features import WIDTH, features_of
from lookahead import ranked_cards
from network import Network
from training.learner import Learner
from training.meow import main
from training.selfplay import play

from arena.games.meow import GAME
from arena.games.meow.parameters import Parameters
from arena.sdk import Match
from tests.bots.inprocess import BOTS, bot_class, share_of


def train(folder: Path, matches: int) -> str:
    """Train for a moment; return what the command says."""
    words = f"--matches {matches} --tables 4 --deals 2 --evaluate 8".split()
    files = ["--folder", str(folder), "--out", str(folder / "weights.npz")]
    result = CliRunner().invoke(main, [*words, *files], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stderr


def test_a_training_of_seconds_writes_weights_and_a_curve_and_continues(tmp_path: Path) -> None:
    said = train(tmp_path, 8)
    assert "ahead of greedy-meow in " in said
    first = Learner.load(tmp_path / "checkpoint.npz")
    assert first.matches == 8
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as weights:
        assert weights["w1"].shape[0] == WIDTH
    ElementTree.parse(tmp_path / "curve.svg")
    assert "continuing after 8 matches" in train(tmp_path, 12)
    assert Learner.load(tmp_path / "checkpoint.npz").matches == 12


def test_a_checkpoint_continues_exactly_as_if_nothing_had_happened(tmp_path: Path) -> None:
    def step(learner: Learner) -> None:
        lessons = play(
            learner.network,
            learner.rng,
            tables=3,
            seats=3,
            parameters=Parameters(),
            curiosity=0.1,
        )
        learner.learn(lessons.rows, lessons.targets, rate=1e-3)

    learner = Learner.new(7)
    step(learner)
    learner.save(tmp_path / "checkpoint.npz")
    again = Learner.load(tmp_path / "checkpoint.npz")
    step(learner)
    step(again)
    for name, weights in learner.network.weights.items():
        assert np.array_equal(weights, again.network.weights[name])


def test_what_is_learned_adds_up_to_the_result_of_the_match() -> None:
    """Without anything expected, the first decision of a seat is worth its final lead."""
    learner = Learner.new(1)
    for weights in learner.network.weights.values():
        weights[:] = 0
    tables, seats = 5, 3
    lessons = play(
        learner.network,
        np.random.default_rng(1),
        tables=tables,
        seats=seats,
        parameters=Parameters(),
        curiosity=0.0,
    )
    decisions = 27
    targets = lessons.targets.reshape(seats, decisions, tables)
    # What one seat leads by, the others trail by; the last in each row is the first decision.
    assert np.allclose(targets[:, -1].sum(axis=0), 0, atol=1e-4)
    assert targets.shape == (seats, decisions, tables)
    assert len(lessons.rows) == targets.size


def test_a_network_learns_what_it_is_taught() -> None:
    learner = Learner.new(3)
    rng = np.random.default_rng(0)
    rows = rng.random((2048, WIDTH), dtype=np.float32)
    targets = (rows[:, 0] - rows[:, 1]).astype(np.float32)
    before = learner.learn(rows, targets, rate=1e-3)
    for _ in range(20):
        after = learner.learn(rows, targets, rate=1e-3)
    assert after < before / 3


def test_there_is_a_row_for_every_playable_card_and_for_no_other() -> None:
    states = [GAME.start(seats, seats, "expert") for seats in GAME.seat_counts]
    views = [GAME.view_of(state, state.to_act) for state in states]
    rows, which, cards = features_of(views)
    assert rows.shape == (len(cards), WIDTH)
    assert np.isfinite(rows).all()
    for number, state in enumerate(states):
        assert cards[which == number].tolist() == state.legal_actions()


class NetworkAlone(bot_class(str(BOTS / "learned-meow"))):  # type: ignore[misc]
    """The bot without its look ahead."""

    looks_ahead = False


def test_the_network_alone_is_far_ahead_of_random() -> None:
    share = share_of(GAME, [NetworkAlone, bot_class("random")], deals=8, seed=100)
    assert share.mean > 0.8


def test_looking_ahead_chooses_among_the_cards_that_the_network_likes_best() -> None:
    bot = bot_class(str(BOTS / "learned-meow"))()
    state = GAME.start(3, 5)
    view = GAME.view_of(state, 0)
    match = Match(
        game=GAME,
        parameters=view.parameters,
        seats=3,
        seat=0,
        bank_s=10.0,
        increment_s=0.1,
        counts_cpu=True,
        commitment=b"",
        rng=bytes(32),
    )
    match.time_left_s = 10.0
    bot.matches = [match]
    (best, *others) = ranked_cards(Network.load(BOTS / "learned-meow" / "weights.npz"), [view])[0]
    assert bot.choose_many([view])[0] in (best, *others[:2])
    match.time_left_s = 0.1
    assert bot.choose_many([view]) == [best]


def test_the_network_decides_alone_as_among_many() -> None:
    bot = NetworkAlone()
    rng = Random(5)
    views = []
    for number in range(300):
        state = GAME.start(2 + number % 5, number)
        for _ in range(rng.randrange(50)):
            state.apply(state.random_action(rng))
        views.append(GAME.view_of(state, state.to_act))
    together = bot.choose_many(views)
    assert together == [bot.choose_many([view])[0] for view in views]
    assert all(card in GAME.legal_actions(view) for card, view in zip(together, views, strict=True))
