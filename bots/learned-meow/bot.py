"""Strategy: play the card that a small network expects to gain most.

The network has learned from matches against itself: `scripts/train meow` made `weights.npz`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from features import features_of
from network import Network

from arena.games.meow.view import View
from arena.sdk import Bot, run


class LearnedMeow(Bot):
    """Decides all waiting positions in one pass through the network."""

    name = "learned-meow"
    games = ("meow",)
    weights_file = Path(__file__).with_name("weights.npz")

    def __init__(self) -> None:
        """Read the weights."""
        self._network = Network.load(self.weights_file)

    def choose_many(self, views: Sequence[View]) -> list[int]:
        """Return the card with the best score in each view."""
        rows, which, cards = features_of(views)
        scores = self._network.scores(rows)
        # Sorted by view and then by score: the last card of each view is its best.
        order = np.lexsort((scores, which))
        last = np.append(np.flatnonzero(np.diff(which[order])), len(order) - 1)
        return [int(card) for card in cards[order[last]]]


if __name__ == "__main__":
    run(LearnedMeow)
