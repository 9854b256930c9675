"""Is a record true: does all that it claims follow from its seed and its decisions by the rules?

No bot is asked. The deal is dealt again from the seed, every decision is played again, and what
the rules say is held against what the record says. Nothing can be said about names, thinking
times, and what a bot did to be out of the match; that it was out shows in who played for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from arena.errors import ArenaError, IllegalAction
from arena.games.core import Outcome
from arena.games.randomness import derive
from arena.games.registry import game_named
from arena.records import Decision, How, Record, SeatEnding, places_after_faults, replayed
from arena.wire.messages import commitment as commitment_to

MOST_COMPLAINTS = 100
"""A record that gives reason for more is not looked at further."""
_SHOWN = 8
"""How many legal actions a complaint lists, at most."""
_LONGEST = 300
"""More characters than any complaint needs, unless a record was made to annoy."""


def verify(record: Record, *, commitment: bytes | None = None) -> list[str]:
    """Return a sentence for everything that is not as the rules have it; none if all is true.

    `commitment` is what the bots were told before the match, for those who have kept it; a record
    does not hold it, since it follows from seed and salt. After an illegal action nothing more can
    be checked.
    """
    complaints = []
    committed_to = commitment_to(record.seed, record.salt)
    if commitment is not None and commitment != committed_to:
        complaints.append(
            f"the deal: its seed gives the commitment {committed_to.hex()}, not {commitment.hex()}"
        )
    complaints += islice(_Check(record).complaints(), MOST_COMPLAINTS)
    return [_cut(complaint) for complaint in complaints]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


class _Check:
    """One record under examination."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._stand_ins: dict[int, Random] = {}
        """For each seat that is out the randomness of its stand-in, in the order they came."""
        self._faulted = [fault.seat for fault in record.faults]

    def complaints(self) -> Iterator[str]:
        """Yield whatever is wrong, in the order of the match."""
        moves = replayed(self._record)
        try:
            _, state = next(moves)
        except ArenaError as error:
            yield f"the deal: {error}"
            return
        for number, decision in enumerate(self._record.decisions):
            before = f"decision {number}: "
            if state.is_over:
                extra = len(self._record.decisions) - number
                yield f"{before}the match is over, but the record has {extra} more decisions"
                break
            for complaint in self._about(decision, state):
                yield before + complaint
            try:
                next(moves)
            except IllegalAction as error:
                yield before + self._illegal(decision, state, error)
                return
        yield from self._about_faults()
        if not state.is_over:
            count = len(self._record.decisions)
            yield f"the record ends after {count} decisions, but seat {state.to_act} is to act"
            return
        yield from self._about_result(state.outcome())

    def _about(self, decision: Decision, state: Any) -> Iterator[str]:
        """Complain about a decision, given the state it was made in."""
        seat, action, how, time_us = decision
        if seat != state.to_act:
            yield f"seat {seat} plays {self._named(action)}, but it is seat {state.to_act}'s turn"
            seat = state.to_act
        if time_us < 0 or (time_us and how is not How.CHOSEN):
            yield f"a {how.value} action has a thinking time of {time_us} µs, not 0"
        only = state.only_action()
        if how is How.STAND_IN:
            yield from self._about_stand_in(decision, state, only)
            return
        if seat in self._stand_ins:
            yield f"seat {seat}: {self._named(action)} is {how.value}, but it was out before"
        if how is How.FORCED and only is None:
            yield f"{self._named(action)} is forced, but legal are {self._legal(state)}"
        if how is How.CHOSEN and only is not None:
            yield f"{self._named(action)} is chosen, but only {self._named(only)} is legal"

    def _about_stand_in(self, decision: Decision, state: Any, only: int | None) -> Iterator[str]:
        seat = state.to_act
        if seat not in self._faulted:
            yield f"a stand-in plays for seat {seat}, which has no fault"
        if seat not in self._stand_ins:
            self._stand_ins[seat] = Random(derive(self._record.seed, f"stand-in {seat}"))
            if only is not None:
                yield (
                    f"seat {seat} is out from here on, but only {self._named(only)} is legal, "
                    "so nobody asked it"
                )
        drawn = state.random_action(self._stand_ins[seat])
        if drawn != decision.action:
            yield (
                f"the stand-in of seat {seat} plays {self._named(decision.action)}, "
                f"but it drew {self._named(drawn)}"
            )

    def _about_faults(self) -> Iterator[str]:
        seats = len(self._record.entrants)
        for at, fault in enumerate(self._record.faults):
            before = f"fault {at}: "
            if fault.seat >= seats or fault.seat < 0:
                yield f"{before}there is no seat {fault.seat} among {seats}"
            elif fault.seat in self._faulted[:at]:
                first = self._faulted.index(fault.seat)
                yield f"{before}seat {fault.seat} was out already by fault {first}"
            elif fault.seat not in self._stand_ins:
                yield f"{before}seat {fault.seat} is out, but plays to the end without a stand-in"
            if fault.ending is SeatEnding.PLAYED:
                yield f"{before}seat {fault.seat} has a fault, but its ending is 'played'"
        order = [seat for seat in self._stand_ins if seat in self._faulted]
        listed = [seat for seat in dict.fromkeys(self._faulted) if seat in self._stand_ins]
        if order != listed:
            yield f"the faults are those of seats {_row(listed)}, but they came as {_row(order)}"
        for at, (seat, ending, _) in enumerate(self._record.breaks):
            if not 0 <= seat < seats:
                yield f"break {at}: there is no seat {seat} among {seats}"
            elif seat in self._faulted:
                yield f"break {at}: seat {seat} has a fault, which explains it"
            if ending is SeatEnding.PLAYED:
                yield f"break {at}: its ending is 'played'"

    def _about_result(self, outcome: Outcome) -> Iterator[str]:
        record = self._record
        said = record.outcome
        if said.places != outcome.places:
            yield f"outcome: places {_row(said.places)}, by the rules {_row(outcome.places)}"
        if said.scores != outcome.scores:
            yield f"outcome: scores {_row(said.scores)}, by the rules {_row(outcome.scores)}"
        if said.ending is not outcome.ending:
            yield f"outcome: ending {said.ending.value!r}, by the rules {outcome.ending.value!r}"
        game = game_named(record.game_id)
        sides = game.sides(len(record.entrants), game.parameters_form.read(record.parameters))
        faulted = {seat for seat in self._faulted if 0 <= seat < len(sides)}
        places = places_after_faults(outcome, sides, faulted)
        if record.places != places:
            yield f"result: places {_row(record.places)}, by the rules {_row(places)}"

    def _illegal(self, decision: Decision, state: Any, error: IllegalAction) -> str:
        # The position follows the sentence in the error; the list of what is legal says enough.
        why = str(error).partition("\n")[0]
        return f"{self._named(decision.action)} is illegal, {self._legal(state)} are legal: {why}"

    def _legal(self, state: Any) -> str:
        actions = state.legal_actions()
        named = ", ".join(map(self._named, actions[:_SHOWN]))
        more = len(actions) - _SHOWN
        return f"{named} and {more} more" if more > 0 else named

    def _named(self, action: int) -> str:
        game = game_named(self._record.game_id)
        known = 0 <= action < game.action_count
        return repr(game.action_text(action)) if known else f"action {action}"


def _row(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers)) or "(none)"
