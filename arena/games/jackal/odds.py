"""The probability that dice meet a number, and that they beat others in a duel."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations, product

from arena.games.jackal.cards import LUCKY8, NO_CARD
from arena.games.jackal.dice import FACES
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.scoring import paws

ROLLS = 3
"""How often a single die may be rolled in a turn."""


@cache
def reach(dice: int, need: int) -> float:
    """Return the probability that this many dice, over several turns, add up to `need`."""
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
        # A die that does not help here is placed elsewhere.
        chance += odds * max([reach(dice - 1, need), *ways])
    return chance


@cache
def rolls_of(dice: int) -> dict[tuple[int, ...], float]:
    """Return the probability of every roll, with its dice sorted."""
    rolls = product(range(1, FACES + 1), repeat=dice)
    counts = Counter(tuple(sorted(roll)) for roll in rolls)
    return {roll: count / FACES**dice for roll, count in counts.items()}


@cache
def beats(mine: int, theirs: int) -> float:
    """Return the probability of beating a roll, by the numbers of dice; a tie counts half."""
    chance = 0.0
    for (a, odds), (b, other) in product(rolls_of(mine).items(), rolls_of(theirs).items()):
        # If sums are equal, fewer dice are better.
        high, low = (sum(a), -mine), (sum(b), -theirs)
        chance += odds * other * ((high > low) + (high >= low)) / 2
    return chance


def card_paws(card: int, parameters: Parameters) -> int:
    """Count the paws on a card, which may be none or the Lucky8."""
    return 0 if card in (NO_CARD, LUCKY8) else paws((card,), 0, parameters)
