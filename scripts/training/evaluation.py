"""How strong a network is against a greedy bot: duplicate deals, all matches at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import NamedTuple

from arena.games.meow import GAME
from arena.games.meow.view import View
from arena.games.randomness import derive, seed_from
from arena.learn.opponents import bot_class
from arena.sdk import Match

Chooser = Callable[[Sequence[View]], Sequence[int]]
SEATINGS = ((0, 0, 1, 1), (1, 0, 0, 1), (1, 1, 0, 0), (0, 1, 1, 0))
"""Who sits where, in the matches of one deal."""


class Strength(NamedTuple):
    """The share of the comparisons in which one side is ahead; 0.5 is even."""

    mean: float
    error: float
    """The standard error of the mean, from the spread of whole deals."""


def bot_chooser(name: str) -> Chooser:
    """Return what decides for a bot that needs only its views, in this process."""
    bot = bot_class(name)()
    state = GAME.start(4, 0)
    match = Match(
        game=GAME,
        parameters=state.parameters,
        seats=state.seats,
        seat=0,
        bank_s=60.0,
        increment_s=0.5,
        counts_cpu=False,
        commitment=b"",
        rng=Random(0),
    )

    def choose(views: Sequence[View]) -> Sequence[int]:
        bot.matches = [match] * len(views)
        return bot.choose_many(views)

    return choose


def strength(choosers: tuple[Chooser, Chooser], *, deals: int, seed: int) -> Strength:
    """Play two against two at four seats, every deal in four seatings."""
    sides = [seating for _ in range(deals) for seating in SEATINGS]
    states = [
        GAME.start(4, derive(seed_from(seed), f"deal {number // len(SEATINGS)}"))
        for number in range(len(sides))
    ]
    while not states[0].is_over:
        waiting: tuple[list[int], list[int]] = ([], [])
        for number, (state, seating) in enumerate(zip(states, sides, strict=True)):
            waiting[seating[state.to_act]].append(number)
        for numbers, choose in zip(waiting, choosers, strict=True):
            if not numbers:
                continue
            views = [GAME.view_of(states[each], states[each].to_act) for each in numbers]
            for each, card in zip(numbers, choose(views), strict=True):
                states[each].apply(card)
    ahead = [
        _ahead(state.outcome().scores, seating)
        for state, seating in zip(states, sides, strict=True)
    ]
    size = len(SEATINGS)
    by_deal = [fmean(ahead[first : first + size]) for first in range(0, len(ahead), size)]
    return Strength(fmean(by_deal), stdev(by_deal) / sqrt(deals))


def _ahead(scores: Sequence[int], seating: Sequence[int]) -> float:
    """Return in which share of the comparisons between the sides the first one is ahead."""
    ours = [score for score, side in zip(scores, seating, strict=True) if not side]
    theirs = [score for score, side in zip(scores, seating, strict=True) if side]
    return fmean(
        1.0 if our > their else 0.5 if our == their else 0.0 for our in ours for their in theirs
    )
