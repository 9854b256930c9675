"""How many trios a place may lead to, by all that a seat has seen, as `greedy-trio` reasons."""

from __future__ import annotations

from arena.games.trio.cards import COPIES, NUMBERS
from arena.games.trio.odds import Odds, hands_of, odds_of, sure_cards, unseen_cards
from arena.games.trio.parameters import has_won
from arena.games.trio.view import View

WIN_WORTH = 6.0
"""The worth of a trio that wins, in ordinary trios."""
DENIAL_WORTH = 1.5
"""The worth of a trio that would win for an opponent."""


def expected_trios(view: View, places: list[int]) -> list[float]:
    """Return the expected number of trios from turning up each place now."""
    hands = hands_of(view)
    unseen = unseen_cards(view, hands)
    odds = odds_of(places, view, hands, unseen)
    sure = sure_cards(view, hands)
    if view.shown:
        return _next_cards(view, odds, sure)
    return _first_cards(view, odds, sure, unseen)


def _first_cards(
    view: View, odds: dict[int, Odds], sure: list[int], unseen: list[int]
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


def _next_cards(view: View, odds: dict[int, Odds], sure: list[int]) -> list[float]:
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
