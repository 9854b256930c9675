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

from collections.abc import Iterable
from functools import cache

from arena.games.trio.cards import COPIES, FIRST_HAND, NUMBERS, SEAT_OF, UNSEEN, give
from arena.games.trio.odds import (
    INWARD,
    WAYS,
    Hand,
    hands_of,
    odds_of,
    sure_cards,
    unseen_cards,
)
from arena.games.trio.parameters import Mode, has_won
from arena.games.trio.view import View
from arena.sdk import Bot, run

WIN_WORTH = 6.0
"""The worth of a trio that wins, in ordinary trios."""
DENIAL_WORTH = 1.5
"""The worth of a trio that would win for an opponent."""


class GreedyTrio(Bot):
    """Estimates how many trios each place may lead to."""

    name = "greedy-trio"
    games = ("trio",)

    def choose(self, view: View) -> int:
        """Turn up a card, or swap one."""
        if view.phase:
            return swap(view)
        hands = hands_of(view)
        unseen = unseen_cards(view, hands)
        places = self.legal_actions(view)
        sure = sure_cards(view, hands)
        if view.shown:
            return next_card(view, places, hands, unseen, sure)
        return first_card(view, places, hands, unseen, sure)


def first_card(
    view: View, places: list[int], hands: list[Hand], unseen: list[int], sure: list[int]
) -> int:
    """Begin a turn at the place that is worth the most."""
    unknown = [slot for slot, number in enumerate(view.centre) if number == UNSEEN]
    # All unseen slots are equivalent: consider only one.
    same = set(unknown[1:])
    odds = odds_of([place for place in places if place not in same], view, hands, unseen)
    worths = worths_of(view, unseen, sure)
    likeliest: list[list[float]] = [[] for _ in worths]
    for place, numbers in odds.items():
        if len(numbers) > 1:
            copies = len(unknown) if place < FIRST_HAND else 1
            for number, chance in numbers.items():
                if worths[number]:
                    likeliest[number] += [chance] * copies
    for chances in likeliest:
        chances.sort(reverse=True)

    def worth(place: int) -> float:
        total = 0.0
        for number, chance in odds[place].items():
            if worths[number]:
                chance = trio_chance(chance, likeliest[number], unseen[number], sure[number])
                total += chance * worths[number]
        return total

    return max(odds, key=worth)


def trio_chance(chance: float, likeliest: list[float], unseen: int, sure: int) -> float:
    """Return the probability of a trio that begins where its number has this chance.

    `likeliest` has the chances of the number wherever it is not certain, the highest first.
    """
    missing, hidden, own = COPIES - sure, unseen, 0.0
    if chance < 1:
        missing, hidden, own = missing - 1, hidden - 1, chance
    if missing <= 0:
        return chance
    if missing > hidden or missing + (own > 0) > len(likeliest):
        return 0.0
    for at in range(missing):
        # One of them is the chance of this place itself.
        other = likeliest[at] if likeliest[at] > own else likeliest[at + 1]
        # Turning up one copy here lowers the odds elsewhere.
        chance *= other * hidden / unseen
    return chance


def next_card(
    view: View, places: list[int], hands: list[Hand], unseen: list[int], sure: list[int]
) -> int:
    """Continue with the number that is face up: first likely cards, then certain ones."""
    number = view.number
    chances = chances_of(number, places, view, hands, unseen)
    if len(view.shown) + sure[number] < COPIES:
        places = [place for place in places if chances[place] < 1] or places
    best = max(places, key=chances.__getitem__)
    if chances[best]:
        return best
    # Nothing is to be gained: turn up a card that is already known.
    odds = odds_of(places, view, hands, unseen)
    return max(odds, key=lambda place: len(odds[place]) == 1)


def worths_of(view: View, unseen: list[int], sure: list[int]) -> list[float]:
    """Return the worth of each number's trio to this seat; 0 if it is out of reach."""
    worths = [1.0] * (NUMBERS + 1)
    mode = view.parameters.mode
    for pile in view.piles:
        for number in winning_numbers(pile, mode):
            worths[number] = DENIAL_WORTH
    for number in winning_numbers(view.piles[view.seat % len(view.piles)], mode):
        worths[number] = WIN_WORTH
    for number, certain in enumerate(sure):
        if certain < COPIES - 1 and certain + unseen[number] < COPIES:
            worths[number] = 0.0
    return worths


@cache
def winning_numbers(pile: tuple[int, ...], mode: Mode) -> list[int]:
    """List the numbers whose trio would win for the owner of this pile."""
    return [number for number in range(1, NUMBERS + 1) if has_won((*pile, number), mode)]


def chances_of(
    number: int, places: Iterable[int], view: View, hands: list[Hand], unseen: list[int]
) -> dict[int, float]:
    """Return the probability of one number at each place, as `odds_of` does for all numbers."""
    blind = unseen[number] / (sum(unseen) or 1)
    chances = {}
    for place in places:
        if place >= FIRST_HAND:
            chances[place] = end_chance(number, hands[SEAT_OF[place]], unseen, INWARD[place])
        else:
            seen = view.centre[place]
            chances[place] = blind if seen == UNSEEN else float(seen == number)
    return chances


def end_chance(number: int, hand: Hand, unseen: list[int], inward: int) -> float:
    """Return the probability of one number at one end of a hand, as `end_odds` does for all."""
    cards, hidden, least, most = hand
    outermost = cards[0 if inward > 0 else -1] if cards else (NUMBERS + 1) * inward
    if not hidden:
        return 1.0 if number == outermost else 0.0
    if number != outermost and (
        not unseen[number] or not least <= number <= most or (outermost - number) * inward < 0
    ):
        return 0.0
    if inward > 0:
        beyond = sum(unseen[max(number, least) : most + 1])
    else:
        beyond = sum(unseen[least : min(number, most) + 1])
    ways = WAYS[hidden]
    all_ways = ways[sum(unseen[least : most + 1])]
    so_far = ways[beyond] / all_ways
    if number == outermost:
        return so_far
    return so_far - ways[beyond - unseen[number]] / all_ways


def swap(view: View) -> int:
    """Give the partner the highest card, or in the second half of the seats the lowest."""
    return give(view.hand[-1] if view.seat < len(view.piles) else view.hand[0])


if __name__ == "__main__":
    run(GreedyTrio)
