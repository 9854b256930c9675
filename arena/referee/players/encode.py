"""Encode the messages of the referee."""

from __future__ import annotations

from collections.abc import Sequence

from arena.indices import Seat
from arena.records import EVIDENCE_BYTES, SeatEnding
from arena.referee.clock import Clock
from arena.referee.model import Ended, MatchInPlay, PendingDecision
from arena.wire import envelope
from arena.wire.codec import codec_of
from arena.wire.envelope import (
    Batch,
    MatchEnd,
    MatchStart,
    batch,
    commitment,
    match_end,
    match_start,
    request,
)

_PLAYED, *_FAULTS = SeatEnding
ENDING_NUMBERS = {
    ending: number for number, ending in enumerate((_PLAYED, None, *_FAULTS), start=1)
}
"""The number of each ending on the wire; None is a void match."""


def encode_batch(
    starts: Sequence[tuple[MatchInPlay, Seat]],
    requests: Sequence[PendingDecision],
    ends: Sequence[Ended],
    *,
    clock: Clock,
    wants_legal_actions: bool,
    goodbye: bytes = b"",
) -> bytes:
    """Encode everything that waits for a bot as one message.

    Each request keeps its encoded form, up to `EVIDENCE_BYTES`, as evidence.
    """
    written = []
    for pending in requests:
        whole = _request(
            pending, wants_legal_actions=wants_legal_actions, with_wall_clock=clock.counts_cpu
        )
        pending.sent = whole[:EVIDENCE_BYTES]
        written.append(whole)
    return batch.write(
        Batch(
            tuple([_start(match, seat, clock) for match, seat in starts]),
            tuple(written),
            tuple([_end(ended) for ended in ends]),
            goodbye,
        )
    )


def _start(match: MatchInPlay, seat: Seat, clock: Clock) -> bytes:
    fixture = match.fixture
    return match_start.write(
        MatchStart(
            match.numbers[seat],
            fixture.game.id,
            len(fixture.seating),
            seat,
            codec_of(fixture.game.id).parameters_bytes(fixture.parameters),
            _clock(clock),
            match.bot_seed(seat),
            commitment(fixture.seed, fixture.salt),
        )
    )


def _clock(clock: Clock) -> envelope.WireClock:
    wall = clock.wall
    return envelope.WireClock(
        clock.bank_s, clock.increment_s, clock.counts_cpu, wall.bank_s, wall.increment_s
    )


def _request(
    pending: PendingDecision, *, wants_legal_actions: bool, with_wall_clock: bool
) -> bytes:
    match, asked = pending.match, pending.request
    game = match.fixture.game
    codec = codec_of(game.id)
    encoded = match.encoded_events
    first, last = asked.first_event, asked.first_event + len(asked.events)
    # An event goes to every seat, but is encoded only once.
    if last > len(encoded):
        encoded += map(codec.event_bytes, asked.events[len(encoded) - first :])
    seat = asked.seat
    match.events_sent[seat] = last
    legal: list[bytes] = []
    if wants_legal_actions:
        legal = list(map(codec.action_bytes, game.legal_actions(asked.view)))
    # The values of a `Request`; making one would take longer than writing it.
    return request.write(
        (
            match.numbers[seat],
            asked.number,
            encoded[first:last],
            codec.view_bytes(asked.view),
            match.time_left_s[seat],
            legal,
            match.wall_left_s[seat] if with_wall_clock else 0.0,
        )
    )


def _end(ended: Ended) -> bytes:
    match = ended.match
    number = match.numbers[ended.seat]
    finished = ended.finished
    if finished is None:
        return match_end.write(
            MatchEnd(number, (), (), (), ENDING_NUMBERS[ended.ending], ended.sentence)
        )
    codec = codec_of(match.fixture.game.id)
    unsent = finished.events[match.events_sent[ended.seat] :]
    return match_end.write(
        MatchEnd(
            number,
            finished.record.places,
            tuple([codec.event_bytes(event) for event in unsent]),
            finished.record.outcome.scores,
            ENDING_NUMBERS[ended.ending],
            ended.sentence,
        )
    )
