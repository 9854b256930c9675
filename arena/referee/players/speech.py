"""What does the referee say to a bot?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from arena.records import EVIDENCE_BYTES, SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Ended, Match, Pending
from arena.wire import messages
from arena.wire.codec import codec_of
from arena.wire.fields import delimited, double, uint
from arena.wire.messages import (
    Batch,
    MatchEnd,
    MatchStart,
    batch,
    commitment,
    match_end,
    match_start,
)
from arena.wire.v1 import match_pb2

_ENDINGS: dict[SeatEnding | None, int] = {
    None: match_pb2.SEAT_ENDING_VOID,
    **{ending: match_pb2.SeatEnding.Value(f"SEAT_ENDING_{ending.name}") for ending in SeatEnding},
}
_codec_of = lru_cache(codec_of)
_match = uint(1)
_number = uint(2)
_time_left = double(5)
_wall_left = double(7)


def said(
    starts: Sequence[tuple[Match, int]],
    requests: Sequence[Pending],
    ends: Sequence[Ended],
    *,
    clock: Clock,
    wants_legal_actions: bool,
    goodbye: bytes = b"",
) -> bytes:
    """Write everything that waits for a bot as one message.

    Each request remembers its part, as much of it as is kept as evidence.
    """
    written = tuple(
        _request(pending, wants_legal_actions=wants_legal_actions, tells_wall=clock.counts_cpu)
        for pending in requests
    )
    for pending, whole in zip(requests, written, strict=True):
        pending.sent = whole[:EVIDENCE_BYTES]
    return batch.write(
        Batch(
            tuple([_start(match, seat, clock) for match, seat in starts]),
            written,
            tuple([_end(ended) for ended in ends]),
            goodbye,
        )
    )


def _start(match: Match, seat: int, clock: Clock) -> bytes:
    fixture = match.fixture
    return match_start.write(
        MatchStart(
            match.numbers[seat],
            fixture.game.id,
            len(fixture.seating),
            seat,
            _codec_of(fixture.game.id).parameters_bytes(fixture.parameters),
            _clock(clock),
            match.bot_seed(seat),
            commitment(fixture.seed, fixture.salt),
        )
    )


def _clock(clock: Clock) -> messages.Clock:
    wall = clock.wall
    return messages.Clock(
        clock.bank_s, clock.increment_s, clock.counts_cpu, wall.bank_s, wall.increment_s
    )


def _request(pending: Pending, *, wants_legal_actions: bool, tells_wall: bool) -> bytes:
    # Put together by hand: this is written for every decision.
    match, asked = pending.match, pending.request
    game = match.fixture.game
    codec = _codec_of(game.id)
    known = match.events
    # An event goes to every seat, and is written once.
    for event in asked.events[len(known) - asked.first_event :]:
        known.append(delimited(3, codec.event_bytes(event)))
    last = asked.first_event + len(asked.events)
    match.told[asked.seat] = last
    parts = [
        _match.put(pending.number),
        _number.put(asked.number),
        *known[asked.first_event : last],
        delimited(4, codec.view_bytes(asked.view)),
        _time_left.put(pending.time_left_s),
    ]
    if wants_legal_actions:
        actions = game.legal_actions(asked.view)
        parts += [delimited(6, codec.action_bytes(action)) for action in actions]
    if tells_wall:
        parts.append(_wall_left.put(pending.wall_left_s))
    return b"".join(parts)


def _end(ended: Ended) -> bytes:
    match = ended.match
    number = match.numbers[ended.seat]
    finished = ended.finished
    if finished is None:
        return match_end.write(MatchEnd(number, (), (), (), _ENDINGS[ended.ending], ended.sentence))
    codec = _codec_of(match.fixture.game.id)
    news = finished.events[match.told[ended.seat] :]
    return match_end.write(
        MatchEnd(
            number,
            finished.record.places,
            tuple([codec.event_bytes(event) for event in news]),
            finished.record.outcome.scores,
            _ENDINGS[ended.ending],
            ended.sentence,
        )
    )
