"""The probability that a place shows a number, given everything a seat has seen.

For each hand, some cards are known, and the numbers that the others lie between; for each number,
it is known how many cards are unseen. What was known about a hand before it swapped is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import NamedTuple

from arena.games.trio.cards import COPIES, FIRST_GIVE, FIRST_HAND, NUMBERS, SEAT_OF, UNSEEN
from arena.games.trio.view import View

WAYS = [[comb(cards, hidden) for cards in range(COPIES * NUMBERS + 1)] for hidden in range(10)]
"""The ways to choose the hidden cards of a hand, by their number and the number of cards."""
INWARD = [-1 if (place - FIRST_HAND) % 2 else 1 for place in range(FIRST_GIVE)]
"""For each end of a hand, the direction from there to its middle; meaningless for the centre."""

Odds = dict[int, float]
"""The probability of each number that a place may show."""


class Hand(NamedTuple):
    """What is known about the face-down cards of a hand."""

    cards: tuple[int, ...]
    """The known cards, ascending."""
    hidden: int
    """The number of unknown cards."""
    least: int
    most: int
    """The unknown cards are between these two."""


def hands_of(view: View) -> list[Hand]:
    """Return what this seat knows about each hand, without the cards that are face up."""
    hands = []
    for size, lowest, highest, least, most in view.known:
        cards = lowest + highest
        hands.append(Hand(cards, size - len(cards), least, most))
    hands[view.seat] = Hand(view.hand, 0, 0, 0)
    if view.partner:
        partner = (view.seat + len(view.piles)) % view.seats
        cards, least, most = view.partner
        hands[partner] = Hand(cards, view.known[partner].size - len(cards), least, most)
    for place in view.shown:
        if place >= FIRST_HAND:
            cards, hidden, least, most = hands[SEAT_OF[place]]
            at = cards.index(view.number)
            hands[SEAT_OF[place]] = Hand(cards[:at] + cards[at + 1 :], hidden, least, most)
    return hands


def unseen_cards(view: View, hands: list[Hand]) -> list[int]:
    """Count the cards of each number that this seat cannot locate."""
    unseen = [0] + [COPIES] * NUMBERS
    for hand in hands:
        for number in hand.cards:
            unseen[number] -= 1
    for number in view.centre:
        if number > 0:
            unseen[number] -= 1
    for place in view.shown:
        if place >= FIRST_HAND:
            unseen[view.number] -= 1
    for pile in view.piles:
        for number in pile:
            unseen[number] = 0
    return unseen


def sure_cards(view: View, hands: list[Hand]) -> list[int]:
    """Count the cards of each number that can certainly be turned up one after another."""
    sure = [0] * (NUMBERS + 1)
    for slot, number in enumerate(view.centre):
        if number > 0 and slot not in view.shown:
            sure[number] += 1
    for cards, hidden, least, most in hands:
        if cards:
            lowest, highest = cards[0], cards[-1]
            is_sure = not hidden or lowest <= least
            if is_sure:
                sure[lowest] += cards.count(lowest)
            if (not hidden or highest >= most) and not (is_sure and lowest == highest):
                sure[highest] += cards.count(highest)
    return sure


def odds_of(
    places: Iterable[int], view: View, hands: list[Hand], unseen: list[int]
) -> dict[int, Odds]:
    """Return the probability of each number at each place."""
    total = sum(unseen)
    blind = {number: count / total for number, count in enumerate(unseen) if count}
    odds = {}
    for place in places:
        if place >= FIRST_HAND:
            odds[place] = end_odds(hands[SEAT_OF[place]], unseen, INWARD[place])
        else:
            number = view.centre[place]
            odds[place] = blind if number == UNSEEN else {number: 1.0}
    return odds


def end_odds(hand: Hand, unseen: list[int], inward: int) -> Odds:
    """Return the probability of each number at one end of a hand: the low (1) or the high (-1).

    The end shows a number if all hidden cards are further inward.
    """
    cards, hidden, least, most = hand
    outermost = cards[0 if inward > 0 else -1] if cards else (NUMBERS + 1) * inward
    if not hidden:
        return {outermost: 1.0}
    if inward > 0:
        numbers = range(least, outermost if outermost <= most else most + 1)
    else:
        numbers = range(most, outermost if outermost >= least else least - 1, -1)
    ways = WAYS[hidden]
    beyond = sum(unseen[least : most + 1])
    all_ways = ways[beyond]
    odds = {}
    so_far = 1.0
    for number in numbers:
        if unseen[number]:
            beyond -= unseen[number]
            further = ways[beyond] / all_ways
            odds[number] = so_far - further
            so_far = further
            if not further:
                return odds
    if so_far:
        odds[outermost] = so_far
    return odds
