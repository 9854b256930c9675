"""A guide to sensible play in Life is Life.

It maximizes the worth of the hand: an animal counts its value times the probability that no other
hand has as many of it, and a set that is a sudden death counts more than a hand of majorities.
Cards taken from a row are known to be in that hand; all others may be any that the seat cannot see.
Rollouts use none of this knowledge: see `lifeislife_rollout`.

A rollout stops at the end of the round. Then the cards are dealt again, and only lives count. Their
worth is computed by assuming that later rounds cost each player a random number of lives.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import inf
from random import Random
from typing import ClassVar

from arena.games.lifeislife.cards import ANIMALS, KNOCK, LAID, ROW_OF, count_of
from arena.games.lifeislife.odds import points_of
from arena.games.lifeislife.scoring import costs_of
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View
from guides.lifeislife_rollout import (
    SUDDEN_DEATH,
    enough_to_knock,
    fast_action,
    with_set,
)
from guides.plain import PlainGuide

POINT = 0.004
"""The reward for one more point."""
KNOCK_BONUS = 2.0
"""The bonus for a knock, for each point beyond what is enough for it."""

KINDS = range(len(ANIMALS))
LAID_CARDS = tuple(
    tuple((kind, count_of(herd, kind)) for kind in KINDS if count_of(herd, kind)) for herd in LAID
)
"""The animals that each action lays, with their counts."""


class Guide(PlainGuide):
    """Adds up what the animals in a hand are worth, and counts lives."""

    prior_weight: ClassVar[float] = 20.0
    exploration: ClassVar[float] = 0.2
    expand_after: ClassVar[float] = inf

    def __init__(self, view: View) -> None:
        """Prepare for this round."""
        super().__init__(view)
        self._round = view.round

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the worth of the hand after each action."""
        view: View = self.view
        points = points_of(view)
        worths = [_with_set(kind, points[kind], view) for kind in KINDS]
        merits = _merits(view, worths, actions)
        if KNOCK in actions:
            now = sum([points[kind][count_of(view.hand_herd, kind)] for kind in KINDS])
            best = max(merits.values())
            if view.knocker >= 0 or best >= SUDDEN_DEATH:
                merits[KNOCK] = now
            else:
                enough = enough_to_knock(len(view.players), view.parameters.pack)
                merits[KNOCK] = best + KNOCK_BONUS * (now - enough)
        return [POINT * merits[action] for action in actions]

    def rollout(self, state: LifeIsLifeState, rng: Random) -> int:
        """Make the best swap, or knock with a good hand."""
        return fast_action(state, rng)

    def is_far_enough(self, state: LifeIsLifeState) -> bool:
        """Stop when the round is over."""
        return state.round != self._round

    def play_on(self, state: LifeIsLifeState, rng: Random) -> None:
        """Play to the end of the round."""
        number = self._round
        while state.round == number and state.to_act >= 0:
            state.apply(fast_action(state, rng))

    def rewards(self, state: LifeIsLifeState) -> list[float]:
        """Return the share of the others that each seat has outlived, or will with its lives."""
        others = state.seats - 1
        living = sorted([lives for lives in state.lives if lives])
        outlived = expected_outlived(tuple(living))
        rewards = []
        for lives, out in zip(state.lives, state.out, strict=True):
            if lives:
                behind = state.lives.count(0) + outlived[living.index(lives)]
            else:
                gone = [other for other in state.out if other >= 0]
                behind = (sum([(other < out) + (other <= out) for other in gone]) - 1) / 2
            rewards.append(behind / others)
        return rewards


@cache
def expected_outlived(lives: tuple[int, ...]) -> list[float]:
    """Return how many of the other living players each one will outlive; a tie counts half.

    Assumes that all totals differ in every round, and that all orders are equally likely.
    """
    if len(lives) == 1:
        return [0.0]
    ways = set(permutations(costs_of(range(len(lives)))))
    outlived = [0.0] * len(lives)
    for costs in ways:
        after = [max(each - cost, 0) for each, cost in zip(lives, costs, strict=True)]
        going = after.count(0)
        living = sorted([each for each in after if each])
        further = expected_outlived(tuple(living))
        for seat, each in enumerate(after):
            outlived[seat] += going + further[living.index(each)] if each else (going - 1) / 2
    return [each / len(ways) for each in outlived]


def _merits(view: View, worths: list[list[float]], actions: Sequence[int]) -> dict[int, float]:
    """Return the worth of the hand after each swap."""
    after = [[count_of(view.hand_herd + row, kind) for kind in KINDS] for row in view.row_herds]
    full = [sum([worths[kind][held[kind]] for kind in KINDS]) for held in after]
    merits = {}
    for action in actions:
        if action != KNOCK:
            row = ROW_OF[action]
            held = after[row]
            merits[action] = full[row] - sum(
                [
                    worths[kind][held[kind]] - worths[kind][held[kind] - laid]
                    for kind, laid in LAID_CARDS[action]
                ]
            )
    return merits


def _with_set(kind: int, points: list[float], view: View) -> list[float]:
    """Add the worth of a complete set to an animal's points, if it is a sudden death."""
    pack = view.parameters.pack
    if kind not in pack.sets:
        return points
    known = [count_of(herd, kind) for herd in view.known_herds]
    is_hopeful = sum(known) == known[view.seat] and view.knocker < 0
    return with_set(pack.values[kind], points, is_hopeful=is_hopeful)
