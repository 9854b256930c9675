"""The recipe: try a few actions in the same worlds, and again and again drop the worse half.

A world is a complete state that fits what the seat sees. Each action is played in it, a simple
policy plays on, and the position that follows is valued. All actions meet the same worlds, with the
same cards and dice, so that none looks better by luck. After each stage the worse half of the
actions is dropped, so that the time goes to those that are hard to tell apart. The action with the
best prior always stays, because nothing is lost by playing as before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log2
from random import Random
from typing import Any


class Search:
    """The search for one decision."""

    def __init__(
        self, game: Any, guide: Any, view: Any, actions: Sequence[int], rng: Random
    ) -> None:
        """Choose the candidates: the actions with the best priors."""
        self._game, self._guide, self._view, self._rng = game, guide, view, rng
        prior = dict(zip(actions, guide.prior(actions), strict=True))
        ranked = sorted(actions, key=prior.__getitem__, reverse=True)
        self.candidates = ranked[: guide.width]
        self._favourite = ranked[0]
        # A prior counts like this many worlds.
        self._total = {action: guide.prior_weight * prior[action] for action in self.candidates}
        self.playouts = 0

    def run(self, spent: Callable[[int], float]) -> int:
        """Return the best action; `spent` turns playouts into the share of the effort used."""
        stages = ceil(log2(len(self.candidates) or 1))
        for stage in range(1, stages + 1):
            while spent(self.playouts) < stage / stages:
                self.try_all()
            self.drop_worse_half()
        return self.best()

    def best(self) -> int:
        """Return the best action so far."""
        return max(self.candidates, key=self._total.__getitem__)

    def try_all(self) -> None:
        """Try all candidates in one more world."""
        world = self._game.world(self._view, self._rng)
        for action in self.candidates:
            state = world.copy()
            state.apply(action)
            self._guide.play_on(state, self._rng)
            self._total[action] += self._guide.rewards(state)[self._view.seat]
        self.playouts += len(self.candidates)

    def drop_worse_half(self) -> None:
        """Keep the better half of the candidates, and the one with the best prior."""
        self.candidates.sort(key=self._total.__getitem__, reverse=True)
        half = len(self.candidates) + 1 >> 1
        dropped = self.candidates[half:]
        del self.candidates[half:]
        if self._favourite in dropped:
            self.candidates.append(self._favourite)
