"""Strategy: begin where a trio is most likely; a trio that wins the match counts six times.

Nothing is forgotten: a view keeps every card that was seen. For each hand, some cards are known,
and the numbers that the others lie between; for each number, it is known how many cards are unseen.
This gives the probability of each number at each place, and a place is worth the trios that can be
expected from it: certain ones, likely ones, and those whose first card would be a surprise but
whose other two are known. Likely cards are turned up before certain ones, so that a failure gives
little away; if no trio is possible any more, a card that is already known.

In a team game, the partner in the first half of the seats gives away its highest card, and the
other its lowest. This was found by experiment, not by reasoning: it beats keeping all cards in
about three out of four matches. What was known about a hand before it swapped is ignored: treating
it as still true did harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import comb
from typing import NamedTuple

from arena.games.trio.cards import COPIES, FIRST_HAND, NUMBERS, SEAT_OF, UNSEEN, give, high, low
from arena.games.trio.parameters import has_won
from arena.games.trio.view import View
from arena.sdk import Bot, run

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


class GreedyTrio(Bot):
    """Estimates how many trios each place may lead to."""

    name = "greedy-trio"
    games = ("trio",)

    def choose(self, view: View) -> int:
        """Turn up a card, or swap one."""
        if view.phase:
            return swap(view)
        hands = [hand_of(view, seat) for seat in range(view.seats)]
        unseen = unseen_cards(view, hands)
        odds = odds_of(self.legal_actions(view), view, hands, unseen)
        sure = sure_cards(view, hands)
        if view.shown:
            return next_card(view, odds, sure)
        return first_card(view, odds, sure, unseen)


def first_card(view: View, odds: dict[int, Odds], sure: Counter[int], unseen: list[int]) -> int:
    """Begin a turn at the place that is worth the most."""
    worths = [worth_of(number, view) for number in range(NUMBERS + 1)]
    likeliest: list[list[float]] = [[] for _ in worths]
    for numbers in odds.values():
        for number, chance in numbers.items():
            if chance < 1:
                likeliest[number].append(chance)
    for chances in likeliest:
        chances.sort(reverse=True)

    def worth(place: int) -> float:
        total = 0.0
        for number, chance in odds[place].items():
            missing = COPIES - sure[number] - (chance < 1)
            hidden = unseen[number] - (chance < 1)
            if missing <= 0:
                total += chance * worths[number]
            elif missing <= hidden:
                others = likeliest[number][: missing + 1]
                if chance in others:
                    others.remove(chance)
                if len(others) >= missing:
                    for other in others[:missing]:
                        # Turning up one copy here lowers the odds elsewhere.
                        chance *= other * hidden / unseen[number]
                    total += chance * worths[number]
        return total

    # All unseen slots are equivalent: consider only one.
    unknown = [place for place in odds if place < FIRST_HAND and view.centre[place] == UNSEEN]
    return max((place for place in odds if place not in unknown[1:]), key=worth)


def next_card(view: View, odds: dict[int, Odds], sure: Counter[int]) -> int:
    """Continue with the number that is face up: first likely cards, then certain ones."""
    number = view.number
    missing = COPIES - len(view.shown) - sure[number]

    def merit(place: int) -> tuple[bool, float, bool]:
        chance = odds[place].get(number, 0)
        return missing > 0 and chance < 1, chance, len(odds[place]) == 1

    return max(odds, key=merit)


def worth_of(number: int, view: View) -> float:
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


def hand_of(view: View, seat: int) -> Hand:
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


def unseen_cards(view: View, hands: list[Hand]) -> list[int]:
    """Count the cards of each number that this seat cannot locate."""
    seen = [number for hand in hands for number in hand.cards]
    seen += [number for number in view.centre if number > 0]
    seen += [view.number for place in view.shown if place >= FIRST_HAND]
    seen += [number for pile in view.piles for number in pile * COPIES]
    return [0] + [COPIES - seen.count(number) for number in range(1, NUMBERS + 1)]


def sure_cards(view: View, hands: list[Hand]) -> Counter[int]:
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


def odds_of(
    places: Iterable[int], view: View, hands: list[Hand], unseen: list[int]
) -> dict[int, Odds]:
    """Return the probability of each number at each place."""
    total = sum(unseen)
    blind = {number: count / total for number, count in enumerate(unseen) if count}
    odds = {}
    for place in places:
        if place >= FIRST_HAND:
            seat = SEAT_OF[place]
            odds[place] = end_odds(hands[seat], unseen, inward=1 if place == low(seat) else -1)
        else:
            number = view.centre[place]
            odds[place] = blind if number == UNSEEN else {number: 1.0}
    return odds


def end_odds(hand: Hand, unseen: list[int], inward: int) -> Odds:
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


def swap(view: View) -> int:
    """Give the partner the highest card, or in the second half of the seats the lowest."""
    return give(view.hand[-1] if view.seat < len(view.piles) else view.hand[0])


if __name__ == "__main__":
    run(GreedyTrio)
