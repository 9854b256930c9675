"""What does somebody know of a hand that it does not hold?

Three kinds of knowledge, each complete in itself and each of a bounded size:

- `Known` is what the whole table knows of a hand now. Cards are only ever seen at the two ends of
  a sorted hand, so it is the lowest cards, the highest cards, and bounds for those between.
- `Earlier` is what a `Known` turns into when the hand swaps a card that nobody else sees: the same
  facts, with allowance for the swaps made since.
- `Told` is what one partner knows of the other's hand. Partners see their swaps, so theirs is
  exact: cards certainly in the hand, and bounds for all others.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.games.trio.cards import NUMBERS


class Known(NamedTuple):
    """What the table knows of one hand."""

    size: int
    low: tuple[int, ...]
    """The lowest cards, ascending, as far as they have been seen; all cards if all are known."""
    high: tuple[int, ...]
    """The highest cards, ascending, as far as they have been seen; empty if all are known."""
    least: int
    """No card between `low` and `high` is below this; 0 if all are known."""
    most: int
    """No card between `low` and `high` is above this; 0 if all are known."""


class Earlier(NamedTuple):
    """What the table knew of one hand before its last swaps, and how far it still holds.

    Trios taken since are gone from it: all three copies have left every hand.
    """

    cards: tuple[int, ...]
    """Cards that were in the hand, ascending."""
    least: int
    most: int
    """All its other cards lay between these two; both 0 if there were no others."""
    gone: int
    """At most so many of `cards` have left since."""
    strange: int
    """At most so many cards have come since that are neither of `cards` nor within the bounds."""


class Told(NamedTuple):
    """What one partner knows of the other's hand."""

    cards: tuple[int, ...]
    """Cards certainly in the hand, ascending."""
    least: int
    most: int
    """All its other cards lie between these two; both 0 if there are no others."""


NOTHING_TOLD = Told((), 1, NUMBERS)


def unknown(size: int) -> Known:
    """Return what the table knows of a hand of which it has seen nothing."""
    return Known(size, (), (), 1, NUMBERS) if size else Known(0, (), (), 0, 0)


def known(hand: list[int], low: int, high: int, before: Known) -> Known:
    """Return what is known of a hand when so many of its lowest and highest cards have been seen.

    Where nothing has been seen, the bounds known before still hold.
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
    """Return the fewest cards that contain both, ascending: 2 2 5 and 2 7 give 2 2 5 7."""
    if not one or one == other:
        return other
    return tuple(
        number
        for number in sorted({*one, *other})
        for _ in range(max(one.count(number), other.count(number)))
    )


def merged(told: Told, table: Known) -> Told:
    """Return what a partner knows who also knows what the table knows."""
    cards = union(told.cards, table.low + table.high)
    if len(cards) == table.size:
        return Told(cards, 0, 0)
    return Told(cards, max(told.least, table.least), min(told.most, table.most))


def after_swap(told: Told, came: int, left: int) -> Told:
    """Return what a partner knows of a hand to which it gave one card and from which it got one."""
    cards = list(told.cards)
    if left in cards:
        cards.remove(left)
    return Told(tuple(sorted([*cards, came])), told.least, told.most)


def swapped(layers: tuple[Earlier, ...], before: Known) -> tuple[Earlier, ...]:
    """Return what is still known of a hand from before, now that it has swapped once more."""
    newest = Earlier(before.low + before.high, before.least, before.most, 0, 0)
    return tuple(
        layer._replace(gone=layer.gone + 1, strange=layer.strange + 1)
        for layer in (*layers, newest)
        if _says_something(layer, before.size, swaps=1)
    )


def taken(layers: tuple[Earlier, ...], number: int, count: int, size: int) -> tuple[Earlier, ...]:
    """Return what is still known from before when all of a number leave, `count` of this hand.

    All saw where the three lay: those that had been known here but lay elsewhere, and those that
    were strange here, use up some of the allowance.
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
        if _says_something(now, size):
            left.append(now)
    return tuple(left)


def _says_something(layer: Earlier, size: int, swaps: int = 0) -> bool:
    """Tell whether this rules out any hand of this size after so many more swaps."""
    if layer.gone + swaps < len(layer.cards):
        return True
    return layer.strange + swaps < size and not (layer.least <= 1 and layer.most >= NUMBERS)
