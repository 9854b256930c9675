"""Score a seat's cards at the end of a match."""

from __future__ import annotations

from arena.games.jackal.cards import LUCKY8, PACK, TAKE2
from arena.games.jackal.parameters import Parameters

_CARD_BITS = TAKE2.bit_length()


def paws(pile: tuple[int, ...], take2s: int, parameters: Parameters) -> int:
    """Count the paws on a seat's cards."""
    # RULES 14: the numbers skip 8.
    on_pack = sum(parameters.paws[card - 1 if card < LUCKY8 else card - 2] for card in pile)
    return on_pack + take2s * parameters.take2_paws


def merit(score: int, pile: tuple[int, ...]) -> int:
    """Return a number that ranks a seat: its score, then its cards from the highest down."""
    # RULES 15: any card beats no card.
    merit = score
    cards = sorted(pile, reverse=True)
    for at in range(len(PACK)):
        merit = merit << _CARD_BITS | (cards[at] if at < len(cards) else 0)
    return merit
