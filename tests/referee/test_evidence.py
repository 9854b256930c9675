"""Is evidence kept of every fault, and never more than so much of it?"""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from arena.limits import MOST
from arena.records import EVIDENCE_BYTES, STDERR_BYTES, Entrant, Record, SeatEnding
from arena.referee.again import play_again
from arena.referee.clock import Clock
from arena.referee.players.hearing import MESSAGE_LIMIT
from arena.referee.players.remote import RemotePlayer
from arena.replays.format import read_replay, write_replay
from arena.wire.v1.match_pb2 import Action, Decision, Decisions, FromBot, FromReferee, Hello
from tests.referee.actors import Actor, good_answer
from tests.referee.matches import anybody, fixtures, played

CLOCK = Clock(20.0, 1.0)
UNKNOWN_FIELD = b"\xfa\x3f"
"""The key of field 1023 with a length: every reader skips what it does not know."""


def padded(message: FromBot, size: int) -> bytes:
    """Write a message and fill it up to a size with what means nothing."""
    written = message.SerializeToString()
    room = size - len(written) - len(UNKNOWN_FIELD) - 4
    # A length of four bytes, whatever it is.
    length = bytes([room & 127 | 128, room >> 7 & 127 | 128, room >> 14 & 127 | 128, room >> 21])
    return written + UNKNOWN_FIELD + length + bytes(room)


class Shouter(Actor):
    """A bot that answers with far too many bytes, in one way or another."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self._way = way

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Shout."""
        for asked in message.requests:
            if self._way == "too big":
                await call.write(bytes(3 * MESSAGE_LIMIT))
            elif self._way == "not a message":
                await call.write(b"\xff" * MESSAGE_LIMIT)
            elif self._way == "illegal":
                action = Action(index=10**6)
                wrong = Decision(match=asked.match, number=asked.number, action=action)
                answer = FromBot(decisions=Decisions(decisions=[wrong]))
                await call.write(padded(answer, MESSAGE_LIMIT))
            else:
                await call.write(padded(good_answer(asked), MESSAGE_LIMIT))


class LoudGreeter(Actor):
    """A bot whose first message is nonsense, and large."""

    async def converse(self, call: Any) -> None:
        """Shout, and hear nothing."""
        await call.write(padded(FromBot(hello=Hello(protocol=99)), MESSAGE_LIMIT))
        await call.read()


def against(actor: Actor, matches: int = 1) -> list[Record]:
    """Let an actor play against somebody at random, at as many tables."""
    players = [RemotePlayer(Entrant("loud"), actor.launch), anybody("random")]
    return played(players, fixtures(matches, 2), tables=matches, clock=CLOCK)


@pytest.mark.parametrize(
    ("way", "ending"),
    [
        ("too big", SeatEnding.NONSENSE),
        ("not a message", SeatEnding.NONSENSE),
        ("illegal", SeatEnding.ILLEGAL_ACTION),
    ],
)
def test_a_fault_keeps_the_beginning_of_a_message_and_no_more(way: str, ending: SeatEnding) -> None:
    (record,) = against(Shouter(way))
    (fault,) = record.faults
    assert fault.ending is ending
    assert len(fault.reply) == EVIDENCE_BYTES
    assert read_replay(write_replay(record)) == record
    assert len(write_replay(record)) < 2 * EVIDENCE_BYTES


def test_a_loud_greeting_keeps_its_beginning_and_no_more() -> None:
    (record,) = against(LoudGreeter())
    (fault,) = record.faults
    assert fault.ending is SeatEnding.WRONG_VERSION
    assert len(fault.reply) == EVIDENCE_BYTES


def largest_messages(held: int) -> int:
    """Count the byte strings in memory, of those that anything refers to, larger than so much."""
    owners = gc.get_objects()
    found = {id(each): each for owner in owners for each in gc.get_referents(owner)}
    return sum(isinstance(each, bytes) and len(each) > held for each in found.values())


class Counter(Shouter):
    """A bot with large, but proper answers, which looks around in memory as it plays."""

    most = 0

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer, and then count."""
        await super().answer(call, message)
        self.most = max(self.most, largest_messages(MESSAGE_LIMIT // 2))


def test_matches_in_play_hold_on_to_no_large_answers() -> None:
    # Every match waits for one of the two, and remembers what the other has answered.
    actor = Counter("proper")
    players = [
        RemotePlayer(Entrant("loud"), actor.launch),
        RemotePlayer(Entrant("louder"), Shouter("proper").launch),
    ]
    records = played(players, fixtures(16, 2), tables=16, clock=CLOCK)
    assert not any(record.faults for record in records)
    # Those that are just on their way, with copies of gRPC's, are few; the tables are many.
    assert actor.most < 8


def test_a_request_that_is_longer_than_what_is_kept_is_known_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("arena.referee.players.speech.EVIDENCE_BYTES", 100)
    (record,) = against(Shouter("illegal"))
    assert len(record.faults[0].request) == 100
    again = asyncio.run(
        play_again(record, 0, RemotePlayer(Entrant("loud"), Shouter("illegal").launch))
    )
    assert again.fault
    assert again.is_same_request


def test_nobody_has_more_of_a_bots_output_kept_than_that() -> None:
    assert MOST.stderr_kib << 10 == STDERR_BYTES
