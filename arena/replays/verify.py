"""Verify a record: everything in it must follow from its seed and decisions by the rules.

No bot is run. The match is dealt from the seed and its decisions are replayed, and the record is
compared with what the rules say. Names, thinking times and the cause of a fault cannot be verified;
a stand-in's decisions show that its seat had a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from arena.errors import ArenaError, IllegalAction
from arena.games.outcome import Outcome
from arena.games.randomness import derive
from arena.games.registry import game_named
from arena.records import (
    NOTES_CHARACTERS,
    Decision,
    How,
    Record,
    SeatEnding,
    parameters_of,
    places_after_faults,
    replay_record,
    start_record,
)
from arena.text import plain, quantity
from arena.wire.envelope import NOTE_CHARACTERS
from arena.wire.envelope import commitment as commitment_to

MAX_COMPLAINTS = 100
"""Checking stops after this many."""
_MAX_LISTED = 8
"""Maximum number of legal actions that a complaint lists."""
_MAX_LENGTH = 300
"""Maximum length of a complaint; only a malicious record needs more."""


def verify(record: Record, *, commitment: bytes | None = None) -> list[str]:
    """Return a sentence for each thing that contradicts the rules; none if the record is true.

    `commitment` is the one that the bots received before the match, if the caller has kept it. It
    is not part of a record, since it follows from seed and salt. Nothing after an illegal action is
    checked.
    """
    complaints = []
    if commitment is not None and commitment != (made := commitment_to(record.seed, record.salt)):
        complaints.append(
            f"the deal: its seed gives the commitment {made.hex()}, not {commitment.hex()}"
        )
    if not _is_flawless(record):
        complaints += islice(_Check(record).complaints(), MAX_COMPLAINTS)
    return [_shorten(complaint) for complaint in complaints]


def _is_flawless(record: Record) -> bool:
    """Return whether there is nothing to complain about, in a record without faults.

    This takes a third of the time of a full check, which also finds out what is wrong.
    """
    if record.faults or record.breaks or record.outputs or record.notes:
        return False
    chosen, forced = How.CHOSEN, How.FORCED
    try:
        state = start_record(record, recording=False)
        apply, only_action = state.apply, state.only_action
        for seat, action, how, time_us in record.decisions:
            if seat != state.to_act:
                return False
            if how is chosen:
                if time_us < 0 or only_action() is not None:
                    return False
            elif how is not forced or time_us or only_action() is None:
                return False
            apply(action)
    except ArenaError:
        return False
    if not state.is_over or state.outcome() != record.outcome:
        return False
    return record.places == places_after_faults(record.outcome, _sides_of(record), frozenset())


def _sides_of(record: Record) -> tuple[int, ...]:
    parameters = parameters_of(record.game_id, record.parameters)
    return game_named(record.game_id).sides(len(record.entrants), parameters)


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_LENGTH else f"{text[:_MAX_LENGTH]}..."


class _Check:
    """The verification of one record."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._stand_ins: dict[int, Random] = {}
        """The random generator of each stand-in by seat, in order of appearance."""
        self._faulted = [fault.seat for fault in record.faults]

    def complaints(self) -> Iterator[str]:
        """Yield what is wrong, in the order of the match."""
        moves = replay_record(self._record)
        try:
            _, state = next(moves)
        except ArenaError as error:
            yield f"the deal: {error}"
            return
        for number, decision in enumerate(self._record.decisions):
            prefix = f"decision {number}: "
            if state.is_over:
                extra = quantity(len(self._record.decisions) - number, "more decision")
                yield f"{prefix}the match is over, but the record has {extra}"
                break
            for complaint in self._check_decision(decision, state):
                yield prefix + complaint
            try:
                next(moves)
            except IllegalAction as error:
                yield prefix + self._describe_illegal(decision, state, error)
                return
        yield from self._check_faults()
        yield from self._check_outputs()
        yield from self._check_notes()
        if not state.is_over:
            count = quantity(len(self._record.decisions), "decision")
            yield f"the record ends after {count}, but seat {state.to_act} is to act"
            return
        yield from self._check_result(state.outcome())

    def _check_decision(self, decision: Decision, state: Any) -> Iterator[str]:
        """Check a decision against the state it was made in."""
        seat, action, how, time_us = decision
        if seat != state.to_act:
            yield f"seat {seat} plays {self._text(action)}, but it is seat {state.to_act}'s turn"
            seat = state.to_act
        if time_us < 0 or (time_us and how is not How.CHOSEN):
            yield f"a {how.value} action has a thinking time of {time_us} µs, not 0"
        only = state.only_action()
        if how is How.STAND_IN:
            yield from self._check_stand_in(decision, state, only)
            return
        if seat in self._stand_ins:
            yield f"{self._text(action)} is {how.value}, but seat {seat} already has a stand-in"
        if how is How.FORCED and only is None:
            yield f"{self._text(action)} is forced, but the legal actions are {self._legal(state)}"
        if how is How.CHOSEN and only is not None:
            yield f"{self._text(action)} is chosen, but only {self._text(only)} is legal"

    def _check_stand_in(self, decision: Decision, state: Any, only: int | None) -> Iterator[str]:
        seat = state.to_act
        if seat not in self._faulted:
            yield f"a stand-in plays for seat {seat}, which has no fault"
        if seat not in self._stand_ins:
            self._stand_ins[seat] = Random(derive(self._record.seed, f"stand-in {seat}"))
            if only is not None:
                yield (
                    f"a stand-in takes over seat {seat}, but only {self._text(only)} is legal, "
                    "so the bot was not asked"
                )
        drawn = state.random_action(self._stand_ins[seat])
        if drawn != decision.action:
            yield (
                f"the stand-in of seat {seat} plays {self._text(decision.action)}, "
                f"but it drew {self._text(drawn)}"
            )

    def _check_faults(self) -> Iterator[str]:
        seats = len(self._record.entrants)
        for at, fault in enumerate(self._record.faults):
            prefix = f"fault {at}: "
            if fault.seat >= seats or fault.seat < 0:
                yield f"{prefix}there is no seat {fault.seat}, only {seats} seats"
            elif fault.seat in self._faulted[:at]:
                first = self._faulted.index(fault.seat)
                yield f"{prefix}seat {fault.seat} already has fault {first}"
            elif fault.seat not in self._stand_ins:
                yield f"{prefix}seat {fault.seat} plays to the end without a stand-in"
            if fault.ending is SeatEnding.PLAYED:
                yield f"{prefix}seat {fault.seat} has a fault, but its ending is 'played'"
        order = [seat for seat in self._stand_ins if seat in self._faulted]
        listed = [seat for seat in dict.fromkeys(self._faulted) if seat in self._stand_ins]
        if order != listed:
            yield f"the faults are listed by seat as {_join(listed)}, but came as {_join(order)}"
        for at, (seat, ending, _) in enumerate(self._record.breaks):
            if not 0 <= seat < seats:
                yield f"break {at}: there is no seat {seat}, only {seats} seats"
            elif seat in self._faulted:
                yield f"break {at}: seat {seat} has a fault, which explains it"
            if ending is SeatEnding.PLAYED:
                yield f"break {at}: its ending is 'played'"

    def _check_outputs(self) -> Iterator[str]:
        decisions = self._record.decisions
        for number, _ in self._record.outputs:
            if not 0 <= number < len(decisions) or decisions[number].how is not How.CHOSEN:
                yield f"decision {number}: it has the output of a bot that did not decide"

    def _check_notes(self) -> Iterator[str]:
        decisions = self._record.decisions
        left = [NOTES_CHARACTERS] * len(self._record.entrants)
        for number, text in self._record.notes:
            if not 0 <= number < len(decisions) or decisions[number].how is not How.CHOSEN:
                yield f"decision {number}: it has the note of a bot that did not decide"
                continue
            if not text or len(text) > NOTE_CHARACTERS or text != plain(text):
                yield f"decision {number}: its note is not one that a referee keeps"
            seat = decisions[number].seat
            left[seat] -= len(text)
            if left[seat] < 0:
                yield f"decision {number}: the notes of seat {seat} are longer than a referee keeps"

    def _check_result(self, outcome: Outcome) -> Iterator[str]:
        record = self._record
        said = record.outcome
        if said.places != outcome.places:
            yield f"outcome: places {_join(said.places)}, but the rules say {_join(outcome.places)}"
        if said.scores != outcome.scores:
            yield f"outcome: scores {_join(said.scores)}, but the rules say {_join(outcome.scores)}"
        if said.ending is not outcome.ending:
            endings = f"{said.ending.value!r}, but the rules say {outcome.ending.value!r}"
            yield f"outcome: ending {endings}"
        sides = _sides_of(record)
        faulted = {seat for seat in self._faulted if 0 <= seat < len(sides)}
        places = places_after_faults(outcome, sides, faulted)
        if record.places != places:
            yield f"result: places {_join(record.places)}, but the rules say {_join(places)}"

    def _describe_illegal(self, decision: Decision, state: Any, error: IllegalAction) -> str:
        # Only the first line: the position that follows adds nothing to the list of legal actions.
        why = str(error).partition("\n")[0]
        return f"{self._text(decision.action)} is illegal (legal: {self._legal(state)}): {why}"

    def _legal(self, state: Any) -> str:
        actions = state.legal_actions()
        named = ", ".join(map(self._text, actions[:_MAX_LISTED]))
        more = len(actions) - _MAX_LISTED
        return f"{named} and {more} more" if more > 0 else named

    def _text(self, action: int) -> str:
        game = game_named(self._record.game_id)
        known = 0 <= action < game.action_count
        return repr(game.action_text(action)) if known else f"action {action}"


def _join(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "(none)"
