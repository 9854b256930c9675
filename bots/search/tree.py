"""Find the best action by playing on in sampled states.

One iteration samples a state that fits the view, walks down the tree, adds a node where the tree
ends, plays on with the guide, and adds each seat's reward to the nodes on the way.

The tree represents the searching seat's information. The state changes with every iteration, so an
action of a node may be legal in one iteration and not in the next. Exploration therefore depends on
how often an action was available, not on how often its parent was visited.

At the root, the n-th try of every action uses the same n-th state, so actions are compared by what
they do, not by their luck with the cards.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt
from random import Random
from typing import Any

WIDTH = 3
"""Actions tried at first: those with the highest priors."""
WIDENING = 15
"""Iterations after which one more action is tried."""


class Node:
    """An action of the seat to act, and its results so far."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        """The sum of the rewards of the seat that chose this action."""
        self.available = 0
        """How often it could have been chosen."""
        self.children: dict[tuple[Hashable, int], Node] = {}
        """The nodes of the next actions, by what chance revealed before them and the action."""


class Search:
    """The search for one decision."""

    def __init__(
        self, game: Any, guide: Any, view: Any, actions: Sequence[int], rng: Random
    ) -> None:
        self._game = game
        self._guide = guide
        self._view = view
        self._rng = rng
        prior = dict(zip(actions, guide.prior(actions), strict=True))
        self._actions = sorted(actions, key=lambda action: -prior[action])
        self._prior = prior
        self._roots = {action: Node() for action in self._actions}
        self.worlds: list[Any] = []
        self.iterations = 0
        self._surplus = 0.0
        """The sum of the differences between reward and prior."""

    def best(self) -> int:
        """Return the best action found so far."""
        return max(self._actions, key=self._worth)

    def iterate(self) -> None:
        """Try one action in one sampled state."""
        guide, rng = self._guide, self._rng
        action = self._choose_root()
        root = node = self._roots[action]
        state = self._world(root.visits)
        path = [(node, state.to_act)]
        state.apply(action)
        while (
            node.visits >= guide.expand_after
            and state.to_act >= 0
            and not guide.is_far_enough(state)
        ):
            seat = state.to_act
            node, is_new = self._descend(node, state)
            path.append((node, seat))
            if is_new:
                break
        guide.play_on(state, rng)
        rewards = guide.rewards(state)
        for node, seat in path:
            node.visits += 1
            node.total += rewards[seat]
        self.iterations += 1
        self._surplus += rewards[self._view.seat] - self._prior[action]

    def _world(self, number: int) -> Any:
        """Return a fresh copy of the sampled state with this number."""
        if number == len(self.worlds):
            self.worlds.append(self._game.world(self._view, self._rng))
        return self.worlds[number].copy()

    def _choose_root(self) -> int:
        """Choose the action with the best sum of worth and exploration bonus."""
        bonus = self._guide.exploration * sqrt(log(self.iterations + 1))
        return max(
            self._actions[: WIDTH + self.iterations // WIDENING],
            key=lambda action: self._worth(action) + bonus / sqrt(self._roots[action].visits + 1),
        )

    def _worth(self, action: int) -> float:
        """Combine an action's results so far with its prior."""
        node = self._roots[action]
        weight = self._guide.prior_weight
        surplus = self._surplus / self.iterations if self.iterations else 0.0
        return (node.total + weight * (self._prior[action] + surplus)) / (node.visits + weight)

    def _descend(self, node: Node, state: Any) -> tuple[Node, bool]:
        """Choose and play the next action; return its node and whether the node is new."""
        guide = self._guide
        observed = guide.observation(state, self._view.seat)
        children = node.children
        action = guide.rollout(state, self._rng)
        child = children.get((observed, action))
        if child is None:
            child = children[observed, action] = Node()
            state.apply(action)
            return child, True
        best = -1.0
        legal = state.legal_actions()
        for other in legal:
            sibling = children.get((observed, other))
            if sibling is None:
                child = children[observed, other] = Node()
                state.apply(other)
                return child, True
            sibling.available += 1
            worth = sibling.total / sibling.visits + guide.exploration * sqrt(
                log(sibling.available) / sibling.visits
            )
            if worth > best:
                best, action, child = worth, other, sibling
        state.apply(action)
        return child, False
