"""The default guide, for any game: no action looks better than another, and the result counts."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any, ClassVar

MARGIN_SHARE = 0.3
"""Share of a reward for the margin of the score; the rest is for the place."""


class PlainGuide:
    """A guide that works for any game; base class of the others."""

    prior_weight: ClassVar[float] = 3.0
    """The weight of an action's prior, in tries."""
    exploration: ClassVar[float] = 0.3
    """The weight of exploration: how much a rarely tried action is favoured."""
    expand_after: ClassVar[float] = 30
    """Tries of an action before the actions that follow it get their own nodes."""
    full_lead: ClassVar[float] = 10.0
    """The lead over the mean of the others that earns the full reward for the margin."""

    def __init__(self, view: Any) -> None:
        """Prepare for one decision of the view's seat."""
        self.view = view

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the expected reward of each action."""
        return [0.0] * len(actions)

    def rollout(self, state: Any, rng: Random) -> int:
        """Return a sensible action."""
        action: int = state.random_action(rng)
        return action

    def is_far_enough(self, state: Any) -> bool:
        """Return whether to stop here and evaluate this state."""
        return False

    def play_on(self, state: Any, rng: Random) -> None:
        """Play until the match is over or far enough."""
        while state.to_act >= 0 and not self.is_far_enough(state):
            state.apply(self.rollout(state, rng))

    def rewards(self, state: Any) -> list[float]:
        """Return what the match is worth to each seat."""
        outcome = state.outcome()
        return place_and_margin_rewards(outcome.places, outcome.scores, self.full_lead)

    def observation(self, state: Any, seat: int) -> Hashable:
        """Return what chance has just revealed to this seat."""
        return None


def place_and_margin_rewards(
    places: Sequence[float], scores: Sequence[float], full_lead: float
) -> list[float]:
    """Combine place and margin: winning counts most, and the margin shows how safe it was."""
    others = len(places) - 1
    total = sum(scores)
    rewards = []
    for place, score in zip(places, scores, strict=True):
        behind = sum([(place < other) + (place <= other) for other in places]) - 1
        lead = (score - (total - score) / others) / full_lead
        margin = (1 + max(-1.0, min(1.0, lead))) / 2
        rewards.append((1 - MARGIN_SHARE) * behind / (2 * others) + MARGIN_SHARE * margin)
    return rewards
