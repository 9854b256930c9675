"""What the other players know about a hand.

There are three kinds of knowledge, each self-contained and of bounded size:

- `Known` is what the whole table knows about a hand now. Cards are only ever seen at the two ends
  of a sorted hand, so it consists of the lowest cards, the highest cards, and bounds for the cards
  in between.
- `Earlier` is what a `Known` becomes when the hand secretly swaps a card: the same facts, with an
  allowance for the swaps made since.
- `KnownToPartner` is what one partner knows about the other's hand. Partners see their swaps, so
  theirs is exact: cards certainly in the hand, and bounds for all others.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.trio.cards import NUMBERS


class Known(NamedTuple):
    """What the table knows about one hand."""

    size: int
    low: tuple[int, ...]
    """The cards seen at the low end, ascending; the whole hand if all are known."""
    high: tuple[int, ...]
    """The cards seen at the high end, ascending; empty if all are known."""
    least: int
    """No card between `low` and `high` is below this; 0 if all are known."""
    most: int
    """No card between `low` and `high` is above this; 0 if all are known."""


class Earlier(NamedTuple):
    """What the table knew about a hand before its latest swaps, and how far that still holds.

    Trios taken since are removed from it: all three copies have left every hand.
    """

    cards: tuple[int, ...]
    """Cards that were in the hand, ascending."""
    least: int
    most: int
    """All its other cards were between these two; both 0 if there were no others."""
    gone: int
    """Maximum number of `cards` that may have left the hand since."""
    strange: int
    """Maximum number of cards received since that are neither in `cards` nor within the bounds."""


class KnownToPartner(NamedTuple):
    """What one partner knows about the other's hand."""

    cards: tuple[int, ...]
    """Cards certainly in the hand, ascending."""
    least: int
    most: int
    """All its other cards are between these two; both 0 if there are no others."""


NOTHING_KNOWN = KnownToPartner((), 1, NUMBERS)


def unknown_hand(size: int) -> Known:
    """Return what the table knows about a hand before it has seen any of its cards."""
    return Known(size, (), (), 1, NUMBERS) if size else Known(0, (), (), 0, 0)


def known_hand(hand: list[int], low: int, high: int, before: Known) -> Known:
    """Return what is known about a hand when its `low` lowest and `high` highest cards were seen.

    At an end where no card was seen, the bound known before still holds.
    """
    size = len(hand)
    if low + high >= size:
        return Known(size, tuple(hand), (), 0, 0)
    return Known(
        size,
        tuple(hand[:low]),
        tuple(hand[size - high :]),
        hand[low - 1] if low else before.least,
        hand[size - high] if high else before.most,
    )


def without(cards: tuple[int, ...], number: int) -> tuple[int, ...]:
    """Return the cards without any of this number."""
    return tuple(card for card in cards if card != number)


def union(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    """Return the smallest set of cards containing both, ascending: 2 2 5 and 2 7 give 2 2 5 7."""
    if not one or one == other:
        return other
    return tuple(
        number
        for number in sorted({*one, *other})
        for _ in range(max(one.count(number), other.count(number)))
    )


def merge(private: KnownToPartner, table: Known) -> KnownToPartner:
    """Combine what a partner knows about a hand with what the table knows about it."""
    cards = union(private.cards, table.low + table.high)
    if len(cards) == table.size:
        return KnownToPartner(cards, 0, 0)
    return KnownToPartner(cards, max(private.least, table.least), min(private.most, table.most))


def partner_after_swap(private: KnownToPartner, came: int, left: int) -> KnownToPartner:
    """Update a partner's knowledge of a hand for a swap: one card came into it and one left it."""
    cards = list(private.cards)
    if left in cards:
        cards.remove(left)
    return KnownToPartner(tuple(sorted([*cards, came])), private.least, private.most)


def earlier_after_swap(layers: tuple[Earlier, ...], before: Known) -> tuple[Earlier, ...]:
    """Return the earlier knowledge that still says something after one more swap of the hand."""
    newest = Earlier(before.low + before.high, before.least, before.most, 0, 0)
    return tuple(
        layer._replace(gone=layer.gone + 1, strange=layer.strange + 1)
        for layer in (*layers, newest)
        if _is_informative(layer, before.size, swaps=1)
    )


def earlier_after_trio(
    layers: tuple[Earlier, ...], number: int, count: int, size: int
) -> tuple[Earlier, ...]:
    """Return the earlier knowledge left after a trio is taken, with `count` cards from this hand.

    All players saw where the three cards were. Cards known to be here that turned up elsewhere,
    and unexpected cards that turned up here, use up some of the allowance.
    """
    left: list[Earlier] = []
    for layer in layers:
        had = layer.cards.count(number)
        outside = not layer.least <= number <= layer.most
        now = Earlier(
            without(layer.cards, number),
            layer.least,
            layer.most,
            layer.gone - max(0, had - count),
            layer.strange - (max(0, count - had) if outside else 0),
        )
        if _is_informative(now, size):
            left.append(now)
    return tuple(left)


def _is_informative(layer: Earlier, size: int, swaps: int = 0) -> bool:
    """Return whether this still excludes any hand of this size after this many more swaps."""
    if layer.gone + swaps < len(layer.cards):
        return True
    return layer.strange + swaps < size and not (layer.least <= 1 and layer.most >= NUMBERS)
