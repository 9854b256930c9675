"""The cards and tokens of MEOW, as integers.

A card is `18 * colour + rank - 1`, which is also the action of playing it. A set of cards is an
integer with one bit for each card. A token is an integer: a bowl its worth, a fishbone its
(negative) worth, and one number each for the fish and the vase.
"""

from __future__ import annotations

from functools import cache

PINK, BLUE, GREEN = range(3)
COLOURS = ("pink", "blue", "green")
RANKS = 18
CARDS = 54
HAND = 9
ROUNDS = 3
TOKENS = 27
ROW = 9

FISH = 100
VASE = -100
WORTH_LIMIT = 99
"""Maximum absolute value of a bowl or fishbone."""

ALL_COLOURS = 3
"""The index in `COLOUR_MASK` for any colour: nothing has been led yet."""
COLOUR_MASK = (*(((1 << RANKS) - 1) << (RANKS * colour) for colour in range(3)), (1 << CARDS) - 1)
COLOUR_OF = tuple(card // RANKS for card in range(CARDS))
BITS = tuple(1 << card for card in range(CARDS))
BIT_OF = {card: 1 << card for card in range(CARDS)}
"""A dict because a bot may send any integer: `get` finds nothing for one that is not a card."""
CARD_AND_BIT = {card: (card, bit) for card, bit in BIT_OF.items()}
"""The same with the card itself: an integer of numpy is equal to it, but states keep none."""

# RULES 10: in the expert game every colour loses the ranks from this one to 17.
_EXPERT_FIRST_REMOVED = {2: 6, 3: 9, 4: 12, 5: 15, 6: 18}


def card(colour: int, rank: int) -> int:
    """Return the card of this colour and rank."""
    return RANKS * colour + rank - 1


def rank_of(card: int) -> int:
    """Return the number printed on a card, 1 to 18."""
    return card % RANKS + 1


class _CardsOf(dict[int, tuple[int, ...]]):
    """The cards of a set that lie within nine cards of the deck, by the nine bits of the set."""

    def __init__(self, first: int) -> None:
        self._first = first

    def __missing__(self, bits: int) -> tuple[int, ...]:
        cards = tuple(self._first + bit for bit in range(9) if bits >> bit & 1)
        self[bits] = cards
        return cards


# Six lookups are faster than a loop over the cards.
_NINE = 511
_A, _B, _C, _D, _E, _F = map(_CardsOf, range(0, CARDS, 9))


def cards_in(mask: int) -> tuple[int, ...]:
    """List the cards of a set, ascending."""
    return (
        _A[mask & _NINE]
        + _B[mask >> 9 & _NINE]
        + _C[mask >> 18 & _NINE]
        + _D[mask >> 27 & _NINE]
        + _E[mask >> 36 & _NINE]
        + _F[mask >> 45]
    )


def mask_of(cards: tuple[int, ...]) -> int:
    """Return the set of these cards."""
    mask = 0
    for each in cards:
        mask |= BITS[each]
    return mask


@cache
def deck(seats: int, *, expert: bool, ranks: int = 0) -> tuple[int, ...]:
    """List the cards in play, ascending; with `ranks`, so many of each colour."""
    # RULES 13: like the expert game, a small deck lacks the ranks below 18.
    first_removed = _EXPERT_FIRST_REMOVED[seats] if expert else ranks or RANKS
    removed = range(first_removed, RANKS)
    return tuple(each for each in range(CARDS) if rank_of(each) not in removed)


@cache
def deck_mask(seats: int, *, expert: bool, ranks: int = 0) -> int:
    """Return the set of cards in play."""
    return mask_of(deck(seats, expert=expert, ranks=ranks))


DECKS = {
    (seats, expert): deck(seats, expert=expert) for seats in range(2, 7) for expert in (False, True)
}
DECK_MASKS = {key: mask_of(cards) for key, cards in DECKS.items()}
"""The cards in play in matches of the usual size."""
