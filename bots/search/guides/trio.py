"""What is sensible play in Trio?

Whoever has the turn knows its own hand and every card that the table has seen. If three of a number
can be turned up for certain, it takes them, those that win before all others. If two can, it looks
for the third first, where it is likeliest. If there is nothing to hope for, it turns up any card
that nobody has seen. To hold back so as to give nothing away does not pay: that was tried.

The turn that is being decided is played by the odds of `trio_odds`, which are exact and slow.

A rollout stops after the seat's next turn: by then it has shown what an action gives away to those
who come in between, and the rest is luck.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
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
from arena.games.trio.parameters import has_won
from arena.games.trio.state import TrioState
from arena.games.trio.view import View, view_of
from guides.plain import Plain
from guides.trio_odds import promises

AHEAD = 1
"""So many turns of every seat are looked ahead."""
SOME_HIDDEN = 24
"""About so many cards are hidden."""
LEAD = 0.7
"""The lead in trios that makes it 73 % likely to stay ahead."""
WON = 6
"""A won match counts as so many trios more."""
TRIO = 0.2
"""What a trio is worth in rewards, for the prior."""


class Guide(Plain):
    """Plays by what the table has seen."""

    # The odds are exact, and one try says little: most of what follows is luck.
    trust = 20.0
    ripe = 100

    def __init__(self, view: View) -> None:
        """Look ahead to the end of the seat's next turn."""
        super().__init__(view)
        self._careful: dict[tuple[int, ...], int] = {}
        self._last_turn = view.turn + AHEAD * view.seats + 1

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Tell what may come of each place; in a swap, follow the custom."""
        if self.view.phase:
            custom = _custom(self.view.seat, self.view.hand, len(self.view.piles))
            return [float(action == custom) for action in actions]
        values = [TRIO * promise for promise in promises(self.view, list(actions))]
        # The slots that nobody has seen are all alike: one will do.
        alike = [at for at, place in enumerate(actions) if self._is_unseen_slot(place)]
        for at in alike[1:]:
            values[at] = -1.0
        return values

    def _is_unseen_slot(self, place: int) -> bool:
        return place < FIRST_HAND and self.view.centre[place] == UNSEEN

    def rollout(self, state: TrioState, rng: Random) -> int:
        """Turn up the card that leads to a trio, for certain or likely."""
        seat = state.to_act
        if state.legal_mask >> FIRST_GIVE:
            return _custom(seat, state.hands[seat], len(state.piles))
        if state.turn == self.view.turn:
            return self._with_care(state)
        number = state.number if state.shown else _aim(state, seat)
        return _next(state, seat, number) if number else _unseen(state, seat)

    def _with_care(self, state: TrioState) -> int:
        """Go on by the exact odds in the turn that is being decided: it can go few ways."""
        case = state.number, *state.shown
        action = self._careful.get(case)
        if action is None:
            places = state.legal_actions()
            values = promises(view_of(state, state.to_act), places)
            action = self._careful[case] = places[values.index(max(values))]
        return action

    def is_far_enough(self, state: TrioState) -> bool:
        """Stop after some turns."""
        return state.turn >= self._last_turn

    def rewards(self, state: TrioState) -> list[float]:
        """Tell for each seat how many of the others it is likely to leave behind."""
        mode = state.parameters.mode
        powers = [exp((len(pile) + WON * has_won(pile, mode)) / LEAD) for pile in state.piles]
        others = len(powers) - 1
        # Among the others is the team itself, which counts a half.
        rewards = [
            (sum([power / (power + other) for other in powers]) - 0.5) / others for power in powers
        ]
        return rewards * (state.seats // len(rewards))

    def seen(self, state: TrioState, seat: int) -> Hashable:
        """Tell which number is face up."""
        return state.number if state.shown else 0


def _custom(seat: int, hand: Sequence[int], teams: int) -> int:
    """Give the highest card, or the lowest, as the seat has it."""
    if not hand:
        return KEEP
    return give(hand[-1] if seat < teams else hand[0])


def _ends(state: TrioState, seat: int) -> list[tuple[int, Sequence[int], Sequence[int]]]:
    """List for each hand its first place, and what this seat knows of its cards from each end."""
    ends = []
    for owner, (_, lowest, highest, least, _) in enumerate(state.known):
        if owner == seat:
            hand = state.hands[owner]
            ends.append((low(owner), hand, hand))
        else:
            ends.append((low(owner), lowest, highest if least else lowest))
    return ends


def _aim(state: TrioState, seat: int) -> int:
    """Return the number of which most cards can be turned up for certain, if there are two."""
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


def _next(state: TrioState, seat: int, number: int) -> int:
    """Go on with this number: look where it may be, or take what is certain if that suffices."""
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
    best = 1 / SOME_HIDDEN if hidden else 0.0
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
    """Tell how likely the end of a hand shows a number so far from its bound, for each copy."""
    return float(((1 - inward / span) ** hidden - (1 - (inward + 1) / span) ** hidden) / COPIES)


def _unseen(state: TrioState, seat: int) -> int:
    """Turn up a card that nobody has seen."""
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
