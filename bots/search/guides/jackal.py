"""What is sensible play in Jackal & High?

Dice go where they bring the most paws; `jackal_table` says what hits, duels and the valley promise.
Rollouts look at one stack after the other (`jackal_rollout`); the prior goes on to the end of the
round, through all that the seat's own dice may show.

A rollout stops at the end of the round. What lies on the table then belongs to nobody, so paws
tell how the match stands, and the deck how much it may still turn.
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
from arena.games.jackal.parameters import MOST_PAWS, Parameters
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View
from guides.jackal_rollout import cheapest_on_top, quick
from guides.jackal_table import ROLLS, table_of
from guides.plain import Plain

SWING = 0.8
"""How far a round moves two seats apart, in mean cards."""
MOST = MOST_PAWS * (len(PACK) + len(SPECIALS)) + 1
"""More paws than anybody can have."""
NEVER = -1.0
"""What an action promises that need not be tried."""
_PAIRS = tuple(
    (a, b, (1 if a == b else 2) / FACES**2)
    for a, b in combinations_with_replacement(range(1, FACES + 1), 2)
)
"""Every roll of two dice, and how likely it is."""


class Guide(Plain):
    """Expects paws of the stacks and of the valley."""

    trust: ClassVar[float] = 100.0
    doubt: ClassVar[float] = 0.05
    ripe: ClassVar[float] = inf

    def __init__(self, view: View) -> None:
        """Prepare what a lead is worth in the rounds that the deck has left."""
        super().__init__(view)
        self._round = view.round
        rounds = len(view.unseen) / (view.seats + 1)
        mean = sum(view.parameters.paws) / len(view.parameters.paws)
        swing = (SWING * mean or 1) * sqrt(rounds + 0.3)
        self._ahead = [1 / (1 + exp(-lead / swing)) for lead in range(-MOST, MOST + 1)]

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Tell what each action promises: paws, times what a paw more is worth now."""
        view: View = self.view
        seat = view.seat
        if view.spoils[seat]:
            best = cheapest_on_top(view.spoils[seat], view.parameters)
            return [float(action == best) for action in actions]
        table = table_of(view, seat, room_of(view.cards))
        stacks = [
            Stack(card - sum(faces), len(faces), prizes)
            for card, faces, prizes in zip(
                view.cards, view.on_display[seat], table.prizes, strict=True
            )
        ]
        paw = self._paw()
        alike = _alike(view.rolled, actions)
        return [
            NEVER if action in alike else paw * _merit(view, stacks, table.valley, action)
            for action in actions
        ]

    def _paw(self) -> float:
        """Tell what a paw more is worth to the view's seat, as a reward."""
        view: View = self.view
        ahead = self._ahead
        scores = _scores(view.piles, view.take2s, view.parameters)
        leads = [scores[view.seat] - score for score in scores]
        del leads[view.seat]
        gains = [ahead[MOST + lead + 1] - ahead[MOST + lead - 1] for lead in leads]
        return sum(gains) / (2 * len(gains))

    def rollout(self, state: JackalState, rng: Random) -> int:
        """Place dice where one stack promises the most."""
        return quick(state)

    def is_far_enough(self, state: JackalState) -> bool:
        """Stop when the round is over."""
        return state.round != self._round

    def play_on(self, state: JackalState, rng: Random) -> None:
        """Play to the end of the round."""
        number = self._round
        while state.round == number and state.to_act >= 0:
            state.apply(quick(state))

    def rewards(self, state: JackalState) -> list[float]:
        """Tell how many of the others each seat leaves behind, or will with its lead."""
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
            (sum([ahead[MOST + score - other] for other in scores]) - 0.5) / others
            for score in scores
        ]


class Stack(NamedTuple):
    """One stack of the display, as one seat sees it."""

    need: int
    """What its dice there lack."""
    dice: int
    prizes: list[float]
    """The paws to expect from meeting the number with no dice, with one, two and three."""


def _alike(rolled: tuple[int, ...], actions: Sequence[int]) -> set[int]:
    """List the placements that an earlier one already makes with another die of the same face."""
    alike = set()
    seen = set()
    for action in actions:
        if action != AGAIN:
            placed = tuple(sorted(zip(rolled, DIGITS[action], strict=False)))
            if placed in seen:
                alike.add(action)
            seen.add(placed)
    return alike


def _merit(view: View, stacks: list[Stack], valley: list[float], action: int) -> float:
    """Tell how many paws this round brings if the seat to act does this."""
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
    """Tell what the last die brings, which may be rolled so often."""
    gains = [0.0] * (FACES + 1)
    for need, dice, prizes in stacks:
        if 0 < need <= FACES:
            gain = prizes[dice + 1] + valley[lost - dice - 1] - valley[lost]
            if gain > gains[need]:
                gains[need] = gain
    worth = 0.0
    for _ in range(rolls):
        # A face that brings less than the rolls after it is rolled again.
        worth = sum([gain if gain > worth else worth for gain in gains[1:]]) / FACES
    return worth


def _two_dice(stacks: list[Stack], valley: list[float], lost: int) -> float:
    """Tell what the last two dice bring: one placed and one rolled again, or both placed."""
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
    """Tell what two dice bring if one shows this face and is placed, and the other is kept."""
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
