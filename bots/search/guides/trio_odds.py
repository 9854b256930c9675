"""How likely does a place in Trio show which number, from all that a seat has seen?

This is the reasoning of `greedy-trio`. Of each hand some cards are known, and between which numbers
the others lie; of each number it is known how many cards nobody has seen. So every place has odds
for every number, and to begin a turn there is worth as much as the trios that may come of it.
"""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import NamedTuple

from arena.games.trio.cards import COPIES, FIRST_HAND, NUMBERS, SEAT_OF, UNSEEN, high, low
from arena.games.trio.parameters import has_won
from arena.games.trio.view import View

WINS = 6.0
"""What a trio that wins is worth, in trios that do not."""
DENIES = 1.5
"""What a trio is worth that would win for somebody else."""

Odds = dict[int, float]
"""How likely a place shows which number; those that it cannot show are left out."""


class Hand(NamedTuple):
    """What is known of the face-down cards of a hand."""

    cards: tuple[int, ...]
    """Those that are known, ascending."""
    hidden: int
    """How many are not."""
    least: int
    most: int
    """Hidden cards lie between these two."""


def promises(view: View, places: list[int]) -> list[float]:
    """Tell for each place how many trios may come of turning it up now."""
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
                    # The odds of the others sink when one copy has been turned up here.
                    chance *= other * hidden / unseen[number]
            total += chance * worths[number]
        totals.append(total)
    return totals


def _next_cards(view: View, odds: dict[int, Odds], sure: Counter[int]) -> list[float]:
    """Prefer what is likely, then what is certain: a failure should give little away."""
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
    """Tell what the trio of a number is worth to this seat."""
    mine = view.seat % len(view.piles)
    winners = [
        team
        for team, pile in enumerate(view.piles)
        if has_won((*pile, number), view.parameters.mode)
    ]
    if mine in winners:
        return WINS
    return DENIES if winners else 1.0


def _hand(view: View, seat: int) -> Hand:
    """Gather what this seat knows of a hand, without the cards that are face up."""
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
    """Count for each number the cards of which this seat does not know where they are."""
    seen = [number for hand in hands for number in hand.cards]
    seen += [number for number in view.centre if number > 0]
    seen += [view.number for place in view.shown if place >= FIRST_HAND]
    seen += [number for pile in view.piles for number in pile * COPIES]
    return [0] + [COPIES - seen.count(number) for number in range(1, NUMBERS + 1)]


def _sure(view: View, hands: list[Hand]) -> Counter[int]:
    """Count for each number the cards that can certainly be turned up one after another."""
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
    """Tell how likely a place shows which number."""
    if place >= FIRST_HAND:
        seat = SEAT_OF[place]
        return _end_odds(hands[seat], unseen, inward=1 if place == low(seat) else -1)
    if view.centre[place] != UNSEEN:
        return {view.centre[place]: 1.0}
    total = sum(unseen)
    return {number: count / total for number, count in enumerate(unseen) if count}


def _end_odds(hand: Hand, unseen: list[int], inward: int) -> Odds:
    """Tell how likely an end of a hand shows which number: the low one (1), or the high one (-1).

    It shows a number if all hidden cards lie further inward: the fewer they are the likelier.
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
