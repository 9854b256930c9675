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

    The observers follow the match, each as its seat sees it.
    """
    match = _Match(game, seed, parameters, entrants, observers)
    state = match.state
    while not state.is_over:
        match.tell_observers()
        seat: Seat = state.to_act
        if match.decides_alone(seat):
            continue
        answer = yield match.request(seat)
        assert answer is not None, "a request was not answered"
        if isinstance(answer, Fault):
            match.faults[seat] = answer
            continue
        try:
            match.play(seat, answer.action, How.CHOSEN, answer.time_us)
        except IllegalAction as error:
            match.faults[seat] = fault = _illegal(seat, answer, error)
            yield fault
        else:
            match.kept.add(seat, len(match.decisions) - 1, answer)
    match.tell_observers()
    outcome, kept = state.outcome(), match.kept
    sides = game.sides(len(entrants), parameters)
    record = Record(
        game_id=game.id,
        parameters=game.parameters_form.show(parameters),
        seed=seed,
        entrants=tuple(entrants),
        clock=clock,
        decisions=tuple(match.decisions),
        faults=tuple(match.faults.values()),
        outcome=outcome,
        places=places_after_faults(outcome, sides, set(match.faults)),
        cage=cage,
        salt=salt,
        outputs=tuple(kept.outputs),
        notes=tuple(kept.notes),
    )
    return Finished(record, state.events)


class _Match:
    """A match up to now."""

    def __init__(
        self,
        game: AnyGame,
        seed: Seed,
        parameters: Any,
        entrants: Sequence[Entrant],
        observers: Mapping[Seat, Observer] | None,
    ) -> None:
        seats = len(entrants)
        self.state = game.start(seats, seed, parameters, recording=True)
        self.decisions: list[Decision] = []
        self.faults: dict[Seat, Fault] = {}
        self.kept = _Kept(seats)
        self._game, self._seed = game, seed
        self._events_seen = [0] * seats
        self._asked = [0] * seats
        self._stand_ins: dict[Seat, Random] = {}
        self._observers = Observers(game, self.state, observers) if observers else None

    def tell_observers(self) -> None:
        if self._observers:
            self._observers.update(self.decisions)

    def play(self, seat: Seat, action: int, how: How, time_us: int = 0) -> None:
        self.state.apply(action)
        self.decisions.append(Decision(seat, action, how, time_us))

    def decides_alone(self, seat: Seat) -> bool:
        """Decide for a seat that is not asked; return False for one that is."""
        if seat in self.faults:
            if seat not in self._stand_ins:
                self._stand_ins[seat] = Random(derive(self._seed, f"stand-in {seat}"))
            self.play(seat, self.state.random_action(self._stand_ins[seat]), How.STAND_IN)
            return True
        only = self.state.only_action()
        if only is None:
            return False
        self.play(seat, only, How.FORCED)
        return True

    def request(self, seat: Seat) -> DecisionRequest:
        """Return the request for a seat's decision, with the events since its last one."""
        events, number = self.state.events, self._asked[seat]
        first, self._events_seen[seat] = self._events_seen[seat], len(events)
        self._asked[seat] += 1
        view = self._game.view_of(self.state, seat)
        return DecisionRequest(seat, number, view, events[first:], first)


class _Kept:
    """What bots print and note, as much of it as a record keeps."""

    def __init__(self, seats: int) -> None:
        self.outputs: list[Output] = []
        self.notes: list[Note] = []
        self._output_left = [OUTPUT_BYTES] * seats
        self._notes_left = [NOTES_CHARACTERS] * seats

    def add(self, seat: Seat, decision: int, answer: Answer) -> None:
        """Keep what came with the answer that made a decision."""
        output = answer.output[: self._output_left[seat]]
        if output:
            self._output_left[seat] -= len(output)
            self.outputs.append(Output(decision, output))
        note = tidy_note(answer.note) if answer.note else ""
        if note and len(note) <= self._notes_left[seat]:
            self._notes_left[seat] -= len(note)
            self.notes.append(Note(decision, note))


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
