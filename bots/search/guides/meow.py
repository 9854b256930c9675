"""What is sensible play in MEOW?

The rule of thumb of `greedy-meow`, made quick. A card is worth what it does with this token and
what it leaves for those to come: a hand is as good as its strongest card goes with the best token
that comes, the next with the next. How strong a card is, and how likely it holds the trick against
those who follow, depends in truth on all cards seen; here it is worked out once for a decision.

A rollout stops with the round. The next deal is fresh, so that all a round leaves behind is points,
fish that wait for bones, and vases that wait for another; and the more rounds there are to come,
the less a lead says about who will be ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, exp
from random import Random

from arena.games.meow.cards import (
    ALL_COLOURS,
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
    card,
    cards_in,
)
from arena.games.meow.state import MeowState, points, winning_card
from arena.games.meow.view import View
from guides.plain import Plain

LEAD = (2.0, 6.0, 8.0)
"""By the number of rounds to come, the lead in points that makes it 73 % likely to stay ahead."""

Order = list[tuple[int, int, float]]
"""The cards of a hand from the strongest down: each with its bit, and how much stronger it is than
the next."""
Values = tuple[float, list[float]]
"""What a token is worth, and those that come after it, the best first."""


def _beaters(played: int) -> int:
    """Return the set of cards that beat a card which is the best of its trick so far."""
    colour = COLOUR_OF[played]
    better = COLOUR_MASK[colour] & -(2 << played)
    if played == card(colour, 1):
        better &= ~BITS[card(colour, RANKS)]
    elif played == card(colour, RANKS):
        better = BITS[card(colour, 1)]
    return better if colour == GREEN else better | COLOUR_MASK[GREEN]


BEATERS = tuple(map(_beaters, range(CARDS)))
ANY = COLOUR_MASK[ALL_COLOURS]


class _Counted:
    """How the cards stand against those that have not been seen."""

    def __init__(self, unseen: int, size: int, seats: int) -> None:
        total = unseen.bit_count() or 1
        self.strength = [
            (1 - (unseen & beaters).bit_count() / total) ** (seats - 1) for beaters in BEATERS
        ]
        """For each card how likely it wins some trick."""
        self.stands = [
            [[chance**after for chance in chances] for after in range(seats)]
            for chances in (
                [_stands(each, unseen, size, wanted=wanted) for each in range(CARDS)]
                for wanted in (False, True)
            )
        ]
        """By whether the token is wanted, by how many play after it, and for each card how likely
        it stays the best of the trick."""


class Guide(Plain):
    """Plays like the greedy bot, by what the seat of the view has seen."""

    trust = 5.0
    ripe = 100

    def __init__(self, view: View) -> None:
        """Count the cards that are not seen, and find out how each stands against them."""
        super().__init__(view)
        unplayed = DECK_MASKS[view.seats, view.parameters.expert]
        for played in view.played_masks:
            unplayed &= ~played
        size = HAND - max(map(int.bit_count, view.played_masks))
        # The others do not know what this seat holds, and must reckon with it.
        self._others = _Counted(unplayed, size, view.seats)
        self._mine = _Counted(unplayed & ~view.hand_mask, size, view.seats)
        self._orders: dict[int, Order] = {}
        self._scores: dict[tuple[int, ...], int] = {}
        coming = view.row + view.later
        self._worst_bone = _worst_bone(coming)
        self._vases = coming.count(VASE)
        self._kept: dict[tuple[int, ...], tuple[int, ...]] = {}
        self._values: dict[tuple[tuple[int, ...], tuple[int, ...]], Values] = {}

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Tell what each card gains in this trick and leaves for later."""
        view = self.view
        values = self._valued(view.row, view.won[view.seat])
        winners = self._winners(view.trick, COLOUR_OF[view.trick[0]]) if view.trick else ANY
        stands = self._mine.stands[values[0] > 0][view.seats - 1 - len(view.trick)]
        point = 1 / (4 * LEAD[ROUNDS - 1 - view.round])
        return [
            point * self._best(view.hand_mask, BITS[action], values, winners, stands)[0]
            for action in actions
        ]

    def rollout(self, state: MeowState, rng: Random) -> int:
        """Play the card with the best sum of what it gains now and leaves for later."""
        legal = state.legal_mask
        if not legal & (legal - 1):
            return legal.bit_length() - 1
        seat = state.to_act
        trick = state.trick
        values = self._valued(state.row, state.won[seat])
        winners = self._winners(trick, state.led) if trick else ANY
        counted = self._mine if seat == self.view.seat else self._others
        stands = counted.stands[values[0] > 0][state.seats - 1 - len(trick)]
        return self._best(state.hands[seat], legal, values, winners, stands)[1]

    def _winners(self, trick: Sequence[int], led: int) -> int:
        """Return the set of cards that would be the best of the trick."""
        best = winning_card(trick, led)
        if best % RANKS == 0 and best + RANKS - 1 in trick:
            # RULES 6: beside its 18 a 1 is the highest.
            return COLOUR_MASK[GREEN] & ~COLOUR_MASK[COLOUR_OF[best]]
        return BEATERS[best]

    def _best(
        self, hand: int, legal: int, values: Values, winners: int, stands: list[float]
    ) -> tuple[float, int]:
        """Return what the best of the legal cards is worth, and which it is."""
        value, later = values
        best = -1
        most = -1e9
        rest = 0.0
        for (played, bit, step), coming in zip(self._order(hand), later, strict=True):
            if bit & legal:
                merit = rest + value * stands[played] if bit & winners else rest
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

    def _valued(self, row: tuple[int, ...], won: tuple[int, ...]) -> Values:
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
        """Tell what a bone, fish or vase is worth to a seat that has won these."""
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
        """Stop with the round."""
        return state.round != self.view.round

    def rewards(self, state: MeowState) -> list[float]:
        """Tell for each seat how many of the others it is likely to leave behind."""
        rounds = ROUNDS - 1 - self.view.round
        lead = LEAD[rounds]
        powers = [exp(self._prospect(won) / lead) for won in state.won]
        # Among the others is the seat itself, which counts a half.
        return [
            (sum([power / (power + other) for other in powers]) - 0.5) / (len(powers) - 1)
            for power in powers
        ]

    def _prospect(self, won: tuple[int, ...]) -> float:
        """Tell what tokens are worth, and what the rounds to come may make of fish and vases."""
        score = prospect = self._points(won)
        later = self.view.later
        if won.count(FISH) > sum([0 > token != VASE for token in won]):
            prospect -= _worst_bone(later) / 2
        if VASE in later:
            prospect += (self._points((*won, VASE)) - score) / 4
        return prospect


def _worst_bone(tokens: Sequence[int]) -> int:
    return min([token for token in tokens if 0 > token != VASE], default=0)


def _stands(played: int, unseen: int, size: int, *, wanted: bool) -> float:
    """Tell how likely the best card of a trick stands against one hand of unseen cards."""
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
