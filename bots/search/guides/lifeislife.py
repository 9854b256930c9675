"""What is sensible play in Life is Life?

The hand should be worth much: an animal counts its value times the chance that no other hand has as
many of it, and a set that is a sudden death counts more than a hand of majorities. Cards taken in
the open are known to be where they are; the rest may be any that the seat cannot see. Rollouts
know none of that: `lifeislife_rollout` says how they play.

A rollout stops at the end of the round. The cards are dealt anew then, and only lives count: what
they are worth is worked out by letting the rounds to come cost everybody by chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations
from math import inf
from random import Random
from typing import ClassVar

from arena.games.lifeislife.cards import HAND, KNOCK, LAID, ROW_OF, VALUES, count_of, size_of
from arena.games.lifeislife.scoring import costs_of
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View
from guides.lifeislife_rollout import ENOUGH, SUDDEN_DEATH, fewer, is_deadly, quick, with_set
from guides.plain import Plain

POINT = 0.004
"""What a point more is worth, as a reward."""
EAGERNESS = 2.0
"""How much a knock promises for each point that the hand has beyond enough."""

KINDS = range(len(VALUES))
LAID_CARDS = tuple(
    tuple((kind, count_of(herd, kind)) for kind in KINDS if count_of(herd, kind)) for herd in LAID
)
"""For each action how many of which animals it lays."""


class Guide(Plain):
    """Adds up what the animals in a hand are worth, and counts lives."""

    trust: ClassVar[float] = 20.0
    doubt: ClassVar[float] = 0.2
    ripe: ClassVar[float] = inf

    def __init__(self, view: View) -> None:
        """Remember the round."""
        super().__init__(view)
        self._round = view.round

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Tell what each action promises: the worth of the hand after it."""
        view: View = self.view
        points = _points(view)
        worths = [_with_set(kind, points[kind], view) for kind in KINDS]
        merits = _merits(view, worths, actions)
        if KNOCK in actions:
            now = sum([points[kind][count_of(view.hand_herd, kind)] for kind in KINDS])
            best = max(merits.values())
            if view.knocker >= 0 or best >= SUDDEN_DEATH:
                merits[KNOCK] = now
            else:
                merits[KNOCK] = best + EAGERNESS * (now - ENOUGH[len(view.players)])
        return [POINT * merits[action] for action in actions]

    def rollout(self, state: LifeIsLifeState, rng: Random) -> int:
        """Make the best swap, or knock with a good hand."""
        return quick(state, rng)

    def is_far_enough(self, state: LifeIsLifeState) -> bool:
        """Stop when the round is over."""
        return state.round != self._round

    def play_on(self, state: LifeIsLifeState, rng: Random) -> None:
        """Play to the end of the round."""
        number = self._round
        while state.round == number and state.to_act >= 0:
            state.apply(quick(state, rng))

    def rewards(self, state: LifeIsLifeState) -> list[float]:
        """Tell how many of the others each seat leaves behind, or will with its lives."""
        others = state.seats - 1
        living = sorted([lives for lives in state.lives if lives])
        fates = fates_of(tuple(living))
        rewards = []
        for lives, out in zip(state.lives, state.out, strict=True):
            if lives:
                behind = state.lives.count(0) + fates[living.index(lives)]
            else:
                gone = [other for other in state.out if other >= 0]
                behind = (sum([(other < out) + (other <= out) for other in gone]) - 1) / 2
            rewards.append(behind / others)
        return rewards


@cache
def fates_of(lives: tuple[int, ...]) -> list[float]:
    """Tell for each of those who live how many of them it will leave behind, a tie being half.

    Every round costs what it does if all totals differ, and anybody may have any of them.
    """
    if len(lives) == 1:
        return [0.0]
    ways = set(permutations(costs_of(range(len(lives)))))
    fates = [0.0] * len(lives)
    for costs in ways:
        after = [max(each - cost, 0) for each, cost in zip(lives, costs, strict=True)]
        going = after.count(0)
        living = sorted([each for each in after if each])
        further = fates_of(tuple(living))
        for seat, each in enumerate(after):
            fates[seat] += going + further[living.index(each)] if each else (going - 1) / 2
    return [fate / len(ways) for fate in fates]


def _merits(view: View, worths: list[list[float]], actions: Sequence[int]) -> dict[int, float]:
    """Tell for each swap what the hand is worth after it."""
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


def _points(view: View) -> list[list[float]]:
    """Tell for each animal how many points none, one, two and more cards of it will score."""
    rivals = [seat for seat in view.players if seat != view.seat]
    # Between two players a single card is no majority.
    least = 2 if len(rivals) == 1 else 1
    unseen = [count_of(view.unseen_herd, kind) for kind in KINDS]
    total = sum(unseen)
    points = []
    for kind, value in enumerate(VALUES):
        chances = [0.0] * least + [1.0] * (value + 1 - least)
        for seat in rivals:
            known = view.known_herds[seat]
            held = count_of(known, kind)
            odds = fewer(total, unseen[kind], HAND - size_of(known))
            for count in range(value + 1):
                chances[count] *= odds[max(count - held, 0)]
        points.append([value * chance for chance in chances])
    return points


def _with_set(kind: int, points: list[float], view: View) -> list[float]:
    """Add to an animal's points what its complete set is worth, if it is a sudden death."""
    if not is_deadly(kind, expert=view.parameters.expert):
        return points
    known = [count_of(herd, kind) for herd in view.known_herds]
    is_hopeful = sum(known) == known[view.seat] and view.knocker < 0
    return with_set(kind, points, is_hopeful=is_hopeful)
