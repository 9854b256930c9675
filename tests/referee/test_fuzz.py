"""Nothing that a bot sends, at any moment, harms the referee.

A fuzzer plays over the real stream, properly for a while, and then sends garbage: random bytes,
messages with flipped bits, and well-formed messages that make no sense. Whatever it sends, its
match ends, with or without a fault, and no other player waits forever.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.players.connection import listen
from arena.referee.players.decode import Nonsense, decode_answers, decode_hello
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.wire.v1.match_pb2 import Action, Decision, Decisions, FromBot, FromReferee, Hello
from tests.builders.matches import make_fixtures, random_player
from tests.referee.fake_bots import GOOD_HELLO, FakeBot, good_answer

CLOCK = Clock(0.5, 0.1)


class Fuzzer(FakeBot):
    """A bot that starts to send garbage at some point."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = Random(seed)
        self._sane = self._rng.choice([-1, 0, 0, 1, 2, 5, 12])
        """Number of requests that it answers properly; -1 if it does not even send Hello."""

    async def converse(self, call: Any) -> None:
        """Play for a while, then send garbage."""
        await self._send_garbage(call) if self._sane < 0 else await self._play(call)

    async def _play(self, call: Any) -> None:
        await call.write(GOOD_HELLO.SerializeToString())
        answered = 0
        while True:
            data = await call.read()
            if data is grpc.aio.EOF:
                return
            for request in FromReferee.FromString(data).requests:
                if answered == self._sane:
                    await self._send_garbage(call, request)
                    return
                await call.write(good_answer(request).SerializeToString())
                answered += 1

    async def _send_garbage(self, call: Any, request: Any = None) -> None:
        for _ in range(self._rng.choice([1, 1, 2, 5])):
            await call.write(self._garbage(request))
        if self._rng.random() < 0.5:
            await call.done_writing()
        # The referee ends the call; ignore any further messages.
        while await call.read() is not grpc.aio.EOF:
            pass

    def _garbage(self, request: Any) -> bytes:
        rng = self._rng
        kind = rng.randrange(4)
        if kind == 0:
            return rng.randbytes(rng.choice([0, 1, 2, 5, 20, 300, 5000]))
        message = _strange_message(rng, request).SerializeToString()
        if kind == 1 and message:
            flipped = bytearray(message)
            for _ in range(rng.randrange(1, 4)):
                flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
            return bytes(flipped)
        if kind == 2:
            return message[: rng.randrange(len(message) + 1)]
        return message


def _strange_message(rng: Random, request: Any) -> FromBot:
    if request is not None and rng.random() < 0.3:
        return good_answer(request)
    if rng.random() < 0.2:
        return FromBot(hello=Hello(protocol=rng.randrange(4), name="x" * rng.randrange(50)))
    match, number = (request.match, request.number) if request else (1, 0)
    decisions = [
        Decision(
            match=rng.choice([0, 2, 2**32 - 1, *[match] * 6]),
            number=rng.choice([0, 1, 2, 2**32 - 1, *[number] * 6]),
            action=rng.choice(
                [
                    Action(index=rng.randrange(2**32)),
                    Action(index=rng.randrange(60)),
                    Action(meow={"card": rng.randrange(70)}),
                    Action(lifeislife={"swap": {"counts": [rng.randrange(2**32)] * 10}}),
                    Action(),
                ]
            ),
        )
        for _ in range(rng.choice([0, 1, 1, 1, 1, 2, 40]))
    ]
    return FromBot(decisions=Decisions(decisions=decisions))


AT_ONCE = 50


async def play_fuzzer(case: int) -> Record:
    """Play one match against a fuzzer, with a deadline far beyond its clock."""
    player = RemotePlayer(Entrant("fuzzer"), Fuzzer(case).launch)
    async with asyncio.timeout(300):
        referee = Referee([player, random_player("random")], CLOCK)
        matches = referee.play(make_fixtures(1, 2, seed=case % 50), tables=1)
        (record,) = [record async for _, record in matches]
    return record


async def play_fuzzers(cases: range) -> list[Record]:
    """Play one match against each fuzzer, many at once: most of the time, they wait."""
    records: list[Record] = []
    for first in cases[::AT_ONCE]:
        some = range(first, min(first + AT_ONCE, cases.stop))
        records += await asyncio.gather(*map(play_fuzzer, some))
    return records


def check_records(records: list[Record]) -> None:
    """Check that every match ended, and that faults contain only what is allowed."""
    endings = set()
    for record in records:
        assert sorted(record.places) in ([1, 2], [1, 1])
        for fault in record.faults:
            assert fault.seat == 0
            assert record.places[0] == 2
            assert len(fault.sentence) < 200
            endings.add(fault.ending)
    assert SeatEnding.NONSENSE in endings


@pytest.mark.usefixtures("driver")
def test_no_stream_of_bytes_harms_the_referee() -> None:
    check_records(asyncio.run(play_fuzzers(range(60))))


@pytest.mark.slow
@pytest.mark.usefixtures("driver")
@pytest.mark.parametrize("part", range(4))
def test_many_more_streams_of_bytes_do_not_harm_the_referee(part: int) -> None:
    check_records(asyncio.run(play_fuzzers(range(10_000 + part * 5000, 15_000 + part * 5000))))


@given(st.binary(max_size=300))
def test_no_first_message_does_harm(data: bytes) -> None:
    hello = decode_hello(data)
    assert isinstance(hello, Nonsense | Hello)


def idle_mailbox() -> Mailbox:
    """Make a mailbox without unanswered requests."""
    return Mailbox(Referee([], CLOCK).conditions)


@given(st.binary(max_size=300))
def test_unrequested_bytes_are_nonsense(data: bytes) -> None:
    assert isinstance(decode_answers(data, idle_mailbox()), Nonsense)


class NonReader(Fuzzer):
    """A bot that sends Hello and then reads nothing."""

    async def _play(self, call: Any) -> None:
        await call.write(GOOD_HELLO.SerializeToString())
        await asyncio.Event().wait()


@pytest.mark.usefixtures("driver")
def test_an_unread_message_does_not_block_the_referee(tmp_path: Path) -> None:
    async def send() -> None:
        async with listen(tmp_path / "bot.sock", lambda: None) as connection:
            non_reader = NonReader(1)
            non_reader._sane = 0
            non_reader.launch(connection.socket, lambda: None)
            await connection.first_message(asyncio.Event())
            async with asyncio.timeout(300):
                await connection.send(bytes(10_000))
            # A large message is never accepted, and sending it can be abandoned.
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await connection.send(bytes(50_000_000))
            non_reader.kill()

    asyncio.run(send())


@pytest.mark.usefixtures("driver")
def test_a_bot_that_reads_nothing_overruns_its_clock() -> None:
    async def play() -> list[Record]:
        non_reader = NonReader(1)
        non_reader._sane = 0
        players = [
            RemotePlayer(Entrant("non-reader"), non_reader.launch),
            random_player("a"),
            random_player("b"),
        ]
        referee = Referee(players, Clock(0.01, 0.01))
        matches = make_fixtures(16, 3, "lifeislife")
        async with asyncio.timeout(300):
            return [record async for _, record in referee.play(matches, tables=16)]

    assert {record.ending_of(0) for record in asyncio.run(play())} == {SeatEnding.OVERRUN}
