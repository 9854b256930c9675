"""Strategy: place dice where they are expected to bring the most paws.

Exact hits: a number that is met counts in full. A number that may still be met counts by the
probability that the dice in the hand meet it: a single die with all its rolls, or two dice rolled
for one stack.

Duels: a stack is worth its paws times the probability of winning it from the rivals that have met
its number or may do so. More dice usually win a duel, so a number met with more dice is worth more.
The Lucky8 also brings the stacks that no rival is likely to meet.

The valley: dice that miss are rolled there, for its card and against the loss of the pile's top
card. One die against many usually loses, three may win. Won cards go on the pile with the cheapest
on top.
"""

from __future__ import annotations

from functools import cache
from math import ceil, prod
from typing import NamedTuple

from arena.games.jackal.actions import AGAIN, DIGITS, ORDERS_OF, Action
from arena.games.jackal.cards import LUCKY8
from arena.games.jackal.dice import DICE, FACES
from arena.games.jackal.odds import ROLLS, beats, card_paws, reach
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View
from arena.sdk import Bot, run

ATTENTION = 0.4
"""The probability that a rival plays for a stack where it has no dice yet."""
TYPICAL_FACE = 6
"""A typical face placed by a player going for a high number."""


class Stack(NamedTuple):
    """One stack of the display, for this seat."""

    need: int
    """What this seat's dice there lack to meet the number."""
    dice: int
    """How many dice this seat has there."""
    prizes: list[float]
    """The expected paws from meeting the number with zero, one, two or three dice."""


class GreedyJackal(Bot):
    """Estimates the paws that the stacks and the valley will bring."""

    name = "greedy-jackal"
    games = ("jackal",)

    def choose(self, view: View) -> int:
        """Place dice, roll again, or put won cards in order."""
        if view.spoils[view.seat]:
            return cheapest_on_top(view)
        legal = self.legal_actions(view)
        if len(legal) == 1:
            return legal[0]
        stacks = stacks_of(view)
        valley = valley_of(view)

        def merit(action: int) -> float:
            if action == AGAIN:
                return expected_paws(stacks, valley, left=1, rolls=view.rolls_left)
            after = stacks.copy()
            left = len(view.rolled)
            for face, stack in zip(view.rolled, DIGITS[action], strict=False):
                if stack:
                    need, dice, prizes = after[stack - 1]
                    after[stack - 1] = Stack(need - face, dice + 1, prizes)
                    left -= 1
            return expected_paws(after, valley, left=left, rolls=ROLLS)

        return max(legal, key=merit)


def cheapest_on_top(view: View) -> int:
    """Put won cards in order, with the fewest paws on top, where cards are lost first."""
    won = view.spoils[view.seat]

    def downwards(action: Action) -> list[tuple[int, int]]:
        return [(card_paws(won[at], view.parameters), won[at]) for at in action.order]

    return max(ORDERS_OF[len(won)], key=downwards)


def expected_paws(stacks: list[Stack], valley: list[float], *, left: int, rolls: int) -> float:
    """Return the expected paws from the placed dice and those left in the hand."""
    met = 0.0
    lost = DICE
    for need, dice, prizes in stacks:
        if not need:
            met += prizes[dice]
            lost -= dice
    met += valley[lost]
    if left == 2:
        return met + max(
            [reach(2, need) * prizes[min(dice + 2, DICE)] for need, dice, prizes in stacks if need],
            default=0.0,
        )
    if not left:
        return met
    gains = [0.0] * (FACES + 1)
    for need, dice, prizes in stacks:
        if 0 < need <= FACES:
            gain = prizes[dice + 1] + valley[lost - dice - 1] - valley[lost]
            gains[need] = max(gains[need], gain)
    return met + one_die(gains, rolls)


def one_die(gains: list[float], rolls: int) -> float:
    """Return the expected gain from a single die, given the gain of each face and its rolls."""
    worth = 0.0
    for _ in range(rolls):
        # A face worth less than the remaining rolls is rolled again.
        worth = sum([gain if gain > worth else worth for gain in gains[1:]]) / FACES
    return worth


def stacks_of(view: View) -> list[Stack]:
    """Value every stack of the display, considering the rivals that may also meet its number."""
    display = view.on_display
    own = display[view.seat]
    in_hand = view.in_hand
    rivals = [seat for seat in range(view.seats) if seat != view.seat]
    threats = [
        [threat(card - sum(display[r][at]), len(display[r][at]), in_hand[r]) for r in rivals]
        for at, card in enumerate(view.cards)
    ]
    worths: list[float] = [
        card_paws(card, view.parameters) + view.parameters.take2_paws * under
        for card, under in zip(view.cards, view.under, strict=True)
    ]
    if LUCKY8 in view.cards:
        unmet = [prod([1 - chance for chance, _ in each]) for each in threats]
        others = [worth * chance for worth, chance in zip(worths, unmet, strict=True)]
        lucky = view.cards.index(LUCKY8)
        worths[lucky] += sum(others) - others[lucky]
    return [
        Stack(card - sum(faces), len(faces), prizes_of(worth, each))
        for card, faces, worth, each in zip(view.cards, own, worths, threats, strict=True)
    ]


def prizes_of(worth: float, threats: list[tuple[float, int]]) -> list[float]:
    """Return the expected paws from meeting a stack with zero, one, two or three dice."""
    return [
        worth * prod([1 - chance * (1 - beats(mine, dice)) for chance, dice in threats])
        for mine in range(DICE + 1)
    ]


@cache
def threat(need: int, count: int, in_hand: int) -> tuple[float, int]:
    """Return the probability that a rival meets a number, and with how many dice."""
    chance = reach(in_hand, need)
    if need and not count:
        chance *= ATTENTION
    return chance, min(count + ceil(need / TYPICAL_FACE), DICE)


def valley_of(view: View) -> list[float]:
    """Return the expected paws from zero, one, two or three dice in the valley."""
    display = view.on_display
    rivals = []
    for seat in range(view.seats):
        if seat != view.seat:
            placed = zip(view.cards, display[seat], strict=True)
            hits = sum([len(faces) for card, faces in placed if sum(faces) == card])
            rivals.append(DICE - hits)
    rivals = [dice for dice in rivals if dice]
    prize = card_paws(view.valley, view.parameters)
    top = paws(view.piles[view.seat][-1:], 0, view.parameters)
    if not rivals:
        # A seat alone in the valley takes the card, or pays if there is none.
        return [0.0] + [float(prize if view.valley else -top)] * DICE
    return [0.0] + [
        prize * prod([beats(mine, dice) for dice in rivals])
        - top * prod([beats(dice, mine) for dice in rivals])
        for mine in range(1, DICE + 1)
    ]


if __name__ == "__main__":
    run(GreedyJackal)
