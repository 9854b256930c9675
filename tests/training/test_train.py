"""Training: a bot learns from matches against itself, and training can stop at any time."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner
from features import WIDTH
from network import UNITS
from training import selfplay
from training.learner import Learner
from training.meow import main
from training.selfplay import play

from arena.games.meow.parameters import Parameters


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


def test_weights_can_be_measured_without_training(tmp_path: Path) -> None:
    missing = ["--measure", "--out", str(tmp_path / "weights.npz")]
    result = CliRunner().invoke(main, missing)
    assert result.exit_code == 1
    assert "no such file; train first" in result.output
    before = sorted(tmp_path.iterdir())
    result = CliRunner().invoke(main, ["--measure", "--deals", "3"], catch_exceptions=False)
    assert result.output.startswith("ahead of greedy-meow in 0.")
    assert sorted(tmp_path.iterdir()) == before


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


def test_what_is_learned_adds_up_to_the_result_of_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without anything expected, the first decision of a seat is worth its final share."""
    monkeypatch.setattr(selfplay, "LAMBDA", 1.0)
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
    # All seats begin with half a share; the last in each row is the first decision.
    final = targets[:, -1] / UNITS + 0.5
    assert np.allclose(final.sum(axis=0), seats / 2, atol=1e-4)
    assert np.allclose(final * 2 * (seats - 1), np.round(final * 2 * (seats - 1)), atol=1e-4)
    assert np.ptp(final) > 0
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
