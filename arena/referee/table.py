"""How does one match go from its deal to its outcome?

A table is a plain generator without input or output: it yields requests for decisions and is sent
actions. Whoever drives it (a person's terminal, a process far away, a test) needs no rules, and
the table needs no clock. It hands out views only; the truth stays inside.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from arena.games.core import Outcome
from arena.games.randomness import Seed
from arena.games.registry import AnyGame


class Request(NamedTuple):
    """A decision that one seat has to make."""

    seat: int
    view: Any
    """The seat's view; its type is the game's own, hence Any."""
    events: tuple[Any, ...]
    """What happened in the open since this seat was last asked."""


class Decision(NamedTuple):
    """An action that was played."""

    seat: int
    action: int
    forced: bool
    """Whether it was the only legal one, and nobody was asked."""


@dataclass(frozen=True, slots=True)
class Record:
    """The facts of a finished match: enough to play it again."""

    game: AnyGame
    parameters: Any
    seed: Seed
    decisions: tuple[Decision, ...]
    events: tuple[Any, ...]
    outcome: Outcome


def table(
    game: AnyGame, seats: int, seed: Seed, parameters: Any
) -> Generator[Request, int, Record]:
    """Play one match; an illegal action that is sent raises `IllegalAction` out of it.

    A seat with a single legal action is not asked: the table plays it.
    """
    state = game.start(seats, seed, parameters, recording=True)
    decisions: list[Decision] = []
    told = [0] * seats
    while not state.is_over:
        seat = state.to_act
        view = game.view_of(state, seat)
        actions = game.legal_actions(view)
        forced = len(actions) == 1
        if forced:
            action = actions[0]
        else:
            news = tuple(state.events[told[seat] :])
            told[seat] = len(state.events)
            action = yield Request(seat, view, news)
        state.apply(action)
        decisions.append(Decision(seat, action, forced))
    return Record(
        game, state.parameters, seed, tuple(decisions), tuple(state.events), state.outcome()
    )
