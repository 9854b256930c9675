"""Repeat the requests of a stored match and compare a bot's answers.

The match follows its record, whatever the bot answers now: answers are compared, not played. So the
bot receives the recorded requests, in a session like any other, up to the one at which it faulted
or to the end. Its clock is reconstructed to the microsecond, and is exact if the record contains
the request itself.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, replace
from typing import NamedTuple

from arena.errors import ArenaError, PlatformError
from arena.games.registry import game_named
from arena.indices import PlayerIndex, Seat
from arena.records import Decision, Fault, How, Note, Output, Record, SeatEnding
from arena.referee.clock import DEFAULT_CLOCK, read_clock
from arena.referee.in_play import RETRIES, fault_of
from arena.referee.mailbox import Mailbox
from arena.referee.model import Breakage, Conditions, Ended, Fixture, MatchInPlay, PendingDecision
from arena.referee.players.player import Player
from arena.referee.table import Answer, DecisionRequest, table, tidy_note
from arena.referee.turns import Starts, Turns
from arena.wire.envelope import Request, request_without_events
from arena.wire.fields import Malformed

_UNLIMITED_S = 1e9


class Reply(NamedTuple):
    """A legal answer, next to the recorded one."""

    number: int
    """The number of the decision in the record."""
    then: int
    now: int


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The answers of a bot, compared with the record."""

    replies: tuple[Reply, ...]
    fault: Fault | None = None
    """Its fault this time, after all the replies."""
    number: int | None = None
    """The decision of the record at which it faulted."""
    instead: int | None = None
    """The legal action that it chose instead of the recorded fault."""
    is_same_request: bool | None = None
    """Whether the last request was identical to that of the recorded fault; None if the record does
    not contain it, or if it was not sent this time."""
    outputs: tuple[Output, ...] = ()
    """What it printed before its answers this time, if the player reports it."""
    notes: tuple[Note, ...] = ()
    """What it noted with its answers this time."""


async def reproduce(
    record: Record, seat: Seat, player: Player, *, is_timed: bool = True
) -> Reproduction:
    """Ask a player for the decisions of one seat; the record must be valid.

    If the referee was held up, try again, as in any match.
    """
    for _ in range(RETRIES):
        rerun = _Rerun(record, seat, is_timed=is_timed)
        serving = asyncio.create_task(player.play(rerun.mailbox))
        try:
            reproduction = await rerun.play(serving)
            return replace(reproduction, outputs=tuple(rerun.outputs), notes=tuple(rerun.notes))
        except _RefereeStalled:
            continue
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
    raise PlatformError(f"the referee itself was held up {RETRIES} times: the machine is too busy")


class _RefereeStalled(ArenaError):
    """A bot was late because the referee was held up."""


class _Rerun:
    """A referee with one mailbox and one match."""

    def __init__(self, record: Record, seat: Seat, *, is_timed: bool) -> None:
        self.clock = read_clock(record.clock) if record.clock else DEFAULT_CLOCK
        self.mailbox = Mailbox(Conditions(self.clock, Turns(1), Starts(1), self._take_answer))
        self._seat = seat
        self._is_timed = is_timed
        self._left_s = self.clock.bank_s
        self._faults = {fault.seat: fault for fault in record.faults}
        self._evidence = _request_of(self._faults.get(seat))
        self._recorded = _recorded_requests(record)
        self._match = self._start(record)
        self._answer: asyncio.Future[Answer | Fault]
        self.outputs: list[Output] = []
        self.notes: list[Note] = []

    def _start(self, record: Record) -> MatchInPlay:
        game = game_named(record.game_id)
        parameters = game.parameters_form.read(record.parameters)
        seats = len(record.entrants)
        seating = tuple(map(PlayerIndex, range(seats)))
        match = MatchInPlay(
            Fixture(0, game, parameters, record.seed, seating, record.salt),
            1,
            table(game, record.seed, parameters, record.entrants),
            # Always two lists: the wall clock can be switched off.
            [0.0] * seats,
            [0.0] * seats,
            [0] * seats,
        )
        self.mailbox.add_match(match, self._seat)
        if self._evidence:
            match.numbers[self._seat] = self._evidence.match
        self.mailbox.wake()
        return match

    def _take_answer(self, _: PendingDecision, answer: Answer | Fault) -> None:
        self._answer.set_result(answer)

    async def play(self, serving: asyncio.Task[Breakage]) -> Reproduction:
        """Ask for the decisions in order."""
        moves, replies = self._match.table, list[Reply]()
        answer: Answer | Fault | None = None
        try:
            while True:
                request = moves.send(answer)
                assert isinstance(request, DecisionRequest), "a recorded action is illegal"
                number, then = self._recorded[request.seat].popleft()
                is_fault = then.how is How.STAND_IN
                answer = self._faults[request.seat] if is_fault else Answer(then.action)
                if request.seat != self._seat:
                    continue
                pending = self._make_pending(request, is_fault=is_fault)
                now = await self._ask(pending, serving)
                if isinstance(now, Answer) and now.output:
                    self.outputs.append(Output(number, now.output))
                if isinstance(now, Answer) and now.note:
                    self.notes.append(Note(number, tidy_note(now.note)))
                if isinstance(now, Answer) and not self._is_legal(request, now.action):
                    # Let the table describe the fault.
                    item = moves.send(now)
                    assert isinstance(item, Fault)
                    now = item
                is_same = self._is_same(pending) if is_fault else None
                if isinstance(now, Fault):
                    return Reproduction(tuple(replies), now, number, is_same_request=is_same)
                if is_fault:
                    return Reproduction(tuple(replies), instead=now.action, is_same_request=is_same)
                replies.append(Reply(number, then.action, now.action))
                self._left_s += self.clock.increment_s - then.time_us / 1e6
        except StopIteration as end:
            ended = Ended(
                self._match, self._seat, SeatEnding.PLAYED, "played to the end", end.value
            )
            self.mailbox.ends.append(ended)
            return Reproduction(tuple(replies))

    def _make_pending(self, request: DecisionRequest, *, is_fault: bool) -> PendingDecision:
        """Return a request with the clocks set as in the record."""
        match, seat = self._match, self._seat
        left_s = self._left_s
        wall_left_s = self.clock.wall.bank_s if self.clock.counts_cpu else left_s
        if is_fault and self._evidence:
            left_s = self._evidence.time_left_s
            wall_left_s = self._evidence.wall_left_s if self.clock.counts_cpu else left_s
        match.time_left_s[seat] = left_s
        match.wall_left_s[seat] = wall_left_s if self._is_timed else _UNLIMITED_S
        return PendingDecision(match, request)

    async def _ask(
        self, pending: PendingDecision, serving: asyncio.Task[Breakage]
    ) -> Answer | Fault:
        """Ask the bot; if it breaks, return its fault."""
        self._answer = asyncio.get_running_loop().create_future()
        self.mailbox.requests.append(pending)
        self.mailbox.wake()
        await asyncio.wait((self._answer, serving), return_when=asyncio.FIRST_COMPLETED)
        if self._answer.done():
            return self._answer.result()
        broken = serving.result()
        if broken.is_machine_fault:
            raise _RefereeStalled
        return fault_of(pending, broken)

    def _is_legal(self, request: DecisionRequest, action: int) -> bool:
        return action in self._match.fixture.game.legal_actions(request.view)

    def _is_same(self, pending: PendingDecision) -> bool | None:
        recorded = self._faults[self._seat].request
        return pending.sent == recorded if pending.sent and recorded else None


def _recorded_requests(record: Record) -> list[deque[tuple[int, Decision]]]:
    """List the decisions that each seat was asked for, with their numbers.

    The last may be a stand-in's: it marks the request at which the seat faulted.
    """
    asked: list[deque[tuple[int, Decision]]] = [deque() for _ in record.entrants]
    out = set()
    for number, decision in enumerate(record.decisions):
        if decision.how is How.FORCED or decision.seat in out:
            continue
        asked[decision.seat].append((number, decision))
        if decision.how is How.STAND_IN:
            out.add(decision.seat)
    return asked


def _request_of(fault: Fault | None) -> Request | None:
    """Decode the request that a bot failed to answer; None if it is invalid, as in any file."""
    if fault is None or not fault.request:
        return None
    try:
        return request_without_events(fault.request)
    except Malformed:
        return None
