"""What can be said of any game: nothing looks better than anything else, and the result counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, ClassVar

MARGIN_SHARE = 0.3
"""How much of a reward is for the margin of the score, the rest being for the place."""


class Plain:
    """The guide to a game of which nothing is known; what a guide does not say, this one does."""

    trust: ClassVar[float] = 3.0
    """How many tries of an action its prior weighs."""
    doubt: ClassVar[float] = 0.3
    """How far an action that was seldom tried is given the benefit of the doubt."""
    ripe: ClassVar[float] = 30
    """So often an action must have been tried before those that follow it are told apart."""
    spread: ClassVar[float] = 10.0
    """A lead of so many points over the mean of the others is as good as any larger one."""

    def __init__(self, view: Any) -> None:
        """Prepare for one decision of the view's seat."""
        self.view = view

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Tell what each action promises."""
        return [0.0] * len(actions)

    def rollout(self, state: Any, rng: Random) -> int:
        """Return a sensible action."""
        action: int = state.random_action(rng)
        return action

    def is_far_enough(self, state: Any) -> bool:
        """Tell whether to judge this state as it is."""
        return False

    def play_on(self, state: Any, rng: Random) -> None:
        """Play until the match is over, or far enough."""
        while state.to_act >= 0 and not self.is_far_enough(state):
            state.apply(self.rollout(state, rng))

    def rewards(self, state: Any) -> list[float]:
        """Tell what the match is worth to each seat."""
        outcome = state.outcome()
        return mixed(outcome.places, outcome.scores, self.spread)

    def seen(self, state: Any, seat: int) -> Hashable:
        """Tell what chance has just shown to this seat."""
        return None


def mixed(places: Sequence[float], scores: Sequence[float], spread: float) -> list[float]:
    """Weigh place and margin: winning counts, and by how much says how surely."""
    others = len(places) - 1
    total = sum(scores)
    rewards = []
    for place, score in zip(places, scores, strict=True):
        behind = sum([(place < other) + (place <= other) for other in places]) - 1
        lead = (score - (total - score) / others) / spread
        margin = (1 + max(-1.0, min(1.0, lead))) / 2
        rewards.append((1 - MARGIN_SHARE) * behind / (2 * others) + MARGIN_SHARE * margin)
    return rewards
