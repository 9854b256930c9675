"""The table: one match, from its deal to its record.

A table is a plain generator without input or output: it yields requests for decisions and receives
answers. The caller (a terminal, a process behind a socket, a test) needs no rules, and the table
needs no clock. It yields views only; the state stays inside.

A seat that faults has lost the match, but the game continues: a stand-in plays random legal actions
for it, drawn from the seed of the match, so that the others finish a real game.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from arena.errors import IllegalAction
from arena.games.randomness import Seed, derive
from arena.games.registry import AnyGame
from arena.indices import Seat
from arena.records import (
    NOTES_CHARACTERS,
    OUTPUT_BYTES,
    Decision,
    Entrant,
    Fault,
    How,
    Note,
    Output,
    Record,
    SeatEnding,
    places_after_faults,
)
from arena.referee.observing import Observer, Observers
from arena.text import plain
from arena.wire.envelope import NOTE_CHARACTERS


class DecisionRequest(NamedTuple):
    """A decision that one seat has to make."""

    seat: Seat
    number: int
    """Number of earlier requests to this seat in this match."""
    view: Any
    """The seat's view; its type is the game's own, hence Any."""
    events: Sequence[Any]
    """The public events since the last request to this seat."""
    first_event: int
    """Number of events before those."""


class Answer(NamedTuple):
    """The decision of a seat."""

    action: int
    time_us: int = 0
    request: bytes = b""
    """The request and the reply in wire format: the evidence if the action is illegal."""
    reply: bytes = b""
    time_left_s: float | None = None
    printed: Callable[[], bytes] = bytes
    """Returns the last output of the bot."""
    output: bytes = b""
    """What the bot printed since its last answer; empty unless it is to be kept."""
    note: str = ""
    """What the bot says about the decision, of any length and with any characters."""


class Finished(NamedTuple):
    """A finished match."""

    record: Record
    events: Sequence[Any]
    """All public events."""


Table = Generator[DecisionRequest | Fault, Answer | Fault | None, Finished]
"""Yields a `DecisionRequest` and expects an `Answer`, or a `Fault` of that seat. Yields a `Fault`
after an illegal answer and expects None."""


def table(
    game: AnyGame,
    seed: Seed,
    parameters: Any,
    entrants: Sequence[Entrant],
    *,
    clock: str = "",
    cage: str = "",
    salt: bytes = b"",
    observers: Mapping[Seat, Observer] | None = None,
) -> Table:
    """Play one match. If a seat has a single legal action, play it without a request.

    The observers follow the match, each with the eyes of its seat.
    """
    seats = len(entrants)
    state = game.start(seats, seed, parameters, recording=True)
    decisions: list[Decision] = []
    outputs: list[Output] = []
    output_left = [OUTPUT_BYTES] * seats
    notes: list[Note] = []
    notes_left = [NOTES_CHARACTERS] * seats
    events_seen = [0] * seats
    asked = [0] * seats
    faults: dict[Seat, Fault] = {}
    stand_ins: dict[Seat, Random] = {}
    watching = Observers(game, state, observers) if observers else None
    while not state.is_over:
        if watching:
            watching.update(decisions)
        seat: Seat = state.to_act
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
        first = events_seen[seat]
        events_seen[seat] = len(state.events)
        view = game.view_of(state, seat)
        answer = yield DecisionRequest(seat, asked[seat], view, state.events[first:], first)
        asked[seat] += 1
        assert answer is not None, "a request was not answered"
        if isinstance(answer, Answer):
            try:
                state.apply(answer.action)
            except IllegalAction as error:
                faults[seat] = _illegal(seat, answer, error)
                yield faults[seat]
            else:
                kept = answer.output[: output_left[seat]]
                if kept:
                    output_left[seat] -= len(kept)
                    outputs.append(Output(len(decisions), kept))
                note = tidy_note(answer.note) if answer.note else ""
                if note and len(note) <= notes_left[seat]:
                    notes_left[seat] -= len(note)
                    notes.append(Note(len(decisions), note))
                decisions.append(Decision(seat, answer.action, How.CHOSEN, answer.time_us))
        else:
            faults[seat] = answer
    if watching:
        watching.update(decisions)
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
        outputs=tuple(outputs),
        notes=tuple(notes),
    )
    return Finished(record, state.events)


def tidy_note(note: str) -> str:
    """Return a note as it is kept: one line, cut, without characters that control a terminal."""
    # Cut first: a note may be as long as a message.
    return plain(" ".join(note[:NOTE_CHARACTERS].split()))


def _illegal(seat: Seat, answer: Answer, error: IllegalAction) -> Fault:
    # The error also describes the position, which is already in the request.
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
