"""What does the referee say to a bot?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from arena.records import SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Ended, Match, Pending
from arena.wire.codec import Codec, codec_of
from arena.wire.messages import commitment, event_field, match_end, match_start, request
from arena.wire.v1 import match_pb2

_ENDINGS: dict[SeatEnding | None, int] = {
    None: match_pb2.SEAT_ENDING_VOID,
    **{ending: match_pb2.SeatEnding.Value(f"SEAT_ENDING_{ending.name}") for ending in SeatEnding},
}
_codec_of = lru_cache(codec_of)


def batch(
    starts: Sequence[tuple[Match, int]],
    requests: Sequence[Pending],
    ends: Sequence[Ended],
    *,
    clock: Clock,
    wants_legal_actions: bool,
) -> bytes:
    """Write everything that waits for a bot as one message; each request remembers its part."""
    parts = [_start(match, seat, clock) for match, seat in starts]
    for pending in requests:
        pending.sent = _request(pending, wants_legal_actions=wants_legal_actions)
        parts.append(pending.sent)
    parts += map(_end, ends)
    return b"".join(parts)


def _start(match: Match, seat: int, clock: Clock) -> bytes:
    fixture = match.fixture
    return match_start(
        match=match.tag,
        game_id=fixture.game.id,
        seats=len(fixture.seating),
        seat=seat,
        parameters=_codec_of(fixture.game.id).parameters_bytes(fixture.parameters),
        clock=(clock.bank_s, clock.increment_s),
        bot_seed=match.bot_seed(seat),
        commitment=commitment(fixture.seed),
    )


def _request(pending: Pending, *, wants_legal_actions: bool) -> bytes:
    match, asked = pending.match, pending.request
    codec = _codec_of(match.fixture.game.id)
    known = match.events
    # An event goes to every seat, and is written once.
    for event in asked.events[len(known) - asked.first_event :]:
        known.append(event_field(codec.event_bytes(event)))
    last = asked.first_event + len(asked.events)
    match.told[asked.seat] = last
    legal: Sequence[bytes] = ()
    if wants_legal_actions:
        actions = match.fixture.game.legal_actions(asked.view)
        legal = [codec.action_bytes(action) for action in actions]
    return request(
        match=match.tag,
        number=asked.number,
        events=known[asked.first_event : last],
        view=codec.view_bytes(asked.view),
        time_left_s=pending.time_left_s,
        legal_actions=legal,
    )


def _end(ended: Ended) -> bytes:
    match = ended.match
    finished = ended.finished
    events: list[bytes] = []
    if finished:
        codec: Codec = _codec_of(match.fixture.game.id)
        news = finished.events[match.told[ended.seat] :]
        events = [event_field(codec.event_bytes(event)) for event in news]
    return match_end(
        match=match.tag,
        events=events,
        places=finished.record.places if finished else (),
        scores=finished.record.outcome.scores if finished else (),
        seed=match.fixture.seed if finished else b"",
        ending=_ENDINGS[ended.ending],
        sentence=ended.sentence,
    )
