"""Rule of thumb: begin where a trio is most likely, and count a trio that wins six times.

Nothing is forgotten: a view keeps every card that was seen, and the rest is concluded. Of each hand
some cards are known, and between which numbers the others lie; of each number it is known how many
cards nobody has seen. So every place has odds for every number, and a place is worth as much as the
trios that may come of it: certain ones, likely ones, and those whose first card is a surprise but
whose other two are known. Likely cards are turned up before certain ones, so that a failure gives
little away; and where nothing leads to a trio any more, a card that is known anyway.

In teams, of two partners the one in the first half of the seats gives away its highest card and the
other its lowest. This was found by trying, not by reasoning: it beats keeping all cards in about
three matches of four. What was seen of a hand before it swapped is not counted on: taken to be
still true, it did harm.
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


class GreedyTrio(Bot):
    """Weighs for each place which trios may come of it."""

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
                        # The odds of the others sink when one copy has been turned up here.
                        chance *= other * hidden / unseen[number]
                    total += chance * worths[number]
        return total

    # Those that nobody has seen are all alike.
    unknown = [place for place in odds if place < FIRST_HAND and view.centre[place] == UNSEEN]
    return max((place for place in odds if place not in unknown[1:]), key=worth)


def next_card(view: View, odds: dict[int, Odds], sure: Counter[int]) -> int:
    """Go on with the number that is face up: first what is likely, then what is certain."""
    number = view.number
    missing = COPIES - len(view.shown) - sure[number]

    def merit(place: int) -> tuple[bool, float, bool]:
        chance = odds[place].get(number, 0)
        return missing > 0 and chance < 1, chance, len(odds[place]) == 1

    return max(odds, key=merit)


def worth_of(number: int, view: View) -> float:
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


def hand_of(view: View, seat: int) -> Hand:
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


def unseen_cards(view: View, hands: list[Hand]) -> list[int]:
    """Count for each number the cards of which this seat does not know where they are."""
    seen = [number for hand in hands for number in hand.cards]
    seen += [number for number in view.centre if number > 0]
    seen += [view.number for place in view.shown if place >= FIRST_HAND]
    seen += [number for pile in view.piles for number in pile * COPIES]
    return [0] + [COPIES - seen.count(number) for number in range(1, NUMBERS + 1)]


def sure_cards(view: View, hands: list[Hand]) -> Counter[int]:
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


def odds_of(
    places: Iterable[int], view: View, hands: list[Hand], unseen: list[int]
) -> dict[int, Odds]:
    """Tell for each place how likely it shows which number."""
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


def swap(view: View) -> int:
    """Give the partner the highest card, or the lowest, as the seat has it."""
    return give(view.hand[-1] if view.seat < len(view.piles) else view.hand[0])


if __name__ == "__main__":
    run(GreedyTrio)
