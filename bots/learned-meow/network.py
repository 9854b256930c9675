"""A small network that scores rows of features."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

UNITS = 10
"""This score is a whole share: to end ahead of all opponents instead of none."""


class Network:
    """Three layers: each row of features becomes one number, the expected gain of a card."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        """Take the weights by name."""
        self.weights = weights

    @classmethod
    def load(cls, path: Path) -> Network:
        """Read the weights from a file."""
        with np.load(path, allow_pickle=False) as stored:
            return cls({name: stored[name].astype(np.float32) for name in stored.files})

    def layers(self, rows: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the values of the two hidden layers, and the scores."""
        w = self.weights
        first = np.maximum(rows @ w["w1"] + w["b1"], 0)
        second = np.maximum(first @ w["w2"] + w["b2"], 0)
        return first, second, (second @ w["w3"] + w["b3"])[..., 0]

    def scores(self, rows: Floats) -> Floats:
        """Score each row, independently of the other rows.

        The order in which a product of matrices is summed depends on their size. With more digits
        than are kept in the end, this makes no difference: a decision must not depend on what else
        is waiting.
        """
        exact = Network({name: each.astype(np.float64) for name, each in self.weights.items()})
        return exact.layers(rows.astype(np.float64))[2].astype(np.float32)
