"""Strategy: a small network says which cards are good, and a look ahead which of them is best.

The network has learned from matches against itself: `scripts/train meow` made `weights.npz`. It
also plays for all seats when the bot looks ahead, in worlds that fit what the seat sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from lookahead import CANDIDATES, best_after_looking, ranked_cards
from network import Network

from arena.games.meow.view import View
from arena.sdk import Bot, Match, run

ENOUGH_S = 2.0
"""With less time than this on the clock, the network decides alone."""


class LearnedMeow(Bot):
    """Scores all waiting positions in one pass through the network."""

    name = "learned-meow"
    games = ("meow",)
    weights_file: ClassVar[Path] = Path(__file__).with_name("weights.npz")
    looks_ahead: ClassVar[bool] = True

    def __init__(self) -> None:
        """Read the weights."""
        self._network = Network.load(self.weights_file)

    def choose_many(self, views: Sequence[View]) -> list[int]:
        """Return the best card in each view."""
        ranked = ranked_cards(self._network, views)
        if not self.looks_ahead:
            return [cards[0] for cards in ranked]
        return [
            self._look_ahead(match, view, cards[:CANDIDATES])
            for match, view, cards in zip(self.matches, views, ranked, strict=True)
        ]

    def _look_ahead(self, match: Match, view: View, cards: list[int]) -> int:
        if len(cards) == 1 or match.time_left_s < ENOUGH_S:
            return cards[0]
        return best_after_looking(self._network, view, cards, match.rng)


if __name__ == "__main__":
    run(LearnedMeow)
