"""Matches of MEOW of a network against itself, many at once, and what they teach.

All tables have the same number of seats, so that they decide in step: one pass through the network
serves all of them. What is learned from a decision is a mixture of what happened afterwards and of
what the network expected at the next decision of the seat (a lambda return).

At some decisions, all playable cards are tried: the round is played on once for each of them, with
the same hands. That says little about how good the position is, but much about which card is best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from features import Floats, features_of
from network import Network

from arena.games.meow import GAME
from arena.games.meow.cards import FISH
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


FISH_SHARE = 0.4
"""Share of the worst bones to come that a fish without a bone is worth at the end of a round."""


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
    trials: float = 0.0,
) -> Lessons:
    """Play matches in which a share of all cards, the `curiosity`, is drawn at random.

    At a share of all decisions, `trials`, all playable cards are tried.
    """
    secret = seed_from(int(rng.integers(1 << 62)))
    states = [
        GAME.start(seats, derive(secret, str(number)), parameters) for number in range(tables)
    ]
    steps: list[list[Step]] = [[] for _ in range(seats)]
    gains: list[Floats] = []
    rows, targets = [], []
    before = _leads(states)
    while not states[0].is_over:
        # The seat to act differs from table to table: steps are kept by place in the trick.
        chosen = []
        for _ in range(seats):
            tried = [state for state in states if rng.random() < trials]
            if tried:
                for lesson in _try_all(network, tried):
                    rows.append(lesson[0])
                    targets.append(lesson[1])
            chosen.append(_decide(network, states, rng, curiosity))
        seat_order = np.array([order for _, order in chosen])
        after = _leads(states)
        gains.append(((after - before) / POINTS).astype(np.float32))
        before = after
        for seat in range(seats):
            # For each table, the step of the place in which this seat played.
            place = np.argmax(seat_order == seat, axis=0)
            steps[seat].append(_gather([step for step, _ in chosen], place))
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


def _try_all(network: Network, states: list[MeowState]) -> list[tuple[Floats, Floats]]:
    """Play every card of every state, and each round to its end; return rows and targets.

    The targets of one state have the mean that the network expects, and differ by what happened.
    """
    rows, which, cards = features_of([GAME.view_of(state, state.to_act) for state in states])
    branches = [states[at].copy() for at in which]
    for branch, card in zip(branches, cards.tolist(), strict=True):
        branch.apply(card)
    _finish_rounds(network, branches, [states[at].round for at in which])
    seat = np.array([states[at].to_act for at in which])
    values = _leads(branches, with_fish=True)[np.arange(len(branches)), seat] / POINTS
    count = np.bincount(which)
    excess = values - (np.bincount(which, values) / count)[which]
    expected = (np.bincount(which, network.scores(rows)) / count)[which]
    # A seat with one card learns nothing from trying it.
    is_choice = (count > 1)[which]
    return [(rows[is_choice], (expected + excess)[is_choice].astype(np.float32))]


def _finish_rounds(network: Network, branches: list[MeowState], rounds: list[int]) -> None:
    """Play the best card at each table until its round is over."""
    open_ones = list(zip(branches, rounds, strict=True))
    while True:
        open_ones = [(state, of) for state, of in open_ones if state.round == of and state.row]
        if not open_ones:
            return
        rows, which, cards = features_of(
            [GAME.view_of(state, state.to_act) for state, _ in open_ones]
        )
        best = _last_of_each(np.lexsort((network.scores(rows), which)), which)
        for (state, _), card in zip(open_ones, cards[best].tolist(), strict=True):
            state.apply(card)


def _last_of_each(order: npt.NDArray[np.intp], which: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """Return the last row of each view, in an order that is sorted by view."""
    ends = np.flatnonzero(np.diff(which[order]))
    last: npt.NDArray[np.intp] = order[np.append(ends, len(order) - 1)]
    return last


def _gather(steps: list[Step], place: npt.NDArray[np.intp]) -> Step:
    tables = np.arange(len(place))
    rows, best, is_best = (np.stack(each)[place, tables] for each in zip(*steps, strict=True))
    return Step(rows, best, is_best)


def _leads(states: list[MeowState], *, with_fish: bool = False) -> Floats:
    """Return how many points each seat has more than the others on average, at each table.

    With `with_fish`, a fish without a bone counts a part of the bones that it may remove later.
    """
    scores = np.array(
        [
            [
                points(won, state.parameters)
                + (FISH_SHARE * _promise(won, state.row + state.later) if with_fish else 0)
                for won in state.won
            ]
            for state in states
        ],
        dtype=np.float32,
    )
    seats = scores.shape[1]
    total = scores.sum(axis=1, keepdims=True)
    leads: Floats = scores - (total - scores) / (seats - 1)
    return leads


def _promise(won: tuple[int, ...], coming: tuple[int, ...]) -> int:
    """Return the worth of the bones that the spare fish of a seat could remove."""
    spare = won.count(FISH) - sum(-FISH < token < 0 for token in won)
    bones = sorted(token for token in coming if -FISH < token < 0)
    return -sum(bones[: max(spare, 0)])
