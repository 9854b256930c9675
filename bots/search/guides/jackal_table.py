"""The expected value of the stacks and the valley of Jackal & High for a seat.

A stack is worth its paws times the probability of winning it from the rivals that have met its
number or may do so. More dice win duels, so meeting it with more dice is worth more. The Lucky8
also brings the stacks that no rival is likely to meet. Dice that miss are rolled in the valley, for
its card and against the loss of the pile's top card.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
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
from arena.games.jackal.odds import ROLLS, beats, card_paws, reach
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.state import JackalState
from arena.games.jackal.view import View

ATTENTION = 0.6
"""The probability that a rival plays for a stack where it has no dice yet."""
TYPICAL_FACE = 6
"""A typical face placed by a player going for a high number."""
ANY_OF = (0.0, *((1 - (1 - kinds / FACES) ** ROLLS) / kinds for kinds in range(1, FACES + 1)))
"""The probability that a single die shows a given one of several faces first, by their number."""


class Rival(NamedTuple):
    """What another seat threatens."""

    threats: tuple[tuple[int, int], ...]
    """For each stack, how many of its dice have met the number, and how many are in its hand."""
    valley: int
    """How many dice have met no number."""


class Table:
    """The expected paws of the stacks and the valley, for one seat."""

    def __init__(
        self,
        cards: tuple[int, ...],
        under: tuple[int, ...],
        valley: int,
        top: int,
        rivals: tuple[Rival, ...],
        parameters: Parameters,
    ) -> None:
        """Compute them; `top` is the card that the seat may lose to the valley."""
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
        """For each stack, the expected paws from meeting it with zero, one, two or three dice."""
        self.valley = [0.0, *_valley(valley, top, rivals, parameters)]
        """The expected paws from zero, one, two or three dice in the valley."""
        self.decisions: dict[tuple[int, Roll, int], int] = {}
        """Cached actions, by the dice that the seat has placed and rolled, and the rolls left."""


_table = lru_cache(1 << 12)(Table)


def table_of(position: JackalState | View, seat: int, room: int) -> Table:
    """Return the table for a seat, on a display with this room."""
    stacks = len(position.cards)
    rivals = [_rival(room, laid, stacks) for laid in position.laid]
    del rivals[seat]
    # Which rival threatens what does not matter; sorting lets more positions share a table.
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
    # Dice that meet the number leave no room, so subtracting 1 more clears the guard bit.
    for stack in EXACT[stacks][room - PROBE[1] - laid & STACK_GUARDS]:
        met[stack] = count_on(laid, stack)
    hand = in_hand(laid)
    return Rival(tuple([(dice, hand) for dice in met]), DICE - sum(met))


@cache
def _odds(card: int, threats: tuple[tuple[int, int], ...]) -> list[float]:
    """Return the probability of winning a stack with 0 (no rival meets it), 1, 2 or 3 dice."""
    likely = min(ceil(card / TYPICAL_FACE), DICE)
    rivals = [
        (1.0, met) if met else (ATTENTION * reach(hand, card), likely) for met, hand in threats
    ]
    return [
        prod([1 - chance * (1 - beats(mine, dice)) for chance, dice in rivals])
        for mine in range(DICE + 1)
    ]


def _valley(
    card: int, top: int, rivals: tuple[Rival, ...], parameters: Parameters
) -> Iterator[float]:
    """Yield the expected paws from one, two and three dice in the valley."""
    prize, price = card_paws(card, parameters), card_paws(top, parameters)
    there = [rival.valley for rival in rivals if rival.valley]
    for mine in range(1, DICE + 1):
        if not there:
            # A seat alone in the valley takes the card, or pays if there is none.
            yield float(prize if card else -price)
        else:
            won = prod([beats(mine, dice) for dice in there])
            lost = prod([beats(dice, mine) for dice in there])
            yield prize * won - price * lost
