"""Strategy: play the card that a small network expects to gain most.

The network has learned from matches against itself: `scripts/train meow` made `weights.npz`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from features import WIDTH, features_of
from network import Network

from arena.games.meow.cards import HAND
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
        # Each view is a group of equal size: sums of another size are rounded differently, and a
        # decision must not depend on what else is waiting.
        place = np.arange(len(which)) - np.searchsorted(which, which)
        groups = np.zeros((len(views), HAND, WIDTH), dtype=np.float32)
        groups[which, place] = rows
        scores = np.full((len(views), HAND), -np.inf, dtype=np.float32)
        scores[which, place] = self._network.scores(groups)[which, place]
        first = np.searchsorted(which, np.arange(len(views)))
        return [int(card) for card in cards[first + scores.argmax(axis=1)]]


if __name__ == "__main__":
    run(LearnedMeow)
