"""The probability that a place in Trio shows a number, given everything a seat has seen.

This is the reasoning of `greedy-trio`. For each hand, some cards are known, and the numbers that
the others lie between; for each number, it is known how many cards are unseen. This gives the
probability of each number at each place, and beginning a turn there is worth the trios that can be
expected from it.
"""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import NamedTuple

from arena.games.trio.cards import COPIES, FIRST_HAND, NUMBERS, SEAT_OF, UNSEEN, high, low
from arena.games.trio.parameters import has_won
from arena.games.trio.view import View

WIN_WORTH = 6.0
"""The worth of a trio that wins, in ordinary trios."""
DENIAL_WORTH = 1.5
"""The worth of a trio that would win for an opponent."""

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


def expected_trios(view: View, places: list[int]) -> list[float]:
    """Return the expected number of trios from turning up each place now."""
    hands = [_hand(view, seat) for seat in range(view.seats)]
    unseen = _unseen(view, hands)
    odds = {place: _odds(place, view, hands, unseen) for place in places}
    sure = _sure(view, hands)
    if view.shown:
        return _next_cards(view, odds, sure)
    return _first_cards(view, odds, sure, unseen)


def _first_cards(
    view: View, odds: dict[int, Odds], sure: Counter[int], unseen: list[int]
) -> list[float]:
    worths = [_worth(number, view) for number in range(NUMBERS + 1)]
    totals = []
    for place, numbers in odds.items():
        total = 0.0
        for number, chance in numbers.items():
            missing = COPIES - sure[number] - (chance < 1)
            hidden = unseen[number] - (chance < 1)
            if missing > max(0, hidden):
                continue
            if missing > 0:
                others = [each.get(number, 0) for at, each in odds.items() if at != place]
                for other in sorted([other for other in others if other < 1])[-missing:]:
                    # Turning up one copy here lowers the odds elsewhere.
                    chance *= other * hidden / unseen[number]
            total += chance * worths[number]
        totals.append(total)
    return totals


def _next_cards(view: View, odds: dict[int, Odds], sure: Counter[int]) -> list[float]:
    """Prefer likely cards to certain ones, so that a failure gives little away."""
    number = view.number
    missing = COPIES - len(view.shown) - sure[number]
    worth = _worth(number, view)
    totals = []
    for numbers in odds.values():
        chance = numbers.get(number, 0.0)
        certain_too_early = missing > 0 and chance == 1
        totals.append(worth * chance * (0.01 if certain_too_early else 1))
    return totals


def _worth(number: int, view: View) -> float:
    """Return the worth of a number's trio to this seat."""
    mine = view.seat % len(view.piles)
    winners = [
        team
        for team, pile in enumerate(view.piles)
        if has_won((*pile, number), view.parameters.mode)
    ]
    if mine in winners:
        return WIN_WORTH
    return DENIAL_WORTH if winners else 1.0


def _hand(view: View, seat: int) -> Hand:
    """Return what this seat knows about a hand, without the cards that are face up."""
    size, lowest, highest, least, most = view.known[seat]
    cards = lowest + highest
    if seat == view.seat:
        cards = view.hand
    elif view.partner and seat == (view.seat + len(view.piles)) % view.seats:
        cards, least, most = view.partner
    hidden = size - len(cards)
    for place in view.shown:
        if place in (low(seat), high(seat)):
            at = cards.index(view.number)
            cards = cards[:at] + cards[at + 1 :]
    return Hand(cards, hidden, least, most)


def _unseen(view: View, hands: list[Hand]) -> list[int]:
    """Count the cards of each number that this seat cannot locate."""
    seen = [number for hand in hands for number in hand.cards]
    seen += [number for number in view.centre if number > 0]
    seen += [view.number for place in view.shown if place >= FIRST_HAND]
    seen += [number for pile in view.piles for number in pile * COPIES]
    return [0] + [COPIES - seen.count(number) for number in range(1, NUMBERS + 1)]


def _sure(view: View, hands: list[Hand]) -> Counter[int]:
    """Count the cards of each number that can certainly be turned up one after another."""
    sure = Counter(
        number for slot, number in enumerate(view.centre) if number > 0 and slot not in view.shown
    )
    for cards, hidden, least, most in hands:
        ends = set()
        if cards and (not hidden or cards[0] <= least):
            ends.add(cards[0])
        if cards and (not hidden or cards[-1] >= most):
            ends.add(cards[-1])
        for number in ends:
            sure[number] += cards.count(number)
    return sure


def _odds(place: int, view: View, hands: list[Hand], unseen: list[int]) -> Odds:
    """Return the probability of each number at a place."""
    if place >= FIRST_HAND:
        seat = SEAT_OF[place]
        return _end_odds(hands[seat], unseen, inward=1 if place == low(seat) else -1)
    if view.centre[place] != UNSEEN:
        return {view.centre[place]: 1.0}
    total = sum(unseen)
    return {number: count / total for number, count in enumerate(unseen) if count}


def _end_odds(hand: Hand, unseen: list[int], inward: int) -> Odds:
    """Return the probability of each number at one end of a hand: the low (1) or the high (-1).

    The end shows a number if all hidden cards are further inward.
    """
    cards, hidden, least, most = hand
    outermost = cards[::inward][0] if cards else (NUMBERS + 1) * inward
    if not hidden:
        return {outermost: 1.0}
    numbers = range(least, most + 1)[::inward]
    beyond = sum([unseen[number] for number in numbers])
    ways = comb(beyond, hidden)
    odds = {}
    so_far = 1.0
    for number in numbers:
        if (outermost - number) * inward <= 0:
            break
        beyond -= unseen[number]
        further = comb(beyond, hidden) / ways
        if further < so_far:
            odds[number] = so_far - further
        so_far = further
    if so_far:
        odds[outermost] = so_far
    return odds
