"""Evidence is kept of every fault, up to a fixed size."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from arena.indices import Seat
from arena.records import EVIDENCE_BYTES, PRINTED_BYTES, Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.players.decode import MESSAGE_LIMIT
from arena.referee.players.remote import RemotePlayer
from arena.referee.reproduce import reproduce
from arena.replays.format import read_replay, write_replay
from arena.submission.limits import MAXIMUM
from arena.wire.v1.match_pb2 import Action, Decision, Decisions, FromBot, FromReferee, Hello
from tests.builders.matches import make_fixtures, play_fixtures, random_player
from tests.referee.fake_bots import FakeBot, good_answer

pytestmark = pytest.mark.usefixtures("driver")
CLOCK = Clock(20.0, 1.0)
UNKNOWN_FIELD = b"\xfa\x3f"
"""The key of length-delimited field 1023, which decoders skip as unknown."""


def pad(message: FromBot, size: int) -> bytes:
    """Encode a message and pad it to a size with an unknown field."""
    written = message.SerializeToString()
    room = size - len(written) - len(UNKNOWN_FIELD) - 4
    # The length always takes four bytes.
    length = bytes([room & 127 | 128, room >> 7 & 127 | 128, room >> 14 & 127 | 128, room >> 21])
    return written + UNKNOWN_FIELD + length + bytes(room)


class Shouter(FakeBot):
    """A bot that answers with too many bytes, in one of several ways."""

    def __init__(self, kind: str) -> None:
        super().__init__()
        self._kind = kind

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer with a large message."""
        for asked in message.requests:
            if self._kind == "too big":
                await call.write(bytes(3 * MESSAGE_LIMIT))
            elif self._kind == "not a message":
                await call.write(b"\xff" * MESSAGE_LIMIT)
            elif self._kind == "illegal":
                action = Action(index=10**6)
                wrong = Decision(match=asked.match, number=asked.number, action=action)
                answer = FromBot(decisions=Decisions(decisions=[wrong]))
                await call.write(pad(answer, MESSAGE_LIMIT))
            else:
                await call.write(pad(good_answer(asked), MESSAGE_LIMIT))


class LargeHello(FakeBot):
    """A bot whose first message is large and invalid."""

    async def converse(self, call: Any) -> None:
        """Send a large message, and read nothing."""
        await call.write(pad(FromBot(hello=Hello(protocol=99)), MESSAGE_LIMIT))
        await call.read()


def play_against_random(fake: FakeBot, matches: int = 1) -> list[Record]:
    """Play a fake bot against a random player, all matches at once."""
    players = [RemotePlayer(Entrant("loud"), fake.launch), random_player("random")]
    return play_fixtures(players, make_fixtures(matches, 2), tables=matches, clock=CLOCK)


@pytest.mark.parametrize(
    ("kind", "ending"),
    [
        ("too big", SeatEnding.NONSENSE),
        ("not a message", SeatEnding.NONSENSE),
        ("illegal", SeatEnding.ILLEGAL_ACTION),
    ],
)
def test_a_fault_keeps_only_the_beginning_of_a_message(kind: str, ending: SeatEnding) -> None:
    (record,) = play_against_random(Shouter(kind))
    (fault,) = record.faults
    assert fault.ending is ending
    assert len(fault.reply) == EVIDENCE_BYTES
    assert read_replay(write_replay(record)) == record
    assert len(write_replay(record)) < 2 * EVIDENCE_BYTES


def test_only_the_beginning_of_a_large_first_message_is_kept() -> None:
    (record,) = play_against_random(LargeHello())
    (fault,) = record.faults
    assert fault.ending is SeatEnding.WRONG_VERSION
    assert len(fault.reply) == EVIDENCE_BYTES


def count_large_messages(size: int) -> int:
    """Count the byte strings in memory, referenced by new objects, that are larger than a size."""
    owners = gc.get_objects()
    found = {id(each): each for owner in owners for each in gc.get_referents(owner)}
    return sum(isinstance(each, bytes) and len(each) > size for each in found.values())


class Counter(Shouter):
    """A bot with large but valid answers, which inspects the memory while it plays."""

    most = 0

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer, and then count."""
        await super().answer(call, message)
        self.most = max(self.most, count_large_messages(MESSAGE_LIMIT // 2))


def test_matches_in_play_keep_no_large_answers() -> None:
    # Every match waits for one of the two, and keeps the last answer of the other.
    fake = Counter("proper")
    players = [
        RemotePlayer(Entrant("loud"), fake.launch),
        RemotePlayer(Entrant("louder"), Shouter("proper").launch),
    ]
    # What is there before the matches is not searched: that would take minutes.
    gc.freeze()
    try:
        records = play_fixtures(players, make_fixtures(10, 2), tables=10, clock=CLOCK)
    finally:
        gc.unfreeze()
    assert not any(record.faults for record in records)
    # Few messages are in transit, with gRPC's copies, and there are many tables.
    assert fake.most < 8


def test_a_request_longer_than_the_evidence_is_recognised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.referee.players.encode.EVIDENCE_BYTES", 100)
    (record,) = play_against_random(Shouter("illegal"))
    assert len(record.faults[0].request) == 100
    again = asyncio.run(
        reproduce(record, Seat(0), RemotePlayer(Entrant("loud"), Shouter("illegal").launch))
    )
    assert again.fault
    assert again.is_same_request


def test_the_limit_of_kept_output_matches_the_largest_allowed_setting() -> None:
    assert MAXIMUM.stderr_kib << 10 == PRINTED_BYTES
