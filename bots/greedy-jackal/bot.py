"""Rule of thumb: place dice where they can be expected to bring the most paws.

Exact hits: a number that is met counts in full. One that may be met yet counts as likely as the
dice in the hand meet it: a single die with all its rolls, or two dice thrown for one stack.

Duels: a stack is worth its paws, times the chance to win it from those who have met its number or
may do so. More dice usually win a duel, so a number met with more dice is worth more. With the
Lucky8 come the stacks that nobody is likely to meet.

The valley: dice that miss are rolled there, for its card and against the loss of the pile's top
card. One die among many mostly loses, three may win. Won cards go down with the cheapest on top.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product
from math import ceil, prod
from typing import NamedTuple

from arena.games.jackal.actions import AGAIN, DIGITS, ORDERS_OF, order_of
from arena.games.jackal.cards import LUCKY8, NO_CARD
from arena.games.jackal.dice import DICE, FACES
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View
from arena.sdk import Bot, run

ROLLS = 3
"""How often a single die may be rolled in a turn."""
ATTENTION = 0.4
"""How likely a rival plays for a stack on which it has no dice yet."""
FACE = 6
"""What each die brings a player, roughly, who plays for a high number."""


class Stack(NamedTuple):
    """One stack of the display, as this seat sees it."""

    need: int
    """What its own dice there lack."""
    dice: int
    """How many they are."""
    prizes: list[float]
    """The paws to expect from meeting the number with no dice, with one, two and three."""


class GreedyJackal(Bot):
    """Expects paws of the stacks and of the valley."""

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
                return expected(stacks, valley, left=1, rolls=view.rolls_left)
            after = stacks.copy()
            left = len(view.rolled)
            for face, stack in zip(view.rolled, DIGITS[action], strict=False):
                if stack:
                    need, dice, prizes = after[stack - 1]
                    after[stack - 1] = Stack(need - face, dice + 1, prizes)
                    left -= 1
            return expected(after, valley, left=left, rolls=ROLLS)

        return max(legal, key=merit)


def cheapest_on_top(view: View) -> int:
    """Put won cards in order: the first to be lost is the one with the fewest paws."""
    won = view.spoils[view.seat]

    def downwards(action: int) -> list[tuple[int, int]]:
        return [(card_paws(won[at], view), won[at]) for at in order_of(action)]

    return max(ORDERS_OF[len(won)], key=downwards)


def expected(stacks: list[Stack], valley: list[float], *, left: int, rolls: int) -> float:
    """Tell how many paws placed dice and those left in the hand will bring."""
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
    """Tell what a single die brings, given what each face does and how often it may be rolled."""
    worth = 0.0
    for _ in range(rolls):
        # A face that brings less than the rolls after it is rolled again.
        worth = sum([max(gain, worth) for gain in gains[1:]]) / FACES
    return worth


def stacks_of(view: View) -> list[Stack]:
    """Value every stack of the display against those who may meet its number, too."""
    display = view.on_display
    own = display[view.seat]
    in_hand = view.in_hand
    rivals = [seat for seat in range(view.seats) if seat != view.seat]
    threats = [
        [threat(card - sum(display[r][at]), len(display[r][at]), in_hand[r]) for r in rivals]
        for at, card in enumerate(view.cards)
    ]
    worths: list[float] = [
        card_paws(card, view) + view.parameters.take2_paws * under
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
    """Tell what a stack is worth that is met with no dice, with one, two and three."""
    return [
        worth * prod([1 - chance * (1 - beats(mine, dice)) for chance, dice in threats])
        for mine in range(DICE + 1)
    ]


@cache
def threat(need: int, count: int, in_hand: int) -> tuple[float, int]:
    """Tell how likely a rival meets a number, and with how many dice."""
    chance = reach(in_hand, need)
    if need and not count:
        chance *= ATTENTION
    return chance, min(count + ceil(need / FACE), DICE)


@cache
def reach(dice: int, need: int) -> float:
    """Tell how likely this many dice, over the turns that they take, sum to what is needed."""
    if not need:
        return 1.0
    if need > FACES * dice:
        return 0.0
    if dice == 1:
        return 1 - (1 - 1 / FACES) ** ROLLS
    chance = 0.0
    for roll, odds in rolls_of(dice).items():
        ways = [
            reach(dice - size, need - sum(placed))
            for size in range(1, dice + 1)
            for placed in combinations(roll, size)
            if sum(placed) <= need
        ]
        # A die that is of no use here is placed elsewhere.
        chance += odds * max([reach(dice - 1, need), *ways])
    return chance


@cache
def rolls_of(dice: int) -> dict[tuple[int, ...], float]:
    """Tell how likely every roll is, its dice sorted."""
    rolls = product(range(1, FACES + 1), repeat=dice)
    counts = Counter(tuple(sorted(roll)) for roll in rolls)
    return {roll: count / FACES**dice for roll, count in counts.items()}


@cache
def beats(mine: int, theirs: int) -> float:
    """Tell how likely a roll of this many dice is higher than one of theirs; a tie is half."""
    chance = 0.0
    for (a, odds), (b, other) in product(rolls_of(mine).items(), rolls_of(theirs).items()):
        # Of equal sums the one with fewer dice is higher.
        high, low = (sum(a), -mine), (sum(b), -theirs)
        chance += odds * other * ((high > low) + (high >= low)) / 2
    return chance


def valley_of(view: View) -> list[float]:
    """Tell what no dice, one, two and three bring in the valley."""
    display = view.on_display
    rivals = []
    for seat in range(view.seats):
        if seat != view.seat:
            placed = zip(view.cards, display[seat], strict=True)
            hits = sum([len(faces) for card, faces in placed if sum(faces) == card])
            rivals.append(DICE - hits)
    rivals = [dice for dice in rivals if dice]
    prize = card_paws(view.valley, view)
    top = paws(view.piles[view.seat][-1:], 0, view.parameters)
    if not rivals:
        # Who is alone there takes the card, or pays if there is none.
        return [0.0] + [float(prize if view.valley else -top)] * DICE
    return [0.0] + [
        prize * prod([beats(mine, dice) for dice in rivals])
        - top * prod([beats(dice, mine) for dice in rivals])
        for mine in range(1, DICE + 1)
    ]


def card_paws(card: int, view: View) -> int:
    """Count the paws on a card, which may be none or the Lucky8."""
    return 0 if card in (NO_CARD, LUCKY8) else paws((card,), 0, view.parameters)


if __name__ == "__main__":
    run(GreedyJackal)
