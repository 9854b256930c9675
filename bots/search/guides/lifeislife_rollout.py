"""Which swap does a rollout of Life is Life make, within a few microseconds?

For each row, the cards that cost the hand the least are laid for it; the swap after which the hand
is worth the most is made. An animal in a hand is worth what it is likely to score if nothing is
known of the other hands, and a set that is a sudden death, or may become one, some more. So the
worth of a hand is a sum over animals, and is looked up: five animals at a time, as few such halves
of hands come up.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb, inf
from random import Random

from arena.games.lifeislife.cards import (
    ACTION_OF,
    CAT,
    COUNT,
    HAND,
    KNOCK,
    PIG,
    RABBIT,
    ROWS,
    SHIFTS,
    VALUES,
)
from arena.games.lifeislife.state import LifeIsLifeState

SUDDEN_DEATH = 40.0
"""What a complete set is worth, in points."""
MISSING = 0.2
"""What part of that remains for each card that a set lacks."""
ENOUGH = {2: 28.0, 3: 23.0, 4: 20.0, 5: 18.0}
"""By the number of players: how many points are enough to knock."""
PATIENCE = 0.5
"""By how many points less is enough with every lap."""

_HALF = len(VALUES) // 2
_MIDDLE = SHIFTS[_HALF]
_LOW = (1 << _MIDDLE) - 1
Half = int
"""The first five animals of a herd, or the last five moved to their place."""


def quick(state: LifeIsLifeState, rng: Random) -> int:
    """Decide for the seat to act, by what it has and nothing else."""
    playing = state.playing
    hand = state.hands[state.to_act]
    hopes = tables(playing, expert=state.parameters.expert, last_lap=state.knocker >= 0)
    worth, laid = hopes.best_swap(hand, state.rows)
    if not laid:
        return state.random_action(rng)
    if state.turn < playing or worth >= SUDDEN_DEATH:
        return ACTION_OF[laid]
    points = hopes.points(hand)
    if state.knocker >= 0:
        return ACTION_OF[laid] if worth > points else KNOCK
    enough = ENOUGH[playing] - PATIENCE * (state.turn // playing)
    return KNOCK if points >= enough else ACTION_OF[laid]


class Tables:
    """What hands are worth, and what they can do without."""

    def __init__(self, playing: int, *, expert: bool, last_lap: bool) -> None:
        """Prepare for so many players."""
        points = [points_of_nothing_known(playing, value) for value in VALUES]
        worths = [
            with_set(kind, each, is_hopeful=not last_lap)
            if is_deadly(kind, expert=expert)
            else each
            for kind, each in enumerate(points)
        ]
        self._points = _Worths(points[:_HALF]), _Worths(points[_HALF:])
        self._worths = _Worths(worths[:_HALF]), _Worths(worths[_HALF:])
        self._cheapest = _Cheapest(worths[:_HALF], 0), _Cheapest(worths[_HALF:], _MIDDLE)

    def points(self, hand: int) -> float:
        """Tell how many points a hand may score."""
        low, high = self._points
        return low[hand & _LOW] + high[hand >> _MIDDLE]

    def worth(self, hand: int) -> float:
        """Tell what a hand is worth, with its sets."""
        low, high = self._worths
        return low[hand & _LOW] + high[hand >> _MIDDLE]

    def best_swap(self, hand: int, rows: Sequence[int]) -> tuple[float, int]:
        """Return the most that a hand can be worth after a swap, and the herd laid for it."""
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


@cache
def tables(playing: int, *, expert: bool, last_lap: bool) -> Tables:
    """Return the tables for so many players; they fill as they are used."""
    return Tables(playing, expert=expert, last_lap=last_lap)


class _Worths(dict[Half, float]):
    """What half a hand is worth."""

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
    """For half a hand, what it costs at least to lay none, one, two and more of it, and which."""

    def __init__(self, worths: list[list[float]], moved: int) -> None:
        self._worths = worths
        self._moved = moved

    def __missing__(self, half: Half) -> tuple[list[float], list[int]]:
        losses = [0.0] + [inf] * ROWS
        herds = [0] * (ROWS + 1)
        for worth, shift in zip(self._worths, SHIFTS, strict=False):
            held = half >> shift & COUNT
            # From the most cards down, so that what is read still lacks this animal.
            for size in range(ROWS, 0, -1):
                for count in range(1, min(held, size) + 1):
                    loss = losses[size - count] + worth[held] - worth[held - count]
                    if loss < losses[size]:
                        losses[size] = loss
                        herds[size] = herds[size - count] + (count << shift + self._moved)
        self[half] = losses, herds
        return losses, herds


def is_deadly(kind: int, *, expert: bool) -> bool:
    """Tell whether all cards of this animal are a sudden death."""
    return kind in (RABBIT, PIG) or (kind == CAT and not expert)


def with_set(kind: int, points: list[float], *, is_hopeful: bool) -> list[float]:
    """Add to an animal's points what its complete set is worth, and the hope for it."""
    complete = VALUES[kind]
    worths = [*points[:complete], SUDDEN_DEATH]
    if is_hopeful:
        for count in range(complete):
            worths[count] += SUDDEN_DEATH * MISSING ** (complete - count)
    return worths


def points_of_nothing_known(playing: int, value: int) -> list[float]:
    """Tell what none, one, two and more cards of an animal score if any hand may have the rest."""
    others = sum(VALUES) - HAND
    least = 2 if playing == 2 else 1
    return [
        value * fewer(others, value - count, HAND)[count] ** (playing - 1)
        if count >= least
        else 0.0
        for count in range(value + 1)
    ]


@cache
def fewer(total: int, marked: int, size: int) -> list[float]:
    """Tell how likely a hand of this size, of so many cards, has fewer marked ones than 0 to 9."""
    ways = [comb(marked, count) * comb(total - marked, size - count) for count in range(size + 1)]
    return [sum(ways[:count]) / comb(total, size) for count in range(max(VALUES) + 1)]
