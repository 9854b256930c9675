"""A guide to sensible play in Trio.

The player to act knows its own hand and every card that the table has seen. If three cards of a
number can certainly be turned up, it takes them, preferring a trio that wins. If two can, it first
looks for the third where it is most likely. Otherwise it turns up a card that has not been seen.
Holding back to give nothing away was tried, and does not pay.

The turn being decided is played with exact but slow odds.

A rollout stops after the seat's next turn: by then it has shown what an action gives away to the
players in between, and the rest is luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp
from random import Random

from arena.games.trio.cards import (
    COPIES,
    EMPTY,
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
from arena.games.trio.view import View, view_of
from guides.plain import PlainGuide

LAPS_AHEAD = 1
"""Turns of every seat to look ahead."""
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

    # The odds are exact, and a single try says little: most of what follows is luck.
    width = 6
    prior_weight = 20.0

    def __init__(self, view: View) -> None:
        """Look ahead to the end of the seat's next turn."""
        super().__init__(view)
        self._exact_choices: dict[tuple[int, ...], int] = {}
        self._last_turn = view.turn + LAPS_AHEAD * view.seats + 1

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the expected reward of each place; in a swap, follow the convention."""
        if self.view.phase:
            conventional = _convention(self.view.seat, self.view.hand, len(self.view.piles))
            return [float(action == conventional) for action in actions]
        values = [TRIO_REWARD * trios for trios in expected_trios(self.view, list(actions))]
        # All unseen slots are equivalent: try only one.
        unseen_slots = [at for at, place in enumerate(actions) if self._is_unseen_slot(place)]
        for at in unseen_slots[1:]:
            values[at] = -1.0
        return values

    def _is_unseen_slot(self, place: int) -> bool:
        return place < FIRST_HAND and self.view.centre[place] == UNSEEN

    def policy(self, state: TrioState, rng: Random) -> int:
        """Turn up a card that certainly or probably leads to a trio."""
        seat = state.to_act
        if state.legal_mask >> FIRST_GIVE:
            return _convention(seat, state.hands[seat], len(state.piles))
        if state.turn == self.view.turn:
            return self._exact_choice(state)
        number = state.number if state.shown else _target_number(state, seat)
        return _next_place(state, seat, number) if number else _unseen_place(state, seat)

    def _exact_choice(self, state: TrioState) -> int:
        """Use the exact odds in the turn being decided, which can continue in only a few ways."""
        key = state.number, *state.shown
        action = self._exact_choices.get(key)
        if action is None:
            places = state.legal_actions()
            values = expected_trios(view_of(state, state.to_act), places)
            action = self._exact_choices[key] = places[values.index(max(values))]
        return action

    def is_far_enough(self, state: TrioState) -> bool:
        """Stop after the seat's next turn."""
        return state.turn >= self._last_turn

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


def _ends(state: TrioState, seat: int) -> list[tuple[int, Sequence[int], Sequence[int]]]:
    """List the first place of each hand, and the cards this seat knows from each end."""
    ends = []
    for owner, (_, lowest, highest, least, _) in enumerate(state.known):
        if owner == seat:
            hand = state.hands[owner]
            ends.append((low(owner), hand, hand))
        else:
            ends.append((low(owner), lowest, highest if least else lowest))
    return ends


def _target_number(state: TrioState, seat: int) -> int:
    """Return the best number with at least two cards that can certainly be turned up, or 0."""
    counts = [0] * (NUMBERS + 1)
    for number in state.seen:
        if number > 0:
            counts[number] += 1
    for _, lowest, highest in _ends(state, seat):
        if lowest:
            first = lowest[0]
            counts[first] += lowest.count(first)
        if highest and not (lowest and highest[-1] == lowest[0]):
            last = highest[-1]
            counts[last] += highest.count(last)
    most = max(counts)
    if most < COPIES - 1:
        return 0
    pile = state.piles[seat % len(state.piles)]
    mode = state.parameters.mode
    best = 0
    merit = 0
    for number, count in enumerate(counts):
        if count >= COPIES - 1:
            worth = 4 * (count >= COPIES) + 2 * has_won((*pile, number), mode) + 1
            if worth > merit:
                best, merit = number, worth
    return best


def _next_place(state: TrioState, seat: int, number: int) -> int:
    """Continue with this number: take certain cards if they suffice, else look where it may be."""
    shown = state.shown
    sure: list[int] = []
    hidden: list[int] = []
    for slot, face in enumerate(state.seen):
        if face == EMPTY or slot in shown:
            continue
        if face == number:
            sure.append(slot)
        elif face == UNSEEN:
            hidden.append(slot)
    legal = state.legal_mask
    best = 1 / TYPICAL_HIDDEN if hidden else 0.0
    where = hidden[(state.turn + number) % len(hidden)] if hidden else -1
    for owner, (first, lowest, highest) in enumerate(_ends(state, seat)):
        size, seen_low, seen_high, least, most = state.known[owner]
        unseen = size - len(seen_low) - len(seen_high)
        for place, cards in ((first, lowest), (first + 1, highest[::-1])):
            if not legal >> place & 1:
                continue
            depth = shown.count(place)
            if depth < len(cards):
                if cards[depth] == number:
                    sure += [place] * (cards.count(number) - depth)
            elif least <= number <= most:
                inward = number - least if place == first else most - number
                chance = _end_chance(inward, most - least + 1, unseen)
                if chance > best:
                    best, where = chance, place
    if len(shown) + len(sure) < COPIES and where >= 0:
        return where
    return sure[0] if sure else (legal & -legal).bit_length() - 1


@cache
def _end_chance(inward: int, span: int, hidden: int) -> float:
    """Return the probability that an end of a hand shows a number this far from its bound."""
    return float(((1 - inward / span) ** hidden - (1 - (inward + 1) / span) ** hidden) / COPIES)


def _unseen_place(state: TrioState, seat: int) -> int:
    """Turn up a card that has not been seen."""
    hidden = [slot for slot, face in enumerate(state.seen) if face == UNSEEN]
    for owner, (_, lowest, highest, least, _) in enumerate(state.known):
        if owner != seat and least:
            if not lowest:
                hidden.append(low(owner))
            if not highest:
                hidden.append(low(owner) + 1)
    hidden = [place for place in hidden if state.legal_mask >> place & 1]
    if hidden:
        return hidden[state.turn % len(hidden)]
    return (state.legal_mask & -state.legal_mask).bit_length() - 1


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
