"""Choose a swap in a rollout of Life is Life, within a few microseconds.

For each row, find the cards whose loss costs the hand the least; then make the swap that leaves the
best hand. An animal is worth its expected points if nothing is known about the other hands, plus a
bonus for a set that is a sudden death or may become one. The worth of a hand is therefore a sum
over animals. It is looked up for five animals at a time, as few different halves of hands occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from random import Random

from arena.games.lifeislife.cards import (
    ACTION_OF,
    COUNT,
    HAND,
    KNOCK,
    ROWS,
    SHIFTS,
    VALUES,
    Pack,
    pack_of,
)
from arena.games.lifeislife.odds import chance_of_fewer
from arena.games.lifeislife.state import LifeIsLifeState

SUDDEN_DEATH = 40.0
"""The worth of a complete set, in points."""
MISSING_FACTOR = 0.2
"""The factor for each card that a set lacks."""
ENOUGH = {2: 28.0, 3: 23.0, 4: 20.0, 5: 18.0}
"""The points that are enough to knock, by the number of players, in a match of the usual size."""
LAP_DISCOUNT = 0.5
"""How far the threshold for a knock falls with every lap, in points."""

_HALF = len(VALUES) // 2
_MIDDLE = SHIFTS[_HALF]
_LOW = (1 << _MIDDLE) - 1
Half = int
"""The first five animals of a herd, or the last five shifted down to the same bits."""


def fast_action(state: LifeIsLifeState, rng: Random) -> int:
    """Choose for the seat to act, using only its own hand and the table."""
    playing = state.player_count
    hand = state.hands[state.to_act]
    lookup = tables_of(state)
    worth, laid = lookup.best_swap(hand, state.rows)
    if not laid:
        return state.random_action(rng)
    if state.turn < playing or worth >= SUDDEN_DEATH:
        return ACTION_OF[laid]
    points = lookup.points(hand)
    if state.knocker >= 0:
        return ACTION_OF[laid] if worth > points else KNOCK
    enough = lookup.enough - LAP_DISCOUNT * (state.turn // playing)
    return KNOCK if points >= enough else ACTION_OF[laid]


class Tables:
    """Lookup tables for the worth of hands and the cheapest cards to lay."""

    def __init__(self, playing: int, pack: Pack, hand_size: int, *, last_lap: bool) -> None:
        """Prepare for this many players with these cards."""
        others = len(pack.cards) - hand_size
        points = [
            points_of_nothing_known(playing, value, others, hand_size) for value in pack.values
        ]
        worths = [
            with_set(pack.values[kind], each, is_hopeful=not last_lap)
            if kind in pack.sets
            else each
            for kind, each in enumerate(points)
        ]
        self.enough = enough_to_knock(playing, pack)
        """The points that are enough to knock."""
        self._points = _Worths(points[:_HALF]), _Worths(points[_HALF:])
        self._worths = _Worths(worths[:_HALF]), _Worths(worths[_HALF:])
        self._cheapest = _Cheapest(worths[:_HALF], 0), _Cheapest(worths[_HALF:], _MIDDLE)

    def points(self, hand: int) -> float:
        """Return the points that a hand can expect to score."""
        low, high = self._points
        return low[hand & _LOW] + high[hand >> _MIDDLE]

    def worth(self, hand: int) -> float:
        """Return the worth of a hand, including its sets."""
        low, high = self._worths
        return low[hand & _LOW] + high[hand >> _MIDDLE]

    def best_swap(self, hand: int, rows: Sequence[int]) -> tuple[float, int]:
        """Return the best worth of the hand after a swap, and the herd to lay for it."""
        low_losses, low_herds = self._cheapest[0][hand & _LOW]
        high_losses, high_herds = self._cheapest[1][hand >> _MIDDLE]
        best, best_laid = -inf, 0
        for size, row in enumerate(rows, 1):
            least = inf
            laid = 0
            for lows in range(size + 1):
                loss = low_losses[lows] + high_losses[size - lows]
                if loss < least:
                    least = loss
                    laid = low_herds[lows] + high_herds[size - lows]
            if laid != row:
                worth = self.worth(hand - laid + row)
                if worth > best:
                    best, best_laid = worth, laid
        return best, best_laid


def tables_of(state: LifeIsLifeState) -> Tables:
    """Return the tables for this stage of a match; they are filled on demand."""
    parameters = state.parameters
    cards = (parameters.expert, parameters.kinds, parameters.copies)
    return _tables(state.player_count, cards, parameters.hand or HAND, state.knocker >= 0)


@cache
def _tables(playing: int, cards: tuple[bool, int, int], hand_size: int, last_lap: bool) -> Tables:
    expert, kinds, copies = cards
    pack = pack_of(expert=expert, kinds=kinds, copies=copies)
    return Tables(playing, pack, hand_size, last_lap=last_lap)


class _Worths(dict[Half, float]):
    """The worth of half a hand, computed on demand."""

    def __init__(self, worths: list[list[float]]) -> None:
        self._worths = worths

    def __missing__(self, half: Half) -> float:
        found = self[half] = sum(
            [
                worth[half >> shift & COUNT]
                for worth, shift in zip(self._worths, SHIFTS, strict=False)
            ]
        )
        return found


class _Cheapest(dict[Half, tuple[list[float], list[int]]]):
    """For half a hand, the minimum loss from laying 0 to 4 of its cards, and the herds to lay."""

    def __init__(self, worths: list[list[float]], moved: int) -> None:
        self._worths = worths
        self._moved = moved

    def __missing__(self, half: Half) -> tuple[list[float], list[int]]:
        losses = [0.0] + [inf] * ROWS
        herds = [0] * (ROWS + 1)
        for worth, shift in zip(self._worths, SHIFTS, strict=False):
            held = half >> shift & COUNT
            # From the most cards down, so that the entries read do not include this animal yet.
            for size in range(ROWS, 0, -1):
                for count in range(1, min(held, size) + 1):
                    loss = losses[size - count] + worth[held] - worth[held - count]
                    if loss < losses[size]:
                        losses[size] = loss
                        herds[size] = herds[size - count] + (count << shift + self._moved)
        self[half] = losses, herds
        return losses, herds


def enough_to_knock(playing: int, pack: Pack) -> float:
    """Return the points that are enough to knock, in proportion to all that can be scored."""
    return ENOUGH[playing] * len(pack.cards) / sum(VALUES)


def with_set(complete: int, points: list[float], *, is_hopeful: bool) -> list[float]:
    """Add the worth of a complete set to an animal's points, and of an incomplete one if wanted."""
    worths = [*points[:complete], SUDDEN_DEATH]
    if is_hopeful:
        for count in range(complete):
            worths[count] += SUDDEN_DEATH * MISSING_FACTOR ** (complete - count)
    return worths


def points_of_nothing_known(playing: int, value: int, others: int, size: int) -> list[float]:
    """Return the expected points for 0, 1, 2, ... cards of an animal, with all others unseen.

    `others` is the number of unseen cards, and each other hand has `size` of them.
    """
    least = 2 if playing == 2 else 1
    return [
        value * chance_of_fewer(others, value - count, size)[count] ** (playing - 1)
        if count >= least
        else 0.0
        for count in range(value + 1)
    ]
