"""What is sensible play in Trio?

Whoever has the turn knows its own hand and every card that the table has seen. If three of a number
can be turned up for certain, it takes them, those that win before all others. If two can, it looks
for the third first, where it may be: at the ends of hands for the outer numbers, in the centre for
the others. If there is nothing to hope for, it turns up any card that nobody has seen.

A rollout stops after a few turns: by then it has shown what an action gives away to those who
come next, and the rest is luck. A trio ahead is then taken to be well ahead.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import exp
from random import Random

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
from arena.games.trio.parameters import has_won
from arena.games.trio.state import TrioState
from arena.games.trio.view import View
from guides.plain import Plain
from guides.trio_odds import promises

AHEAD = 1
LEAD = 0.7
"""The lead in trios that makes it 73 % likely to stay ahead."""
WON = 6
"""A won match counts as so many trios more."""
TRIO = 0.1
"""What a trio is worth in rewards, for the prior."""


class Guide(Plain):
    """Plays by what the table has seen."""

    # The odds are exact, and one try says little: most of what follows is luck.
    trust = 40.0
    ripe = 100

    def __init__(self, view: View) -> None:
        """Look ahead to the end of the seat's next turn."""
        super().__init__(view)
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
        if state.shown:
            return _next(state, seat, state.number, rng)
        number = _aim(state, seat)
        if not number:
            return _unseen(state, seat, rng)
        return _next(state, seat, number, rng)

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


def _next(state: TrioState, seat: int, number: int, rng: Random) -> int:
    """Go on with this number: with certain cards if they suffice, otherwise where it may be."""
    shown = state.shown
    sure: list[int] = []
    hidden: list[int] = []
    for slot, face in enumerate(state.seen):
        if slot in shown:
            continue
        if face == number:
            sure.append(slot)
        elif face == UNSEEN:
            hidden.append(slot)
    outer = 0 if number < NUMBERS // 2 else 1
    likely: list[int] = []
    legal = state.legal_mask
    for owner, (first, lowest, highest) in enumerate(_ends(state, seat)):
        up, down = shown.count(first), shown.count(first + 1)
        size = state.known[owner].size
        for place, cards, depth in ((first, lowest, up), (first + 1, highest[::-1], down)):
            if not legal >> place & 1:
                continue
            if depth < len(cards):
                if cards[depth] == number:
                    sure.append(place)
                    if depth + 1 < len(cards) and cards[depth + 1] == number:
                        sure.append(place)
            elif size > len(lowest) and place - first == outer:
                likely.append(place)
    if len(sure) + len(shown) < COPIES:
        where = likely if likely and not 3 < number < 10 else hidden or likely
        if where:
            return where[int(rng.random() * len(where))]
    if sure:
        return sure[0]
    return state.random_action(rng)


def _unseen(state: TrioState, seat: int, rng: Random) -> int:
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
        return hidden[int(rng.random() * len(hidden))]
    return state.random_action(rng)
