"""What the search has to know about a game, for a game of which it knows nothing.

A guide is made for each decision, from the view of the deciding seat, and can prepare whatever its
methods need. The guides to our games derive from this one and know better.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar


class PlainGuide:
    """No action looks better than another, playouts are random, and the outcome counts."""

    width: ClassVar[int] = 12
    """How many actions to try: those with the best priors."""
    prior_weight: ClassVar[float] = 0.0
    """How many worlds an action's prior counts for."""

    def __init__(self, view: Any) -> None:
        """Prepare for one decision of the view's seat."""
        self.view = view

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return what each action is expected to be worth; only differences matter."""
        return [0.0] * len(actions)

    def policy(self, state: Any, rng: Random) -> int:
        """Return a sensible action, in a few microseconds.

        The state is complete, but what the seat to act does not know should not be used.
        """
        action: int = state.random_action(rng)
        return action

    def is_far_enough(self, state: Any) -> bool:
        """Return whether to stop before the end."""
        return False

    def play_on(self, state: Any, rng: Random) -> None:
        """Play until the match is over or far enough."""
        policy, is_far_enough = self.policy, self.is_far_enough
        while state.to_act >= 0 and not is_far_enough(state):
            state.apply(policy(state, rng))

    def powers(self, state: Any) -> list[float]:
        """Value a position: with powers p and q, p / (p + q) is the chance to finish ahead."""
        return [1000.0**-place for place in state.outcome().places]

    def rewards(self, state: Any) -> list[float]:
        """Return which share of the others each seat will finish ahead of."""
        powers = self.powers(state)
        # The sum includes the seat itself, as 0.5.
        return [
            (sum([power / (power + other) for other in powers]) - 0.5) / (len(powers) - 1)
            for power in powers
        ]
