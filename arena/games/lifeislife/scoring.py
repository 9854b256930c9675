"""Score a round: what it costs each player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from arena.games.lifeislife.cards import GUARDS, ONE, VALUES

_ONES = sum(ONE)


def totals_of(hands: Sequence[int], values: tuple[int, ...] = VALUES) -> list[int]:
    """Count the points of the hands of all living players."""
    # RULES 7: with two players, a single card is not a majority.
    enough = 2 * _ONES if len(hands) == 2 else _ONES
    beating = [hand + _ONES for hand in hands]
    totals = []
    for seat, hand in enumerate(hands):
        # A guard bit stays set if the hand has at least as many cards as are subtracted.
        guarded = hand | GUARDS
        won = guarded - enough
        for other, more in enumerate(beating):
            if other != seat:
                won &= guarded - more
        totals.append(_worth_of(won & GUARDS, values))
    return totals


@cache
def _worth_of(won: int, values: tuple[int, ...]) -> int:
    """Add up the values of the animals with these guard bits."""
    return sum(value for one, value in zip(ONE, values, strict=True) if won & one << 4)


def costs_of(totals: Sequence[int]) -> list[int]:
    """Return how many lives each total costs."""
    # RULES 8: being highest comes first, so if all totals are equal, they cost nothing.
    highest = max(totals)
    lowest = min(totals)
    return [0 if total == highest else 2 if total == lowest else 1 for total in totals]
