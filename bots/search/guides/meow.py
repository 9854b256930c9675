"""A guide to sensible play in MEOW.

This is a fast version of the strategy of `greedy-meow`. A card's merit is its expected gain in this
trick plus the worth of the hand it leaves: the strongest card is matched with the best token still
to come, the next with the next best, and so on. The strength of a card, and the probability that it
holds the trick against later players, really depend on all cards seen so far; here they are
computed once per decision.

A rollout stops at the end of the round. The next round is a fresh deal, so a round leaves behind
only points, fish waiting for bones, and vases waiting for another. The more rounds are left, the
less a lead says about the final order.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, exp
from random import Random

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
    HAND,
    RANKS,
    ROUNDS,
    VASE,
    cards_in,
)
from arena.games.meow.state import MeowState, points, winning_card
from arena.games.meow.view import View
from guides.plain import PlainGuide

LEAD = (2.0, 6.0, 8.0)
"""The lead in points that gives a 73 % probability of staying ahead, by number of later rounds."""

Order = list[tuple[int, int, float]]
"""The cards of a hand from the strongest down, each with its bit and how much stronger it is than
the next."""
Values = tuple[float, list[float]]
"""The worth of the next token, and of those after it, best first."""


ANY = COLOUR_MASK[ALL_COLOURS]


class _CardChances:
    """The chances of each card against the unseen cards."""

    def __init__(self, unseen: int, size: int, seats: int) -> None:
        total = unseen.bit_count() or 1
        self.strength = [
            (1 - (unseen & beaters).bit_count() / total) ** (seats - 1) for beaters in BEATERS
        ]
        """For each card, the probability of winning a trick in general."""
        self.holds = [
            [[chance**after for chance in chances] for after in range(seats)]
            for chances in (
                [_hold_chance(each, unseen, size, wanted=wanted) for each in range(CARDS)]
                for wanted in (False, True)
            )
        ]
        """By whether the token is wanted, the number of later players, and the card: the
        probability that the card stays the best of the trick."""


class Guide(PlainGuide):
    """Plays like the greedy bot, by what the seat of the view has seen."""

    prior_weight = 5.0
    expand_after = 100

    def __init__(self, view: View) -> None:
        """Compute each card's chances against the unseen cards."""
        super().__init__(view)
        unplayed = DECK_MASKS[view.seats, view.parameters.expert]
        for played in view.played_masks:
            unplayed &= ~played
        size = HAND - max(map(int.bit_count, view.played_masks))
        # The others do not know this seat's hand, so its cards are unseen for them.
        self._others = _CardChances(unplayed, size, view.seats)
        self._mine = _CardChances(unplayed & ~view.hand_mask, size, view.seats)
        self._orders: dict[int, Order] = {}
        self._scores: dict[tuple[int, ...], int] = {}
        coming = view.row + view.later
        self._worst_bone = _worst_bone(coming)
        self._vases = coming.count(VASE)
        self._kept: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._values: dict[tuple[tuple[int, ...], tuple[int, ...]], Values] = {}

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the gain of each card in this trick plus the worth of the hand it leaves."""
        view = self.view
        values = self._token_values(view.row, view.won[view.seat])
        winners = self._winners(view.trick, COLOUR_OF[view.trick[0]]) if view.trick else ANY
        holds = self._mine.holds[values[0] > 0][view.seats - 1 - len(view.trick)]
        point = 1 / (4 * LEAD[ROUNDS - 1 - view.round])
        return [
            point * self._best(view.hand_mask, BITS[action], values, winners, holds)[0]
            for action in actions
        ]

    def rollout(self, state: MeowState, rng: Random) -> int:
        """Play the card with the best sum of gain now and worth of the hand it leaves."""
        legal = state.legal_mask
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        seat = state.to_act
        trick = state.trick
        values = self._token_values(state.row, state.won[seat])
        winners = self._winners(trick, state.led) if trick else ANY
        chances = self._mine if seat == self.view.seat else self._others
        holds = chances.holds[values[0] > 0][state.seats - 1 - len(trick)]
        return self._best(state.hands[seat], legal, values, winners, holds)[1]

    def _winners(self, trick: Sequence[int], led: int) -> int:
        """Return the set of cards that would take the lead in the trick."""
        best = winning_card(trick, led)
        if best % RANKS == 0 and best + RANKS - 1 in trick:
            # RULES 6: a 1 together with its 18 is the highest.
            return COLOUR_MASK[GREEN] & ~COLOUR_MASK[COLOUR_OF[best]]
        return BEATERS[best]

    def _best(
        self, hand: int, legal: int, values: Values, winners: int, holds: list[float]
    ) -> tuple[float, int]:
        """Return the merit of the best legal card, and the card."""
        value, later = values
        best = -1
        most = -1e9
        rest = 0.0
        for (played, bit, step), coming in zip(self._order(hand), later, strict=True):
            if bit & legal:
                merit = rest + value * holds[played] if bit & winners else rest
                if merit > most:
                    best, most = played, merit
            rest += step * coming
        return most, best

    def _order(self, hand: int) -> Order:
        order = self._orders.get(hand)
        if order is None:
            strength = (self._mine if hand & self.view.hand_mask else self._others).strength
            cards = sorted(cards_in(hand), key=strength.__getitem__, reverse=True)
            order = self._orders[hand] = [
                (one, BITS[one], strength[one] - strength[other])
                for one, other in zip(cards, [*cards[1:], cards[-1]], strict=True)
            ]
        return order

    def _token_values(self, row: tuple[int, ...], won: tuple[int, ...]) -> Values:
        kept = self._kept.get(won)
        if kept is None:
            # Bowls do not change what other tokens are worth.
            kept = tuple(sorted([token for token in won if not 0 < token < FISH]))
            self._kept[won] = kept
        values = self._values.get((row, kept))
        if values is None:
            worths = [token if 0 < token < FISH else self._worth(token, kept) for token in row]
            values = worths[0], [*sorted(worths[1:], reverse=True), 0.0]
            self._values[row, kept] = values
        return values

    def _worth(self, token: int, kept: tuple[int, ...]) -> float:
        """Return the worth of a bone, fish or vase to a seat that has won the `kept` tokens."""
        score = self._points(kept)
        worth = self._points((*kept, token)) - score
        if token == FISH and not worth:
            return -self._worst_bone / 2
        if token == VASE and not worth and self._vases > 1:
            return (self._points((*kept, VASE, VASE)) - score) / 4
        return worth

    def _points(self, won: tuple[int, ...]) -> int:
        score = self._scores.get(won)
        if score is None:
            score = self._scores[won] = points(won, self.view.parameters)
        return score

    def is_far_enough(self, state: MeowState) -> bool:
        """Stop at the end of the round."""
        return state.round != self.view.round

    def rewards(self, state: MeowState) -> list[float]:
        """Return the expected share of the others that each seat will finish ahead of."""
        rounds = ROUNDS - 1 - self.view.round
        lead = LEAD[rounds]
        powers = [exp(self._prospect(won) / lead) for won in state.won]
        # The sum includes the seat itself, as 0.5.
        return [
            (sum([power / (power + other) for other in powers]) - 0.5) / (len(powers) - 1)
            for power in powers
        ]

    def _prospect(self, won: tuple[int, ...]) -> float:
        """Return the points of these tokens, and what later rounds may make of fish and vases."""
        score = prospect = self._points(won)
        later = self.view.later
        if won.count(FISH) > sum([0 > token != VASE for token in won]):
            prospect -= _worst_bone(later) / 2
        if VASE in later:
            prospect += (self._points((*won, VASE)) - score) / 4
        return prospect


def _worst_bone(tokens: Sequence[int]) -> int:
    return min([token for token in tokens if 0 > token != VASE], default=0)


def _hold_chance(played: int, unseen: int, size: int, *, wanted: bool) -> float:
    """Return the probability that the best card of a trick holds against one unseen hand."""
    colour = COLOUR_OF[played]
    total = unseen.bit_count()
    size = min(size, total)
    better = unseen & BEATERS[played]
    follow = (unseen & COLOUR_MASK[colour]).bit_count()
    above = (better & COLOUR_MASK[colour]).bit_count()
    trumps = better.bit_count() - above
    ways = comb(total, size)
    lacks = comb(total - follow, size) / ways
    if wanted:
        return comb(total - above, size) / ways - lacks + comb(total - follow - trumps, size) / ways
    return 1 - comb(total - follow + above, size) / ways + lacks
