"""Matches of MEOW of a network against itself, many at once, and what they teach.

All tables have the same number of seats, so that they decide in step: one pass through the network
serves all of them. What is learned from a decision is a mixture of what happened afterwards and of
what the network expected at the next decision of the seat (a lambda return).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from features import Floats, features_of
from network import Network

from arena.games.meow import GAME
from arena.games.meow.parameters import Parameters
from arena.games.meow.state import MeowState, points
from arena.games.randomness import derive, seed_from

LAMBDA = 0.8
"""Share of what happened in a target; the rest is what the network expected."""
POINTS = 10
"""Points of the game in one unit of the network."""


class Lessons(NamedTuple):
    """What some matches teach: rows of features, and the gain that the network should expect."""

    rows: Floats
    targets: Floats
    matches: int


class Step(NamedTuple):
    """The decisions of one seat at all tables."""

    rows: Floats
    """The features of the cards that were played."""
    best: Floats
    """What the network expected of the best cards."""
    is_best: npt.NDArray[np.bool_]
    """Whether they were played."""


def play(
    network: Network,
    rng: np.random.Generator,
    *,
    tables: int,
    seats: int,
    parameters: Parameters,
    curiosity: float,
) -> Lessons:
    """Play matches in which a share of all cards, the `curiosity`, is drawn at random."""
    secret = seed_from(int(rng.integers(1 << 62)))
    states = [
        GAME.start(seats, derive(secret, str(number)), parameters) for number in range(tables)
    ]
    steps: list[list[Step]] = [[] for _ in range(seats)]
    gains: list[Floats] = []
    before = _leads(states)
    while not states[0].is_over:
        # The seat to act differs from table to table: steps are kept by place in the trick.
        chosen = [_decide(network, states, rng, curiosity) for _ in range(seats)]
        seat_order = np.array([order for _, order in chosen])
        after = _leads(states)
        gains.append(((after - before) / POINTS).astype(np.float32))
        before = after
        for seat in range(seats):
            # For each table, the step of the place in which this seat played.
            place = np.argmax(seat_order == seat, axis=0)
            steps[seat].append(_gather([step for step, _ in chosen], place))
    rows, targets = [], []
    for seat in range(seats):
        expected = np.zeros(tables, dtype=np.float32)
        target = np.zeros(tables, dtype=np.float32)
        weight = np.zeros(tables, dtype=np.float32)
        for step, gain in zip(reversed(steps[seat]), reversed(gains), strict=True):
            target = gain[:, seat] + (1 - weight) * expected + weight * target
            rows.append(step.rows)
            targets.append(target)
            expected = step.best
            # What followed a random card says little about the card before it.
            weight = np.where(step.is_best, np.float32(LAMBDA), np.float32(0))
    return Lessons(np.concatenate(rows), np.concatenate(targets), tables)


def _decide(
    network: Network, states: list[MeowState], rng: np.random.Generator, curiosity: float
) -> tuple[Step, npt.NDArray[np.intp]]:
    """Play one card at every table; return the step, and the seat that played at each table."""
    seats = np.array([state.to_act for state in states])
    rows, which, cards = features_of([GAME.view_of(state, state.to_act) for state in states])
    scores = network.scores(rows)
    best = _last_of_each(np.lexsort((scores, which)), which)
    drawn = _last_of_each(np.lexsort((rng.random(len(which)), which)), which)
    chosen = np.where(rng.random(len(states)) < curiosity, drawn, best)
    for state, card in zip(states, cards[chosen].tolist(), strict=True):
        state.apply(card)
    return Step(rows[chosen], scores[best], chosen == best), seats


def _last_of_each(order: npt.NDArray[np.intp], which: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the last row of each view, in an order that is sorted by view."""
    ends = np.flatnonzero(np.diff(which[order]))
    last: npt.NDArray[np.intp] = order[np.append(ends, len(order) - 1)]
    return last


def _gather(steps: list[Step], place: npt.NDArray[np.intp]) -> Step:
    tables = np.arange(len(place))
    rows, best, is_best = (np.stack(each)[place, tables] for each in zip(*steps, strict=True))
    return Step(rows, best, is_best)


def _leads(states: list[MeowState]) -> Floats:
    """Return how many points each seat has more than the others on average, at each table."""
    scores = np.array(
        [[points(won, state.parameters) for won in state.won] for state in states],
        dtype=np.float32,
    )
    seats = scores.shape[1]
    total = scores.sum(axis=1, keepdims=True)
    leads: Floats = scores - (total - scores) / (seats - 1)
    return leads
