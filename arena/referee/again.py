"""What does a bot do when it is asked again what it was asked in a stored match?

The match goes as it went then, whatever the bot answers now: its answers are compared, not played.
So it gets the requests that it got then, in a conversation like any other, up to the one at which
it faulted or to the end. What its clock showed is known to the microsecond, and exactly where the
record has the request itself.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from google.protobuf.message import DecodeError

from arena.errors import ArenaError, PlatformError
from arena.games.registry import game_named
from arena.records import Decision, Fault, How, Record, SeatEnding
from arena.referee.clock import DEFAULT_CLOCK, read_clock
from arena.referee.desk import Breakage, Desk, Ended, Fixture, Match, Pending, Player
from arena.referee.table import Answer, Request, table
from arena.referee.tables import TRIES, fault_of
from arena.referee.turns import Turns
from arena.wire.v1 import match_pb2

_FOR_EVER_S = 1e9


class Reply(NamedTuple):
    """A legal answer of now, beside the one of then."""

    number: int
    """The decision's number in the record."""
    then: int
    now: int


@dataclass(frozen=True, slots=True)
class Repetition:
    """All that a bot did this time."""

    replies: tuple[Reply, ...]
    fault: Fault | None = None
    """What it did wrong this time, after all the replies."""
    number: int | None = None
    """At which decision of the record that was."""
    instead: int | None = None
    """The legal action that it chose this time where it had faulted."""
    is_same_request: bool | None = None
    """Whether the last request was, to the byte, the one of the recorded fault; None where that is
    not in the record, or was not sent this time."""


async def play_again(
    record: Record, seat: int, player: Player, *, is_timed: bool = True
) -> Repetition:
    """Let a player have a seat's part in a match whose record is true.

    When the machine was held up and nobody can be blamed, it is tried again, as on any floor.
    """
    for _ in range(TRIES):
        rehearsal = _Rehearsal(record, seat, is_timed=is_timed)
        serving = asyncio.create_task(player.play(rehearsal.desk))
        try:
            return await rehearsal.play(serving)
        except _HeldUp:
            continue
        finally:
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)
    raise PlatformError(f"the referee itself was held up {TRIES} times: the machine is too busy")


class _HeldUp(ArenaError):
    """A bot was late, and so was the referee."""


class _Rehearsal:
    """A floor with one desk and one match."""

    freezes = False
    stalled_s = 0.0

    def __init__(self, record: Record, seat: int, *, is_timed: bool) -> None:
        self.clock = read_clock(record.clock) if record.clock else DEFAULT_CLOCK
        self.turns = Turns(1)
        self.desk = Desk(self)
        self._seat = seat
        self._is_timed = is_timed
        self._left_s = self.clock.bank_s
        self._faults = {fault.seat: fault for fault in record.faults}
        self._evidence = _request_of(self._faults.get(seat))
        self._then = _asked_then(record)
        self._match = self._begun(record)
        self._answer: asyncio.Future[Answer | Fault]

    def _begun(self, record: Record) -> Match:
        game = game_named(record.game_id)
        parameters = game.parameters_form.read(record.parameters)
        seats = len(record.entrants)
        match = Match(
            Fixture(0, game, parameters, record.seed, tuple(range(seats)), record.salt),
            1,
            table(game, record.seed, parameters, record.entrants),
            # Two lists, even if one clock is all there is: that on the wall can be off.
            [0.0] * seats,
            [0.0] * seats,
            [0] * seats,
        )
        self.desk.seat(match, self._seat)
        if self._evidence:
            match.numbers[self._seat] = self._evidence.match
        self.desk.wake()
        return match

    def answered(self, pending: Pending, answer: Answer | Fault) -> None:
        """Take an answer."""
        self._answer.set_result(answer)

    async def play(self, serving: asyncio.Task[Breakage]) -> Repetition:
        """Ask for one decision after the other."""
        moves, replies = self._match.table, list[Reply]()
        answer: Answer | Fault | None = None
        try:
            while True:
                request = moves.send(answer)
                assert isinstance(request, Request), "what was played then is illegal now"
                number, then = self._then[request.seat].popleft()
                is_fault = then.how is How.STAND_IN
                answer = self._faults[request.seat] if is_fault else Answer(then.action)
                if request.seat != self._seat:
                    continue
                pending = self._pending(request, is_fault=is_fault)
                now = await self._asked(pending, serving)
                if isinstance(now, Answer) and not self._is_legal(request, now.action):
                    # The table says what is wrong with it.
                    item = moves.send(now)
                    assert isinstance(item, Fault)
                    now = item
                is_same = self._is_same(pending) if is_fault else None
                if isinstance(now, Fault):
                    return Repetition(tuple(replies), now, number, is_same_request=is_same)
                if is_fault:
                    return Repetition(tuple(replies), instead=now.action, is_same_request=is_same)
                replies.append(Reply(number, then.action, now.action))
                self._left_s += self.clock.increment_s - then.time_us / 1e6
        except StopIteration as end:
            ended = Ended(
                self._match, self._seat, SeatEnding.PLAYED, "played to the end", end.value
            )
            self.desk.ends.append(ended)
            return Repetition(tuple(replies))

    def _pending(self, request: Request, *, is_fault: bool) -> Pending:
        """Set the clocks as they were."""
        match, seat = self._match, self._seat
        left_s = self._left_s
        wall_left_s = self.clock.wall.bank_s if self.clock.counts_cpu else left_s
        if is_fault and self._evidence:
            left_s = self._evidence.time_left_s
            wall_left_s = self._evidence.wall_left_s if self.clock.counts_cpu else left_s
        match.time_left_s[seat] = left_s
        match.wall_left_s[seat] = wall_left_s if self._is_timed else _FOR_EVER_S
        return Pending(match, request)

    async def _asked(self, pending: Pending, serving: asyncio.Task[Breakage]) -> Answer | Fault:
        """Ask the bot, and blame it if it breaks."""
        self._answer = asyncio.get_running_loop().create_future()
        self.desk.requests.append(pending)
        self.desk.wake()
        await asyncio.wait((self._answer, serving), return_when=asyncio.FIRST_COMPLETED)
        if self._answer.done():
            return self._answer.result()
        broken = serving.result()
        if broken.platform:
            raise _HeldUp
        return fault_of(pending, broken)

    def _is_legal(self, request: Request, action: int) -> bool:
        return action in self._match.fixture.game.legal_actions(request.view)

    def _is_same(self, pending: Pending) -> bool | None:
        recorded = self._faults[self._seat].request
        return pending.sent == recorded if pending.sent and recorded else None


def _asked_then(record: Record) -> list[deque[tuple[int, Decision]]]:
    """For each seat list the decisions that it was asked for, with their numbers.

    The last may be a stand-in's: it stands for the one at which the seat faulted.
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


def _request_of(fault: Fault | None) -> match_pb2.Request | None:
    """Read the request that a bot failed to answer; a replay may come from anywhere."""
    if fault is None or not fault.request:
        return None
    try:
        return match_pb2.Request.FromString(fault.request)
    except DecodeError:
        return None
