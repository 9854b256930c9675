"""The cards and tokens of MEOW.

Cards and tokens are integers with a text and properties. A set of cards is an integer with one bit
for each card.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import ClassVar

from arena.games.notation import NamedNumber, Symbol


class Colour(NamedNumber):
    """A colour of cards."""

    PINK = 0
    BLUE = 1
    GREEN = 2


PINK, BLUE, GREEN = range(3)
COLOURS = tuple(map(str, Colour))
RANKS = 18
CARDS = 54
HAND = 9
ROUNDS = 3
TOKENS = 27
ROW = 9

WORTH_LIMIT = 99
"""Maximum absolute value of a bowl or fishbone."""


class Card(Symbol):
    """A card, and the action of playing it: 18 times its colour, plus its rank, minus 1."""

    __slots__ = ()
    what = "a card"
    values: ClassVar[tuple[Card, ...]]

    @property
    def colour(self) -> Colour:
        """Pink, blue or green."""
        return _COLOUR_OF[self]

    @property
    def rank(self) -> int:
        """The number printed on it, 1 to 18."""
        return self % RANKS + 1

    def __str__(self) -> str:
        """Return the letter of the colour and the rank: P5, B13, G18."""
        return f"{'PBG'[self // RANKS]}{self.rank}"


_COLOUR_OF = tuple(colour for colour in Colour for _ in range(RANKS))
DECK = Card.values = tuple(map(Card, range(CARDS)))


class Token(Symbol):
    """A token of the row: a bowl or a fishbone is its worth, which for a bone is below 0."""

    __slots__ = ()
    what = "a token"
    values: ClassVar[tuple[Token, ...]]

    @property
    def kind(self) -> str:
        """What it is: "bowl", "bone", "fish" or "vase"."""
        if abs(self) <= WORTH_LIMIT:
            return "bowl" if self > 0 else "bone"
        return "fish" if self > 0 else "vase"

    def __str__(self) -> str:
        """Return the worth of a bowl or a bone: 7, -3; or fish, or vase."""
        return int.__repr__(self) if abs(self) <= WORTH_LIMIT else self.kind


FISH = Token(100)
VASE = Token(-100)
Token.values = (
    FISH,
    VASE,
    *map(Token, range(1, WORTH_LIMIT + 1)),
    *map(Token, range(-1, -WORTH_LIMIT - 1, -1)),
)

ALL_COLOURS = 3
"""The index in `COLOUR_MASK` for any colour: nothing has been led yet."""
COLOUR_MASK = (*(((1 << RANKS) - 1) << (RANKS * colour) for colour in range(3)), (1 << CARDS) - 1)
COLOUR_OF = tuple(card // RANKS for card in range(CARDS))
BITS = tuple(1 << card for card in range(CARDS))
CARD_BIT_COLOUR: dict[int, tuple[Card, int, int]] = {
    card: (card, 1 << card, card // RANKS) for card in DECK
}
"""What a card is to a state; a bot may send a plain integer, or one of numpy."""
BIT_OF: dict[int, int] = {card: 1 << card for card in DECK}
"""A dict because a bot may send any integer: `get` finds nothing for one that is not a card."""

# RULES 10: in the expert game every colour loses the ranks from this one to 17.
_EXPERT_FIRST_REMOVED = {2: 6, 3: 9, 4: 12, 5: 15, 6: 18}


def card(colour: int, rank: int) -> Card:
    """Return the card of this colour and rank."""
    return DECK[RANKS * colour + rank - 1]


def _beaters(played: int) -> int:
    """Return the set of cards that beat a card in a trick of its own colour."""
    colour = COLOUR_OF[played]
    one, eighteen = card(colour, 1), card(colour, RANKS)
    better = COLOUR_MASK[colour] & -(2 << played)
    if played == one:
        better &= ~BITS[eighteen]
    elif played == eighteen:
        better = BITS[one]
    return better if colour == GREEN else better | COLOUR_MASK[GREEN]


BEATERS = tuple(map(_beaters, range(CARDS)))
"""For each card, the set of cards that beat it in a trick of its own colour."""


class _CardsOf(dict[int, tuple[Card, ...]]):
    """The cards of a set that lie within nine cards of the deck, by the nine bits of the set."""

    def __init__(self, first: int) -> None:
        self._first = first

    def __missing__(self, bits: int) -> tuple[int, ...]:
        cards = tuple(DECK[self._first + bit] for bit in range(9) if bits >> bit & 1)
        self[bits] = cards
        return cards


# Six lookups are faster than a loop over the cards.
_NINE = 511
_A, _B, _C, _D, _E, _F = map(_CardsOf, range(0, CARDS, 9))


def cards_in(mask: int) -> tuple[Card, ...]:
    """List the cards of a set, ascending."""
    return (
        _A[mask & _NINE]
        + _B[mask >> 9 & _NINE]
        + _C[mask >> 18 & _NINE]
        + _D[mask >> 27 & _NINE]
        + _E[mask >> 36 & _NINE]
        + _F[mask >> 45]
    )


def mask_of(cards: Iterable[int]) -> int:
    """Return the set of these cards."""
    mask = 0
    for each in cards:
        mask |= BITS[each]
    return mask


@cache
def deck(seats: int, *, expert: bool, ranks: int = 0) -> tuple[Card, ...]:
    """List the cards in play, ascending; with `ranks`, that many of each colour."""
    # RULES 13: like the expert game, a small deck lacks the ranks below 18.
    first_removed = _EXPERT_FIRST_REMOVED[seats] if expert else ranks or RANKS
    removed = range(first_removed, RANKS)
    return tuple(each for each in DECK if each.rank not in removed)


@cache
def deck_mask(seats: int, *, expert: bool, ranks: int = 0) -> int:
    """Return the set of cards in play."""
    return mask_of(deck(seats, expert=expert, ranks=ranks))


DECKS = {
    (seats, expert): deck(seats, expert=expert) for seats in range(2, 7) for expert in (False, True)
}
DECK_MASKS = {key: mask_of(cards) for key, cards in DECKS.items()}
"""The cards in play in matches of the usual size."""
