"""MEOW: play the card with the best sum of gain in this trick and worth of the hand it leaves.

The strongest card of a hand is matched with the best token still to come, the next with the next
best, and so on. How strong a card is, and whether it holds a trick against later players, depends
on the cards not seen so far; it is computed once for each decision. Playouts stop at the end of the
round: the next one is a fresh deal, and the more rounds are left, the less a lead says.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, exp
from random import Random
from typing import ClassVar

from arena.games.meow.cards import (
    ALL_COLOURS,
    BEATERS,
    BITS,
    CARDS,
    COLOUR_MASK,
    COLOUR_OF,
    DECK_MASKS,
    FISH,
    GREEN,
    RANKS,
    VASE,
    cards_in,
)
from arena.games.meow.state import MeowState, points, winning_card
from arena.games.meow.view import View
from guides.plain import PlainGuide

LEAD = (2.0, 6.0, 8.0)
"""The lead in points that gives a 73 % chance to stay ahead, by the number of later rounds."""


class Guide(PlainGuide):
    """Counts cards."""

    prior_weight: ClassVar[float] = 5.0

    def __init__(self, view: View) -> None:
        """Compute each card's chances against the unseen cards."""
        super().__init__(view)
        seats = view.seats
        unseen = DECK_MASKS[seats, view.parameters.expert] & ~view.hand_mask
        for played in view.played_masks:
            unseen &= ~played
        total = unseen.bit_count() or 1
        self._strength = [
            (1 - (unseen & beaters).bit_count() / total) ** (seats - 1) for beaters in BEATERS
        ]
        """For each card, the chance of winning a trick in general."""
        size = view.parameters.hand_size - max(map(int.bit_count, view.played_masks))
        self._holds = [
            [_hold_chance(card, unseen, min(size, total), wanted=wanted) for card in range(CARDS)]
            for wanted in (False, True)
        ]
        """The chance of each card to stay the best against one more hand; by whether the token is
        wanted."""
        later_rounds = view.parameters.round_count - 1 - view.round
        self._lead = LEAD[min(later_rounds, len(LEAD) - 1)]
        self._coming = view.row + view.later
        self._orders: dict[int, list[tuple[int, int, float]]] = {}
        self._values: dict[tuple[tuple[int, ...], tuple[int, ...]], list[float]] = {}

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the merit of each card."""
        view: View = self.view
        hand, trick, won = view.hand_mask, view.trick, view.won[view.seat]
        led = COLOUR_OF[trick[0]] if trick else ALL_COLOURS
        after = view.seats - 1 - len(trick)
        return [
            self._best(hand, BITS[card], trick, led, view.row, won, after)[0] / (4 * self._lead)
            for card in actions
        ]

    def policy(self, state: MeowState, rng: Random) -> int:
        """Play the card with the most merit."""
        legal = state.legal_mask
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        seat, trick = state.to_act, state.trick
        after = state.seats - 1 - len(trick)
        won = state.won[seat]
        return self._best(state.hands[seat], legal, trick, state.led, state.row, won, after)[1]

    def _best(
        self,
        hand: int,
        legal: int,
        trick: Sequence[int],
        led: int,
        row: tuple[int, ...],
        won: tuple[int, ...],
        after: int,
    ) -> tuple[float, int]:
        """Return the most merit that one of the legal cards has, and the card."""
        value, *later = self._values.get((row, won)) or self._values_of(row, won)
        holds = self._holds[value > 0]
        winners = _winners(trick, led) if trick else COLOUR_MASK[ALL_COLOURS]
        most, best = -1e9, -1
        rest = 0.0
        for (card, bit, step), coming in zip(
            self._orders.get(hand) or self._order(hand), later, strict=True
        ):
            if bit & legal:
                merit = rest + value * holds[card] ** after if bit & winners else rest
                if merit > most:
                    most, best = merit, card
            rest += step * coming
        return most, best

    def _order(self, hand: int) -> list[tuple[int, int, float]]:
        """List cards from the strongest down: bit, and how much stronger it is than the next."""
        strength = self._strength
        cards = sorted(cards_in(hand), key=strength.__getitem__, reverse=True)
        order = self._orders[hand] = [
            (one, BITS[one], strength[one] - strength[other])
            for one, other in zip(cards, [*cards[1:], cards[-1]], strict=True)
        ]
        return order

    def _values_of(self, row: tuple[int, ...], won: tuple[int, ...]) -> list[float]:
        """Return the worth of the next token, and of those after it, best first."""
        worths = [self._worth(token, won) for token in row]
        values = self._values[row, won] = [worths[0], *sorted(worths[1:], reverse=True), 0.0]
        return values

    def _worth(self, token: int, won: tuple[int, ...]) -> float:
        """Return the worth of a token to a seat that has won these."""
        parameters = self.view.parameters
        score = points(won, parameters)
        worth = points((*won, token), parameters) - score
        if token == FISH and not worth:
            return -_worst_bone(self._coming) / 2
        if token == VASE and not worth and self._coming.count(VASE) > 1:
            return (points((*won, VASE, VASE), parameters) - score) / 4
        return worth

    def is_far_enough(self, state: MeowState) -> bool:
        """Stop at the end of the round."""
        return state.round != self.view.round

    def powers(self, state: MeowState) -> list[float]:
        """Count points, and what later rounds may make of fish and vases."""
        prospects = [self._prospect(won) / self._lead for won in state.won]
        most = max(prospects)
        # Only their ratios matter, and none may be 0.
        return [exp(max(each - most, -300.0)) for each in prospects]

    def _prospect(self, won: tuple[int, ...]) -> float:
        later, parameters = self.view.later, self.view.parameters
        score = prospect = points(won, parameters)
        if won.count(FISH) > sum([0 > token != VASE for token in won]):
            prospect -= _worst_bone(later) / 2
        if VASE in later:
            prospect += (points((*won, VASE), parameters) - score) / 4
        return prospect


@cache
def _worst_bone(tokens: tuple[int, ...]) -> int:
    return min([token for token in tokens if 0 > token != VASE], default=0)


def _winners(trick: Sequence[int], led: int) -> int:
    """Return the set of cards that would take the lead in the trick."""
    best = winning_card(trick, led)
    if best % RANKS == 0 and best + RANKS - 1 in trick:
        # RULES 6: a 1 together with its 18 is the highest.
        return COLOUR_MASK[GREEN] & ~COLOUR_MASK[COLOUR_OF[best]]
    return BEATERS[best]


def _hold_chance(played: int, unseen: int, size: int, *, wanted: bool) -> float:
    """Return the chance that the best card of a trick holds against one unseen hand.

    A card that beats it is played whenever possible if the token is wanted, else if it must be.
    """
    colour = COLOUR_MASK[COLOUR_OF[played]]
    total = unseen.bit_count()
    better = unseen & BEATERS[played]
    follow, above = (unseen & colour).bit_count(), (better & colour).bit_count()
    trumps = better.bit_count() - above
    ways = comb(total, size)
    lacks = comb(total - follow, size) / ways
    if wanted:
        return comb(total - above, size) / ways - lacks + comb(total - follow - trumps, size) / ways
    return 1 - comb(total - follow + above, size) / ways + lacks
