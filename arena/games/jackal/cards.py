"""The cards of Jackal & High, as integers.

A pack card is its number, 1 to 7 and 9 to 21, and a Lucky8 is 8: the number of a card that dice
can be placed on is also the sum that they must reach. A Take2 is 22, and 0 is no card.
"""

from __future__ import annotations

from functools import cache

NO_CARD = 0
LUCKY8 = 8
TAKE2 = 22

PACK_NUMBERS = (*range(1, 8), *range(9, 22))
"""The twenty numbers of pack cards; the parameter `paws` follows this order."""
# RULES 1
PACK = tuple(sorted((*range(1, 8), *PACK_NUMBERS)))
SPECIALS = 4
"""How many Lucky8 there are, and how many Take2."""

CARD_WORDS = {
    "none": NO_CARD,
    **{str(number): number for number in PACK_NUMBERS},
    "Lucky8": LUCKY8,
    "Take2": TAKE2,
}


@cache
def pack_of(numbers: int = 0) -> tuple[int, ...]:
    """List the pack cards; with `numbers`, only those of the lowest numbers, that many."""
    # RULES 22
    kept = PACK_NUMBERS[:numbers] if numbers else PACK_NUMBERS
    return tuple(card for card in PACK if card in kept)


def without(cards: tuple[int, ...], card: int) -> tuple[int, ...]:
    """Return the cards left after taking one, in the same order."""
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]
