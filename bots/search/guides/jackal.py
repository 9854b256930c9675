"""A guide to sensible play in Jackal & High.

Dice go where they are expected to bring the most paws; `jackal_table` values hits, duels and the
valley. Rollouts consider one stack at a time (`jackal_rollout`); the prior looks ahead to the end
of the round, over everything that the seat's own dice may show.

A rollout stops at the end of the round. The cards on the table then belong to no one, so the paws
show the state of the match, and the size of the deck shows how much can still change.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import exp, inf, sqrt
from random import Random
from typing import ClassVar, NamedTuple

from arena.games.jackal.actions import AGAIN, DIGITS
from arena.games.jackal.cards import PACK, SPECIALS
from arena.games.jackal.dice import DICE, FACES, room_of
from arena.games.jackal.odds import ROLLS
from arena.games.jackal.parameters import MOST_PAWS, Parameters
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View
from guides.jackal_rollout import cheapest_on_top, fast_action
from guides.jackal_table import table_of
from guides.plain import PlainGuide

SWING = 0.8
"""How far a round moves two seats apart, in average cards."""
PAWS_LIMIT = MOST_PAWS * (len(PACK) + SPECIALS) + 1
"""More paws than a seat can have."""
SKIP = -1.0
"""The prior of an action that need not be tried."""
_PAIRS = tuple(
    (a, b, (1 if a == b else 2) / FACES**2)
    for a, b in combinations_with_replacement(range(1, FACES + 1), 2)
)
"""Every roll of two dice, with its probability."""


class Guide(PlainGuide):
    """Estimates the paws that the stacks and the valley will bring."""

    prior_weight: ClassVar[float] = 100.0
    exploration: ClassVar[float] = 0.05
    expand_after: ClassVar[float] = inf

    def __init__(self, view: View) -> None:
        """Compute what a lead is worth, given the number of rounds left in the deck."""
        super().__init__(view)
        self._round = view.round
        rounds = len(view.unseen) / (view.seats + 1)
        mean = sum(view.parameters.paws) / len(view.parameters.paws)
        swing = (SWING * mean or 1) * sqrt(rounds + 0.3)
        self._ahead = [1 / (1 + exp(-lead / swing)) for lead in range(-PAWS_LIMIT, PAWS_LIMIT + 1)]

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the expected paws of each action, times the reward for one more paw."""
        view: View = self.view
        seat = view.seat
        if view.spoils[seat]:
            best = cheapest_on_top(view.spoils[seat], view.parameters)
            return [float(action == best) for action in actions]
        table = table_of(view, seat, room_of(view.cards, view.parameters.dice_count))
        stacks = [
            Stack(card - sum(faces), len(faces), prizes)
            for card, faces, prizes in zip(
                view.cards, view.on_display[seat], table.prizes, strict=True
            )
        ]
        paw_reward = self._paw_reward()
        equivalent = _equivalent(view.rolled, actions)
        return [
            SKIP
            if action in equivalent
            else paw_reward * _merit(view, stacks, table.valley, action)
            for action in actions
        ]

    def _paw_reward(self) -> float:
        """Return the reward of one more paw for the view's seat."""
        view: View = self.view
        ahead = self._ahead
        scores = _scores(view.piles, view.take2s, view.parameters)
        leads = [scores[view.seat] - score for score in scores]
        del leads[view.seat]
        gains = [ahead[PAWS_LIMIT + lead + 1] - ahead[PAWS_LIMIT + lead - 1] for lead in leads]
        return sum(gains) / (2 * len(gains))

    def rollout(self, state: JackalState, rng: Random) -> int:
        """Place dice on the stack with the best expected value."""
        return fast_action(state)

    def is_far_enough(self, state: JackalState) -> bool:
        """Stop when the round is over."""
        return state.round != self._round

    def play_on(self, state: JackalState, rng: Random) -> None:
        """Play to the end of the round."""
        number = self._round
        while state.round == number and state.to_act >= 0:
            state.apply(fast_action(state))

    def rewards(self, state: JackalState) -> list[float]:
        """Return the share of the others that each seat has beaten, or will beat with its lead."""
        others = state.seats - 1
        if state.to_act < 0:
            places = state.outcome().places
            return [
                (sum([(place < other) + (place <= other) for other in places]) - 1) / (2 * others)
                for place in places
            ]
        scores = _scores(state.piles, state.take2s, state.parameters)
        ahead = self._ahead
        return [
            (sum([ahead[PAWS_LIMIT + score - other] for other in scores]) - 0.5) / others
            for score in scores
        ]


class Stack(NamedTuple):
    """One stack of the display, for one seat."""

    need: int
    """What the seat's dice there lack to meet the number."""
    dice: int
    prizes: list[float]
    """The expected paws from meeting the number with zero, one, two or three dice."""


def _equivalent(rolled: tuple[int, ...], actions: Sequence[int]) -> set[int]:
    """Return the placements equivalent to an earlier one that uses another die of the same face."""
    equivalent = set()
    seen = set()
    for action in actions:
        if action != AGAIN:
            placed = tuple(sorted(zip(rolled, DIGITS[action], strict=False)))
            if placed in seen:
                equivalent.add(action)
            seen.add(placed)
    return equivalent


def _merit(view: View, stacks: list[Stack], valley: list[float], action: int) -> float:
    """Return the expected paws of this round if the seat to act plays this action."""
    left = len(view.rolled)
    rolls = ROLLS
    if action == AGAIN:
        rolls = view.rolls_left
    else:
        stacks = stacks.copy()
        for face, place in zip(view.rolled, DIGITS[action], strict=False):
            if place:
                need, dice, prizes = stacks[place - 1]
                stacks[place - 1] = Stack(need - face, dice + 1, prizes)
                left -= 1
    met = [stack for stack in stacks if not stack.need]
    lost = DICE - sum([stack.dice for stack in met])
    merit = sum([stack.prizes[stack.dice] for stack in met]) + valley[lost]
    if left == 2:
        return merit + _two_dice(stacks, valley, lost)
    return merit + _one_die(stacks, valley, lost, rolls) if left else merit


def _one_die(stacks: list[Stack], valley: list[float], lost: int, rolls: int = ROLLS) -> float:
    """Return the expected gain from the last die, given the number of rolls left."""
    gains = [0.0] * (FACES + 1)
    for need, dice, prizes in stacks:
        if 0 < need <= FACES:
            gain = prizes[dice + 1] + valley[lost - dice - 1] - valley[lost]
            if gain > gains[need]:
                gains[need] = gain
    worth = 0.0
    for _ in range(rolls):
        # A face worth less than the remaining rolls is rolled again.
        worth = sum([gain if gain > worth else worth for gain in gains[1:]]) / FACES
    return worth


def _two_dice(stacks: list[Stack], valley: list[float], lost: int) -> float:
    """Return the expected gain from the last two dice: one placed and one kept, or both placed."""
    singles = [_one_placed(stacks, valley, lost, face) for face in range(FACES + 1)]
    worth = 0.0
    for a, b, odds in _PAIRS:
        best = max(singles[a], singles[b])
        for at, (need, dice, prizes) in enumerate(stacks):
            if need == a + b and dice < 2:
                best = max(best, prizes[dice + 2] + valley[lost - dice - 2] - valley[lost])
            elif need == a:
                for other, more, others in stacks[:at] + stacks[at + 1 :]:
                    if other == b:
                        left = lost - dice - more - 2
                        gain = prizes[dice + 1] + others[more + 1] + valley[left] - valley[lost]
                        best = max(best, gain)
        worth += odds * best
    return worth


def _one_placed(stacks: list[Stack], valley: list[float], lost: int, face: int) -> float:
    """Return the expected gain from two dice if one with this face is placed and one is kept."""
    worths = []
    for at, (need, dice, prizes) in enumerate(stacks):
        if 0 < face <= need:
            after = stacks.copy()
            after[at] = Stack(need - face, dice + 1, prizes)
            if need > face:
                worths.append(_one_die(after, valley, lost))
            else:
                left = lost - dice - 1
                gain = prizes[dice + 1] + valley[left] - valley[lost]
                worths.append(gain + _one_die(after, valley, left))
    return max(worths, default=0.0)


def _scores(
    piles: Sequence[tuple[int, ...]], take2s: Sequence[int], parameters: Parameters
) -> list[int]:
    return [paws(pile, count, parameters) for pile, count in zip(piles, take2s, strict=True)]
