"""How does one match go from its deal to its record?

A table is a plain generator without input or output: it yields requests for decisions and is sent
answers. Whoever drives it (a person's terminal, a process behind a socket, a test) needs no rules,
and the table needs no clock. It hands out views only; the truth stays inside.

A seat that faults is out of the match but not of the game: a stand-in plays random legal actions
for it, drawn from the match's own seed, so that the others finish a real game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from random import Random
from typing import Any, NamedTuple

from arena.errors import IllegalAction
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame
from arena.records import (
    Decision,
    Entrant,
    Fault,
    How,
    Record,
    SeatEnding,
    places_after_faults,
)


class Request(NamedTuple):
    """A decision that one seat has to make."""

    seat: int
    number: int
    """How many requests this seat has had before in this match."""
    view: Any
    """The seat's view; its type is the game's own, hence Any."""
    events: Sequence[Any]
    """What happened in the open since this seat was last asked."""
    first_event: int
    """How many events the match had before those."""


class Answer(NamedTuple):
    """What a seat decided."""

    action: int
    time_us: int = 0
    request: bytes = b""
    """The request and the reply as they were on the wire: the evidence if it is illegal."""
    reply: bytes = b""
    time_left_s: float | None = None
    printed: Callable[[], bytes] = bytes
    """Gives the last that the bot printed."""


class Finished(NamedTuple):
    """A match that is over."""

    record: Record
    events: Sequence[Any]
    """Everything that happened in the open."""


Table = Generator[Request | Fault, Answer | Fault | None, Finished]
"""Yields a `Request` and wants an `Answer`, or a `Fault` of that seat; yields a `Fault` when it
finds an answer illegal, and wants None."""


def table(
    game: AnyGame,
    seed: Seed,
    parameters: Any,
    entrants: Sequence[Entrant],
    *,
    clock: str = "",
    cage: str = "",
    salt: bytes = b"",
) -> Table:
    """Play one match. A seat with a single legal action is not asked: the table plays it."""
    seats = len(entrants)
    state = game.start(seats, seed, parameters, recording=True)
    decisions: list[Decision] = []
    told = [0] * seats
    asked = [0] * seats
    faults: dict[int, Fault] = {}
    stand_ins: dict[int, Random] = {}
    while not state.is_over:
        seat = state.to_act
        if seat in faults:
            if seat not in stand_ins:
                stand_ins[seat] = Random(derive(seed, f"stand-in {seat}"))
            action = state.random_action(stand_ins[seat])
            decisions.append(Decision(seat, action, How.STAND_IN, 0))
            state.apply(action)
            continue
        only = state.only_action()
        if only is not None:
            decisions.append(Decision(seat, only, How.FORCED, 0))
            state.apply(only)
            continue
        first = told[seat]
        told[seat] = len(state.events)
        view = game.view_of(state, seat)
        answer = yield Request(seat, asked[seat], view, state.events[first:], first)
        asked[seat] += 1
        assert answer is not None, "a request was not answered"
        if isinstance(answer, Answer):
            try:
                state.apply(answer.action)
            except IllegalAction as error:
                faults[seat] = _illegal(seat, answer, error)
                yield faults[seat]
            else:
                decisions.append(Decision(seat, answer.action, How.CHOSEN, answer.time_us))
        else:
            faults[seat] = answer
    outcome = state.outcome()
    sides = game.sides(seats, parameters)
    record = Record(
        game_id=game.id,
        parameters=game.parameters_form.show(parameters),
        seed=seed,
        entrants=tuple(entrants),
        clock=clock,
        decisions=tuple(decisions),
        faults=tuple(faults.values()),
        outcome=outcome,
        places=places_after_faults(outcome, sides, set(faults)),
        cage=cage,
        salt=salt,
    )
    return Finished(record, state.events)


def _illegal(seat: int, answer: Answer, error: IllegalAction) -> Fault:
    # The position follows the sentence in the error; the request shows it already.
    sentence = str(error).partition("\n")[0]
    return Fault(
        seat,
        SeatEnding.ILLEGAL_ACTION,
        sentence,
        answer.request,
        answer.reply,
        answer.time_left_s,
        answer.printed(),
    )
