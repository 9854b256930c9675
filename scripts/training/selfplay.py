"""Matches of MEOW of a network against itself, many at once, and what they teach.

All tables decide in step: one pass through the network serves all of them. What counts is the share
of the opponents that a seat ends ahead of. What is learned from a decision is a mixture of what
happened afterwards and of what the network expected at the next decision of the seat (a lambda
return).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from features import features_of
from lookahead import last_of_each
from network import UNITS, Network
from tables import Floats, Ints, Tables
from worth import shares

from arena.games.meow.parameters import Parameters

LAMBDA = 0.8
"""Share of what happened in a target; the rest is what the network expected."""


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
    position = Tables.empty(parameters, seats, tables)
    steps: list[list[Step]] = [[] for _ in range(seats)]
    gains: list[Floats] = []
    before = shares(position)
    while not position.is_over:
        if not position.row.shape[1]:
            position.deal(rng)
        # The seat to act differs from table to table: steps are kept by place in the trick.
        chosen = [_decide(network, position, rng, curiosity) for _ in range(seats)]
        seat_order = np.array([order for _, order in chosen])
        after = shares(position)
        gains.append((after - before) * UNITS)
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
    network: Network, position: Tables, rng: np.random.Generator, curiosity: float
) -> tuple[Step, Ints]:
    """Play one card at every table; return the step, and the seat that played at each table."""
    seats = position.to_act
    rows, which, cards = features_of(position)
    scores = network.layers(rows)[2]
    best = last_of_each(np.lexsort((scores, which)), which)
    drawn = last_of_each(np.lexsort((rng.random(len(which)), which)), which)
    chosen = np.where(rng.random(len(position)) < curiosity, drawn, best)
    position.play(cards[chosen])
    return Step(rows[chosen], scores[best], chosen == best), seats


def _gather(steps: list[Step], place: Ints) -> Step:
    tables = np.arange(len(place))
    rows, best, is_best = (np.stack(each)[place, tables] for each in zip(*steps, strict=True))
    return Step(rows, best, is_best)
