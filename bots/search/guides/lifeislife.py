"""Life is Life: make the swap that leaves the best hand, and knock once the hand is good enough.

An animal counts its value times the probability that no other hand has as many of it, and a set
that is a sudden death counts more than a hand of majorities. For the decision itself, cards taken
from a row are known to be in that hand. Playouts use no such knowledge, so that the worth of half a
hand can be looked up. They stop at the end of the round: then only lives count.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from random import Random
from typing import ClassVar

from arena.games.lifeislife.cards import (
    ACTION_OF,
    COUNT,
    KNOCK,
    LAID,
    ROW_OF,
    ROWS,
    SHIFTS,
    VALUES,
    Pack,
    count_of,
)
from arena.games.lifeislife.odds import chance_of_fewer, points_of
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View
from guides.plain import PlainGuide

SUDDEN_DEATH = 40.0
"""The worth of a complete set, in points."""
MISSING_FACTOR = 0.2
"""The factor for each card that a set lacks."""
ENOUGH = {2: 28.0, 3: 23.0, 4: 20.0, 5: 18.0}
"""The points that are enough to knock, by the number of players, in a match of the usual size."""
LAP_DISCOUNT = 0.5
"""How far this falls with every lap, in points."""
KNOCK_BONUS = 2.0
"""What a knock gains for each point beyond what is enough, for the prior."""
POINT = 0.004
"""The reward for one more point."""

_HALF = len(VALUES) // 2
_MIDDLE = SHIFTS[_HALF]
_LOW = (1 << _MIDDLE) - 1


class _Half(dict[int, tuple[float, float, list[float], list[int]]]):
    """For half of a hand: its points, its worth, the least loss from laying 0 to 4, and what."""

    def __init__(self, points: list[list[float]], worths: list[list[float]], moved: int) -> None:
        self._kinds = list(zip(points, worths, SHIFTS, strict=False))
        self._moved = moved

    def __missing__(self, half: int) -> tuple[float, float, list[float], list[int]]:
        points = total = 0.0
        losses, herds = [0.0] + [inf] * ROWS, [0] * (ROWS + 1)
        for point, worth, shift in self._kinds:
            held = half >> shift & COUNT
            points += point[held]
            total += worth[held]
            # From the most cards down, so that what is read does not include this animal yet.
            for size in range(ROWS, 0, -1):
                for count in range(1, min(held, size) + 1):
                    loss = losses[size - count] + worth[held] - worth[held - count]
                    if loss < losses[size]:
                        losses[size] = loss
                        herds[size] = herds[size - count] + (count << shift + self._moved)
        self[half] = found = points, total, losses, herds
        return found


class Hands:
    """What hands are worth, and what to lay; looked up by halves, of which few are different."""

    def __init__(self, points: list[list[float]], pack: Pack, *, hopeful: Sequence[int]) -> None:
        """Compute from the points of each number of each animal; `hopeful` sets may still grow."""
        worths = points.copy()
        for kind in pack.sets:
            complete = pack.values[kind]
            worths[kind] = [*points[kind][:complete], SUDDEN_DEATH]
            for count in range(complete) if kind in hopeful else ():
                worths[kind][count] += SUDDEN_DEATH * MISSING_FACTOR ** (complete - count)
        self._low = _Half(points[:_HALF], worths[:_HALF], 0)
        self._high = _Half(points[_HALF:], worths[_HALF:], _MIDDLE)

    def points(self, hand: int) -> float:
        """Return the points that a hand can expect."""
        return self._low[hand & _LOW][0] + self._high[hand >> _MIDDLE][0]

    def worth(self, hand: int) -> float:
        """Return the worth of a hand, including its sets."""
        return self._low[hand & _LOW][1] + self._high[hand >> _MIDDLE][1]

    def best_swap(self, hand: int, rows: Sequence[int]) -> tuple[float, int]:
        """Return the best worth of the hand after a swap, and the herd to lay for it."""
        low_losses, low_herds = self._low[hand & _LOW][2:]
        high_losses, high_herds = self._high[hand >> _MIDDLE][2:]
        best, best_laid = -inf, 0
        for size, row in enumerate(rows, 1):
            least, laid = inf, 0
            for lows in range(size + 1):
                loss = low_losses[lows] + high_losses[size - lows]
                if loss < least:
                    least, laid = loss, low_herds[lows] + high_herds[size - lows]
            if laid != row:
                worth = self.worth(hand - laid + row)
                if worth > best:
                    best, best_laid = worth, laid
        return best, best_laid


class Guide(PlainGuide):
    """Adds up what the animals in a hand are worth, and counts lives."""

    prior_weight: ClassVar[float] = 20.0

    def prior(self, actions: Sequence[int]) -> list[float]:
        """Return the worth of the hand after each action."""
        view: View = self.view
        pack = view.parameters.pack
        known = [[count_of(herd, kind) for herd in view.known_herds] for kind in range(len(VALUES))]
        hopeful = [kind for kind in pack.sets if sum(known[kind]) == known[kind][view.seat]]
        hands = Hands(points_of(view), pack, hopeful=hopeful if view.knocker < 0 else ())
        worths = {
            action: hands.worth(view.hand_herd - LAID[action] + view.row_herds[ROW_OF[action]])
            for action in actions
            if action != KNOCK
        }
        if KNOCK in actions:
            now, best = hands.points(view.hand_herd), max(worths.values())
            if view.knocker < 0 and best < SUDDEN_DEATH:
                now = best + KNOCK_BONUS * (now - enough_to_knock(len(view.players), pack))
            worths[KNOCK] = now
        return [POINT * worths[action] for action in actions]

    def policy(self, state: LifeIsLifeState, rng: Random) -> int:
        """Make the best swap, or knock with a good hand."""
        playing = state.player_count
        hand = state.hands[state.to_act]
        hands = hands_of(playing, state.parameters, is_last_lap=state.knocker >= 0)
        worth, laid = hands.best_swap(hand, state.rows)
        if not laid:
            return state.random_action(rng)
        if state.turn >= playing and worth < SUDDEN_DEATH:
            enough = worth
            if state.knocker < 0:
                enough = enough_to_knock(playing, state.parameters.pack)
                enough -= LAP_DISCOUNT * (state.turn // playing)
            if hands.points(hand) >= enough:
                return KNOCK
        return ACTION_OF[laid]

    def is_far_enough(self, state: LifeIsLifeState) -> bool:
        """Stop when the round is over."""
        return state.round != self.view.round

    def powers(self, state: LifeIsLifeState) -> list[float]:
        """Square the lives: two against one wins four times in five; the dead are in order."""
        return [
            lives**2 if lives else 1000.0 ** max(out - state.round - 1, -100)
            for lives, out in zip(state.lives, state.out, strict=True)
        ]


@cache
def hands_of(playing: int, parameters: Parameters, *, is_last_lap: bool) -> Hands:
    """Return what hands are worth if nothing is known about the others."""
    pack, size = parameters.pack, parameters.hand_size
    least = 2 if playing == 2 else 1
    unseen = len(pack.cards) - size
    points = [
        [
            value * chance_of_fewer(unseen, value - count, size)[count] ** (playing - 1)
            if count >= least
            else 0.0
            for count in range(value + 1)
        ]
        for value in pack.values
    ]
    return Hands(points, pack, hopeful=() if is_last_lap else pack.sets)


@cache
def enough_to_knock(playing: int, pack: Pack) -> float:
    """Return the points that are enough to knock, in proportion to all that can be scored."""
    return ENOUGH[playing] * len(pack.cards) / sum(VALUES)
