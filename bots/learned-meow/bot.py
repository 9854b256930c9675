"""Strategy: a small network plays the round on in sampled worlds, and the best card is played.

The network has learned from matches against itself: `scripts/train meow` made `weights.npz`. It
decides alone when time is short.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import ClassVar

from lookahead import best_after_looking, best_cards
from network import Network

from arena.games.meow.view import View
from arena.sdk import Bot, run

ENOUGH_S = 2.0
"""With less time than this on the clock, the network decides alone."""


class LearnedMeow(Bot):
    """Decides all waiting positions that are at the same place of a match together."""

    name = "learned-meow"
    games = ("meow",)
    weights_file: ClassVar[Path] = Path(__file__).with_name("weights.npz")
    looks_ahead: ClassVar[bool] = True

    def __init__(self) -> None:
        """Read the weights."""
        self._network = Network.load(self.weights_file)

    def choose_many(self, views: Sequence[View]) -> list[int]:
        """Return the best card in each view."""
        groups: dict[Hashable, list[int]] = {}
        for number, (view, match) in enumerate(zip(views, self.matches, strict=True)):
            looks = self.looks_ahead and match.time_left_s >= ENOUGH_S
            groups.setdefault((looks, *_place(view)), []).append(number)
        chosen = [0] * len(views)
        for (looks, *_), numbers in groups.items():
            some = [views[number] for number in numbers]
            if looks:
                rngs = [self.matches[number].rng for number in numbers]
                cards = best_after_looking(self._network, some, rngs)
            else:
                cards = best_cards(self._network, some)
            for number, card in zip(numbers, cards, strict=True):
                chosen[number] = card
        return chosen


def _place(view: View) -> tuple[Hashable, ...]:
    """Return what views that are decided together have in common."""
    return view.parameters, view.seats, view.round, len(view.row), len(view.trick)


if __name__ == "__main__":
    run(LearnedMeow)
