"""A network that learns, with everything needed to stop and continue: a checkpoint is one file."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from features import WIDTH
from network import Floats, Network

HIDDEN = (128, 64)
_DECAY, _DECAY_OF_SQUARES, _TINY = 0.9, 0.999, 1e-8
_DECAY_OF_AVERAGE = 0.999
"""The bot gets an average of the last thousand weights or so: single ones follow every accident."""


class Learner:
    """A network, and the state of Adam, which adapts its weights."""

    def __init__(self, network: Network, seed: int) -> None:
        """Begin with a network that has learned nothing."""
        self.network = network
        self.rng = np.random.default_rng(seed)
        self.updates = 0
        self.matches = 0
        self.curve: list[tuple[int, float, float]] = []
        """Matches played, share of the points against greedy, and its standard error."""
        weights = network.weights
        self._average = {name: each.copy() for name, each in weights.items()}
        self._mean = {name: np.zeros_like(each) for name, each in weights.items()}
        self._square = {name: np.zeros_like(each) for name, each in weights.items()}

    @classmethod
    def new(cls, seed: int) -> Learner:
        """Draw the first weights at random."""
        rng = np.random.default_rng(seed)
        sizes = (WIDTH, *HIDDEN, 1)
        weights: dict[str, Floats] = {}
        for layer, (into, out) in enumerate(pairwise(sizes), 1):
            scale = np.sqrt(2 / into) if out > 1 else 0.01
            weights[f"w{layer}"] = (rng.standard_normal((into, out)) * scale).astype(np.float32)
            weights[f"b{layer}"] = np.zeros(out, dtype=np.float32)
        return cls(Network(weights), seed)

    def learn(self, rows: Floats, targets: Floats, *, rate: float, batch: int = 512) -> float:
        """Go through all rows once, in random order; return the mean error."""
        order = self.rng.permutation(len(rows))
        total = 0.0
        for first in range(0, len(rows), batch):
            some = order[first : first + batch]
            total += self._update(rows[some], targets[some], rate) * len(some)
        return total / len(rows)

    def _update(self, rows: Floats, targets: Floats, rate: float) -> float:
        weights = self.network.weights
        first, second, scores = self.network.layers(rows)
        error = scores - targets
        slope = (error / len(rows))[:, None]
        back_to_second = (slope @ weights["w3"].T) * (second > 0)
        back_to_first = (back_to_second @ weights["w2"].T) * (first > 0)
        gradients = {
            "w3": second.T @ slope,
            "b3": slope.sum(axis=0),
            "w2": first.T @ back_to_second,
            "b2": back_to_second.sum(axis=0),
            "w1": rows.T @ back_to_first,
            "b1": back_to_first.sum(axis=0),
        }
        self.updates += 1
        scale = np.sqrt(1 - _DECAY_OF_SQUARES**self.updates) / (1 - _DECAY**self.updates)
        for name, gradient in gradients.items():
            mean, square = self._mean[name], self._square[name]
            mean += (1 - _DECAY) * (gradient - mean)
            square += (1 - _DECAY_OF_SQUARES) * (gradient**2 - square)
            weights[name] -= (rate * scale * mean / (np.sqrt(square) + _TINY)).astype(np.float32)
        # In the beginning the average covers what there is, so that it forgets the first weights.
        keep = min(_DECAY_OF_AVERAGE, self.updates / (self.updates + 10))
        for name, average in self._average.items():
            average += np.float32(1 - keep) * (weights[name] - average)
        return float(np.abs(error).mean())

    def save(self, path: Path) -> None:
        """Write a checkpoint; a crash leaves the old one or the new one."""
        arrays: dict[str, Any] = {}
        for prefix, group in self._groups().items():
            arrays |= {f"{prefix}.{name}": each for name, each in group.items()}
        facts = {
            "updates": self.updates,
            "matches": self.matches,
            "curve": self.curve,
            "rng": self.rng.bit_generator.state,
        }
        arrays["facts"] = np.array(json.dumps(facts))
        _write(path, arrays)

    @classmethod
    def load(cls, path: Path) -> Learner:
        """Continue from a checkpoint."""
        with np.load(path, allow_pickle=False) as stored:
            facts = json.loads(str(stored["facts"]))
            found = {name: stored[name] for name in stored.files if name != "facts"}
        groups: dict[str, dict[str, Floats]] = {
            "weight": {},
            "average": {},
            "mean": {},
            "square": {},
        }
        for name, each in found.items():
            prefix, _, rest = name.partition(".")
            groups[prefix][rest] = each
        learner = cls(Network(groups["weight"]), 0)
        learner._average = groups["average"]
        learner._mean, learner._square = groups["mean"], groups["square"]
        learner.updates, learner.matches = facts["updates"], facts["matches"]
        learner.curve = [(matches, share, error) for matches, share, error in facts["curve"]]
        learner.rng.bit_generator.state = facts["rng"]
        return learner

    def export(self, path: Path) -> None:
        """Write only the averaged weights, for the bot."""
        _write(path, {name: each.astype(np.float16) for name, each in self._average.items()})

    def _groups(self) -> dict[str, dict[str, Floats]]:
        return {
            "weight": self.network.weights,
            "average": self._average,
            "mean": self._mean,
            "square": self._square,
        }


def _write(path: Path, arrays: dict[str, Any]) -> None:
    new = path.with_name(f"{path.name}.new")
    with open(new, "wb") as file:
        np.savez_compressed(file, **arrays)
    os.replace(new, path)
