"""Trio: take trios that are certain, look for likely ones, else turn up what has not been seen.

The player to act knows its own hand and every card that the table has seen. If three cards of a
number can certainly be turned up, it takes them, preferring a trio that wins. If two can, it first
looks for the third where it is most likely. The prior has the exact odds. Playouts stop after the
seat's next turn: by then it has shown what an action gives away, and the rest is luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp
from random import Random
from typing import ClassVar

from arena.games.trio.cards import (
    COPIES,
    FIRST_GIVE,
    FIRST_HAND,
    KEEP,
    NUMBERS,
    UNSEEN,
    give,
    low,
)
from arena.games.trio.odds import Odds, hands_of, odds_of, sure_cards, unseen_cards
from arena.games.trio.parameters import has_won
from arena.games.trio.state import TrioState
from arena.games.trio.view import View
from guides.plain import PlainGuide

TYPICAL_HIDDEN = 24
"""Approximate number of hidden cards."""
LEAD = 0.7
"""The lead in trios that gives a 73 % probability of staying ahead."""
WIN_IN_TRIOS = 6
"""The worth of winning the match, in trios."""
TRIO_REWARD = 0.2
"""The reward for a trio, for the prior."""
WIN_WORTH = 6.0
"""The worth of a trio that wins, in ordinary trios."""
DENIAL_WORTH = 1.5
"""The worth of a trio that would win for an opponent."""


class Guide(PlainGuide):
    """Plays by what the table has seen."""

    width: ClassVar[int] = 6
    # The odds are exact, and a single world says little: most of what follows is luck.
    prior_weight: ClassVar[float] = 20.0

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the expected reward of each place; in a swap, follow the convention."""
        view: View = self.view
        if view.phase:
            conventional = _convention(view.seat, view.hand, len(view.piles))
            return [float(action == conventional) for action in actions]
        values = [TRIO_REWARD * trios for trios in expected_trios(view, list(actions))]
        # All unseen slots are equivalent: try only one.
        slots = [
            at for at, place in enumerate(actions) if place < FIRST_HAND and not view.centre[place]
        ]
        for at in slots[1:]:
            values[at] = -1.0
        return values

    def policy(self, state: TrioState, rng: Random) -> int:
        """Turn up a card that certainly or probably leads to a trio."""
        seat, legal = state.to_act, state.legal_mask
        if legal >> FIRST_GIVE:
            return _convention(seat, state.hands[seat], len(state.piles))
        sure, hidden = _places(state, seat, legal)
        shown = len(state.shown)
        number = state.number if shown else _target(state, seat, sure)
        if not number:
            unseen = [place for place, _, _ in hidden]
            return unseen[state.turn % len(unseen)] if unseen else _lowest(legal)
        certain = sure.get(number, ())
        if shown + len(certain) < COPIES:
            likeliest, where = 0.0, -1
            for place, (least, most), unknown in hidden:
                if least <= number <= most:
                    inward = number - least if place & 1 else most - number
                    chance = _chance(place < FIRST_HAND, inward, most - least + 1, unknown)
                    if chance > likeliest:
                        likeliest, where = chance, place
            if where >= 0:
                return where
        return certain[0] if certain else _lowest(legal)

    def is_far_enough(self, state: TrioState) -> bool:
        """Stop after the seat's next turn."""
        return state.turn > self.view.turn + self.view.seats

    def powers(self, state: TrioState) -> list[float]:
        """Count trios, and the trio that wins as several."""
        mode = state.parameters.mode
        return [
            exp((len(pile) + WIN_IN_TRIOS * has_won(pile, mode)) / LEAD) for pile in state.piles
        ]

    def rewards(self, state: TrioState) -> list[float]:
        """Give partners the same."""
        rewards = super().rewards(state)
        return rewards * (state.seats // len(rewards))


def _convention(seat: int, hand: Sequence[int], teams: int) -> int:
    """Give the highest card, or in the second half of the seats the lowest."""
    if not hand:
        return KEEP
    return give(hand[-1] if seat < teams else hand[0])


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def _places(
    state: TrioState, seat: int, legal: int
) -> tuple[dict[int, list[int]], list[tuple[int, tuple[int, int], int]]]:
    """Sort the legal places: those sure to show a number, by number, and those that may show any.

    A place may occur several times among the sure ones. The others come with the numbers that they
    may show, and how many cards of the hand are unknown.
    """
    sure: dict[int, list[int]] = {}
    hidden: list[tuple[int, tuple[int, int], int]] = []
    shown = state.shown
    for slot, face in enumerate(state.seen):
        if legal >> slot & 1:
            if face == UNSEEN:
                hidden.append((slot, (1, NUMBERS), 0))
            else:
                sure.setdefault(face, []).append(slot)
    for owner, (size, lowest, highest, least, most) in enumerate(state.known):
        first = low(owner)
        if owner == seat:
            lowest = highest = tuple(state.hands[owner])
        elif not least:
            highest = lowest
        for place, cards in ((first, lowest), (first + 1, highest[::-1])):
            if not legal >> place & 1:
                continue
            depth = shown.count(place)
            if depth < len(cards):
                number = cards[depth]
                places = sure.setdefault(number, [])
                # If all cards of a hand are equal, both ends show the same ones.
                if first not in places:
                    places += [place] * (cards.count(number) - depth)
            elif least:
                hidden.append((place, (least, most), size - len(lowest) - len(highest)))
    return sure, hidden


def _target(state: TrioState, seat: int, sure: dict[int, list[int]]) -> int:
    """Return the best number with at least two sure cards, or 0."""
    pile = state.piles[seat % len(state.piles)]
    mode = state.parameters.mode
    best = merit = 0
    for number, places in sure.items():
        if len(places) >= COPIES - 1:
            worth = 4 * (len(places) >= COPIES) + 2 * has_won((*pile, number), mode) + 1
            if worth > merit:
                best, merit = number, worth
    return best


@cache
def _chance(is_slot: bool, inward: int, span: int, unknown: int) -> float:
    """Return the probability that a slot, or an end of a hand, shows a number.

    The number is this far from the bound at that end, and `span` numbers are possible.
    """
    if is_slot:
        return 1 / TYPICAL_HIDDEN
    beyond, further = 1 - inward / span, 1 - (inward + 1) / span
    return float((beyond**unknown - further**unknown) / COPIES)


def expected_trios(view: View, places: list[int]) -> list[float]:
    """Return the expected trios from turning up each place now, as `greedy-trio` reasons."""
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
