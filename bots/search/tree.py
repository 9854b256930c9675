"""Which action is best, as far as playing on in imagined truths can tell?

One iteration: take a truth that fits the view, walk down the tree, add a node where it ends, play
on by the guide, and tell every node on the way what its seat got.

The tree is that of the searching seat's information: the truth changes with every iteration, so in
a node some actions are legal this time and not the next. What counts for exploring is therefore how
often an action was available, not how often the node was visited.

At the root the n-th try of every action is made in the same n-th truth. So actions are compared by
what they do, not by their luck with the cards.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt
from random import Random
from typing import Any

WIDTH = 3
"""So many actions are tried at first, those that promise the most."""
WIDENING = 15
"""After every so many iterations one more is tried."""


class Node:
    """An action of whoever was to act, and what came of it."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0
        """The sum of what the seat that chose this action got."""
        self.available = 0
        """How often it could have been chosen."""
        self.children: dict[tuple[Hashable, int], Node] = {}
        """What was done next, by what chance had shown and the action."""


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
        """The sum of what was got beyond what the prior had promised."""

    def best(self) -> int:
        """Return the action that is worth the most by now."""
        return max(self._actions, key=self._worth)

    def iterate(self) -> None:
        """Try one action in one truth."""
        guide, rng = self._guide, self._rng
        action = self._choose_root()
        root = node = self._roots[action]
        state = self._world(root.visits)
        path = [(node, state.to_act)]
        state.apply(action)
        while node.visits >= guide.ripe and state.to_act >= 0 and not guide.is_far_enough(state):
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
        """Return the truth of this number, as new."""
        if number == len(self.worlds):
            self.worlds.append(self._game.world(self._view, self._rng))
        return self.worlds[number].copy()

    def _choose_root(self) -> int:
        """Choose by what an action is worth, and by how little it was tried."""
        doubt = self._guide.doubt * sqrt(log(self.iterations + 1))
        return max(
            self._actions[: WIDTH + self.iterations // WIDENING],
            key=lambda action: self._worth(action) + doubt / sqrt(self._roots[action].visits + 1),
        )

    def _worth(self, action: int) -> float:
        """Weigh what an action brought so far against what it promised."""
        node = self._roots[action]
        trust = self._guide.trust
        surplus = self._surplus / self.iterations if self.iterations else 0.0
        return (node.total + trust * (self._prior[action] + surplus)) / (node.visits + trust)

    def _descend(self, node: Node, state: Any) -> tuple[Node, bool]:
        """Choose the next action, play it and return its node; and whether that is new."""
        guide = self._guide
        seen = guide.seen(state, self._view.seat)
        children = node.children
        action = guide.rollout(state, self._rng)
        child = children.get((seen, action))
        if child is None:
            child = children[seen, action] = Node()
            state.apply(action)
            return child, True
        best = -1.0
        legal = state.legal_actions()
        for other in legal:
            sibling = children.get((seen, other))
            if sibling is None:
                child = children[seen, other] = Node()
                state.apply(other)
                return child, True
            sibling.available += 1
            worth = sibling.total / sibling.visits + guide.doubt * sqrt(
                log(sibling.available) / sibling.visits
            )
            if worth > best:
                best, action, child = worth, other, sibling
        state.apply(action)
        return child, False
