"""What do the stacks and the valley of Jackal & High promise to a seat?

A stack is worth its paws, times the chance to win it from those who have met its number or may do
so. More dice win duels, so meeting it with more dice is worth more. With the Lucky8 come the stacks
that nobody is likely to meet. Dice that miss are rolled in the valley, for its card and against the
loss of the pile's top card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations, product
from math import ceil, prod
from typing import NamedTuple

from arena.games.jackal.cards import LUCKY8, NO_CARD
from arena.games.jackal.dice import (
    DICE,
    EXACT,
    FACES,
    PROBE,
    STACK_GUARDS,
    Roll,
    count_on,
    in_hand,
)
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.scoring import paws
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View

ROLLS = 3
"""How often a single die may be rolled in a turn."""
ATTENTION = 0.6
"""How likely a rival plays for a stack on which it has no dice yet."""
FACE = 6
"""What each die brings a player, roughly, who plays for a high number."""
ANY_OF = (0.0, *((1 - (1 - kinds / FACES) ** ROLLS) / kinds for kinds in range(1, FACES + 1)))
"""How likely a single die shows a certain one of so many faces, before any other of them."""


class Rival(NamedTuple):
    """What another seat threatens."""

    threats: tuple[tuple[int, int], ...]
    """For each stack how many dice have met its number, and how many are in the hand."""
    valley: int
    """How many dice have met no number."""


class Table:
    """What stacks and valley promise to a seat."""

    def __init__(
        self,
        cards: tuple[int, ...],
        under: tuple[int, ...],
        valley: int,
        top: int,
        rivals: tuple[Rival, ...],
        parameters: Parameters,
    ) -> None:
        """Weigh them; `top` is the card that the seat may lose to the valley."""
        worths: list[float] = [
            card_paws(card, parameters) + parameters.take2_paws * take2s
            for card, take2s in zip(cards, under, strict=True)
        ]
        threats = zip(*[rival.threats for rival in rivals], strict=True)
        odds = [_odds(card, each) for card, each in zip(cards, threats, strict=True)]
        if LUCKY8 in cards:
            lucky = cards.index(LUCKY8)
            others = [worth * each[0] for worth, each in zip(worths, odds, strict=True)]
            worths[lucky] += sum(others) - others[lucky]
        self.prizes = [
            [worth * chance for chance in each] for worth, each in zip(worths, odds, strict=True)
        ]
        """For each stack the paws to expect from meeting it with no dice, one, two and three."""
        self.valley = [0.0, *_valley(valley, top, rivals, parameters)]
        """The paws to expect there of no dice, one, two and three."""
        self.decided: dict[tuple[int, Roll, int], int] = {}
        """By the dice that the seat has placed and rolled, and the rolls left."""


_table = lru_cache(1 << 12)(Table)


def table_of(position: JackalState | View, seat: int, room: int) -> Table:
    """Return what is in it for a seat, on a display with this room."""
    stacks = len(position.cards)
    rivals = [_rival(room, laid, stacks) for laid in position.laid]
    del rivals[seat]
    # Who threatens what makes no difference, so more positions are alike.
    rivals.sort()
    pile = position.piles[seat]
    return _table(
        position.cards,
        position.under,
        position.valley,
        pile[-1] if pile else NO_CARD,
        tuple(rivals),
        position.parameters,
    )


@lru_cache(1 << 14)
def _rival(room: int, laid: int, stacks: int) -> Rival:
    met = [0] * stacks
    # Where dice meet the number they leave no room, and taking 1 more costs the guard.
    for stack in EXACT[stacks][room - PROBE[1] - laid & STACK_GUARDS]:
        met[stack] = count_on(laid, stack)
    hand = in_hand(laid)
    return Rival(tuple([(dice, hand) for dice in met]), DICE - sum(met))


@cache
def _odds(card: int, threats: tuple[tuple[int, int], ...]) -> list[float]:
    """Tell how likely a stack is won with no dice, which is if no rival meets it, or with more."""
    likely = min(ceil(card / FACE), DICE)
    rivals = [
        (1.0, met) if met else (ATTENTION * reach(hand, card), likely) for met, hand in threats
    ]
    return [
        prod([1 - chance * (1 - _beats(mine, dice)) for chance, dice in rivals])
        for mine in range(DICE + 1)
    ]


def _valley(
    card: int, top: int, rivals: tuple[Rival, ...], parameters: Parameters
) -> Iterator[float]:
    """Tell what one die, two and three bring in the valley."""
    prize, price = card_paws(card, parameters), card_paws(top, parameters)
    there = [rival.valley for rival in rivals if rival.valley]
    for mine in range(1, DICE + 1):
        if not there:
            # Who is alone there takes the card, or pays if there is none.
            yield float(prize if card else -price)
        else:
            won = prod([_beats(mine, dice) for dice in there])
            lost = prod([_beats(dice, mine) for dice in there])
            yield prize * won - price * lost


def card_paws(card: int, parameters: Parameters) -> int:
    """Count the paws on a card, which may be none or the Lucky8."""
    return 0 if card in (NO_CARD, LUCKY8) else paws((card,), 0, parameters)


@cache
def reach(dice: int, need: int) -> float:
    """Tell how likely this many dice, over the turns that they take, sum to what is needed."""
    if not need:
        return 1.0
    if need > FACES * dice:
        return 0.0
    if dice == 1:
        return ANY_OF[1]
    chance = 0.0
    for roll, odds in _rolls_of(dice).items():
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
def _rolls_of(dice: int) -> dict[tuple[int, ...], float]:
    """Tell how likely every roll is, its dice sorted."""
    rolls = product(range(1, FACES + 1), repeat=dice)
    counts = Counter(tuple(sorted(roll)) for roll in rolls)
    return {roll: count / FACES**dice for roll, count in counts.items()}


@cache
def _beats(mine: int, theirs: int) -> float:
    """Tell how likely a roll of this many dice is higher than one of theirs; a tie is half."""
    chance = 0.0
    for (a, odds), (b, other) in product(_rolls_of(mine).items(), _rolls_of(theirs).items()):
        # Of equal sums the one with fewer dice is higher.
        high, low = (sum(a), -mine), (sum(b), -theirs)
        chance += odds * other * ((high > low) + (high >= low)) / 2
    return chance
