"""Can anything that a bot sends, at any moment, hurt the referee?

A fuzzer plays over the real stream, properly for a while, and then sends bytes of its own making:
random ones, messages with flipped bytes, and well-formed messages that make no sense. Whatever it
is, its match ends with its fault or without one, and nobody waits for ever.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.records import Entrant, Record, SeatEnding
from arena.referee.clock import Clock
from arena.referee.desk import Desk, Match, Pending
from arena.referee.floor import Floor
from arena.referee.players.hearing import Nonsense, answers_in, hello_in
from arena.referee.players.line import Line
from arena.referee.players.remote import RemotePlayer
from arena.referee.table import Request
from arena.wire.v1.match_pb2 import Action, Decision, Decisions, FromBot, FromReferee, Hello
from tests.referee.actors import GOOD_HELLO, Actor, good_answer
from tests.referee.matches import anybody, fixtures

CLOCK = Clock(0.5, 0.1)


class Fuzzer(Actor):
    """A bot that turns mad at some point."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self._rng = Random(seed)
        self._sane = self._rng.choice([-1, 0, 0, 1, 2, 5, 12])
        """How many requests it answers properly; -1 if it does not even say hello."""

    async def converse(self, call: Any) -> None:
        """Play for a while, and then rave."""
        await self._rave(call) if self._sane < 0 else await self._play(call)

    async def _play(self, call: Any) -> None:
        await call.write(GOOD_HELLO.SerializeToString())
        answered = 0
        while True:
            heard = await call.read()
            if heard is grpc.aio.EOF:
                return
            for request in FromReferee.FromString(heard).requests:
                if answered == self._sane:
                    await self._rave(call, request)
                    return
                await call.write(good_answer(request).SerializeToString())
                answered += 1

    async def _rave(self, call: Any, request: Any = None) -> None:
        for _ in range(self._rng.choice([1, 1, 2, 5])):
            await call.write(self._madness(request))
        if self._rng.random() < 0.5:
            await call.done_writing()
        # The referee hangs up; nothing that it may still say matters.
        while await call.read() is not grpc.aio.EOF:
            pass

    def _madness(self, request: Any) -> bytes:
        rng = self._rng
        kind = rng.randrange(4)
        if kind == 0:
            return rng.randbytes(rng.choice([0, 1, 2, 5, 20, 300, 5000]))
        message = _strange(rng, request).SerializeToString()
        if kind == 1 and message:
            flipped = bytearray(message)
            for _ in range(rng.randrange(1, 4)):
                flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
            return bytes(flipped)
        if kind == 2:
            return message[: rng.randrange(len(message) + 1)]
        return message


def _strange(rng: Random, request: Any) -> FromBot:
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


async def fuzzed(cases: range) -> list[Record]:
    """Play one match against each fuzzer; each has a deadline far beyond its clock."""
    records = []
    for case in cases:
        fuzzer = Fuzzer(case)
        player = RemotePlayer(Entrant("fuzzer"), fuzzer.launch, start_limit_s=5.0)
        (fixture,) = fixtures(1, 2, seed=case % 50)
        async with asyncio.timeout(60):
            floor = Floor([player, anybody("random")], CLOCK)
            async for _, record in floor.play([fixture], tables=1):
                records.append(record)
    return records


def check(records: list[Record]) -> None:
    """Check that every match ended, and that faults say no more than they may."""
    endings = set()
    for record in records:
        assert sorted(record.places) in ([1, 2], [1, 1])
        for fault in record.faults:
            assert fault.seat == 0
            assert record.places[0] == 2
            assert len(fault.sentence) < 200
            endings.add(fault.ending)
    assert SeatEnding.NONSENSE in endings


@pytest.mark.parametrize("part", range(4))
def test_no_stream_of_bytes_hurts_the_referee(part: int) -> None:
    check(asyncio.run(fuzzed(range(part * 250, part * 250 + 250))))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_no_stream_of_bytes_hurts_the_referee_at_length(part: int) -> None:
    check(asyncio.run(fuzzed(range(10_000 + part * 5000, 15_000 + part * 5000))))


@given(st.binary(max_size=300))
def test_no_first_message_does_harm(heard: bytes) -> None:
    hello = hello_in(heard)
    assert isinstance(hello, Nonsense | Hello)


def desk_of_one() -> Desk:
    """Make the desk of the only bot on a floor, which owes nothing."""
    return Desk(Floor([], CLOCK))


@given(st.binary(max_size=300))
def test_bytes_that_nobody_asked_for_are_nonsense(heard: bytes) -> None:
    assert isinstance(answers_in(heard, desk_of_one()), Nonsense)


def test_mutated_answers_are_either_nonsense_or_answers() -> None:
    desk = desk_of_one()
    (fixture,) = fixtures(1, 2)
    table: Any = None
    match = Match(fixture, 1, table, [1.0, 1.0], [1.0, 1.0], [0, 0])
    owed = desk.owed[1] = Pending(match, Request(0, 0, None, (), 0))
    kinds = set()
    for case in range(5000):
        found = answers_in(Fuzzer(case)._madness(None), desk)
        kinds.add(type(found))
        if isinstance(found, list):
            ((pending, action),) = found
            assert pending is owed
            assert isinstance(action, int)
    assert kinds == {Nonsense, list}


class Deaf(Fuzzer):
    """A bot that says hello and then reads nothing at all."""

    async def _play(self, call: Any) -> None:
        await call.write(GOOD_HELLO.SerializeToString())
        await asyncio.Event().wait()


def test_a_message_that_nobody_reads_holds_nobody_up(tmp_path: Path) -> None:
    async def sizes() -> list[int]:
        sent = []
        async with Line(tmp_path / "deaf.sock", lambda: None) as line:
            deaf = Deaf(1)
            deaf._sane = 0
            deaf.launch(line.socket, lambda: None)
            await line.first_message(asyncio.Event())
            for size in (10_000, 50_000_000):
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await line.say(bytes(size))
                        sent.append(size)
            deaf.kill()
        return sent

    assert asyncio.run(sizes()) == [10_000], "a large one is never taken, and can be given up"


def test_a_bot_that_does_not_even_read_overruns_its_clock() -> None:
    async def play() -> list[Record]:
        deaf = Deaf(1)
        deaf._sane = 0
        players = [RemotePlayer(Entrant("deaf"), deaf.launch), anybody("a"), anybody("b")]
        floor = Floor(players, Clock(0.01, 0.01))
        matches = fixtures(64, 3, "lifeislife")
        async with asyncio.timeout(60):
            return [record async for _, record in floor.play(matches, tables=64)]

    assert {record.ending_of(0) for record in asyncio.run(play())} == {SeatEnding.OVERRUN}
