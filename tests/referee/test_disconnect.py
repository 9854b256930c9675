"""When a connection ends, the reason is named, and whose fault it is."""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.records import Entrant, Fault, SeatEnding
from arena.referee.clock import Clock
from arena.referee.model import Breakage
from arena.referee.players.connection import Driver
from arena.referee.players.disconnect import explain_disconnect
from arena.referee.players.handshake import await_hello
from arena.referee.players.http2_connection import Http2Connection, Status
from arena.referee.players.own_connection import OwnConnection
from arena.referee.players.remote import RemotePlayer
from arena.wire import http2
from tests.builders.matches import make_fixtures, play_fixtures, random_player
from tests.referee.fake_bots import GOOD_HELLO, FakeBot
from tests.referee.listening import referee, run
from tests.referee.raw_bot import connect, data, message, opening

pytestmark = pytest.mark.usefixtures("short_crash_window")


class RawFake(FakeBot):
    """A bot that says Hello and answers the first request with given bytes."""

    def __init__(self, start: bytes, answer: bytes = b"") -> None:
        super().__init__()
        self._start, self._answer = start, answer

    async def _connect(self, socket: Path) -> None:
        async with connect(socket) as bot:
            await bot.send(self._start)
            if self._answer:
                await bot.take_kind(http2.DATA)
                await bot.send(self._answer)
            await bot.take_rest()


HELLO = opening() + data(message(GOOD_HELLO.SerializeToString()))


def fault_of(fake: FakeBot) -> Fault:
    """Play a fake bot against a random player; return its fault."""
    players = [RemotePlayer(Entrant("raw"), fake.launch), random_player("a")]
    (record,) = play_fixtures(players, make_fixtures(1, 2), tables=1, clock=Clock(60.0, 5.0))
    (fault,) = record.faults
    return fault


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (data(http2.PREFIX.pack(0, 2**32 - 1)), "it announced a message of 4 GiB"),
        (data(http2.PREFIX.pack(0, (4 << 20) + 1)), "it announced a message of 5 MiB"),
        (data(b"\1" + message(b"zipped")[1:]), "it sent a compressed message"),
        (http2.window_update(1, 0), "it broke the rules of gRPC: WINDOW_UPDATE of nothing"),
    ],
    ids=["4 GiB", "above the limit", "compressed", "a rule"],
)
def test_a_fault_names_what_the_bot_did_to_its_call(answer: bytes, sentence: str) -> None:
    fault = fault_of(RawFake(HELLO, answer))
    assert (fault.ending, fault.sentence) == (SeatEnding.NONSENSE, sentence)


def test_without_hello_the_reason_is_why_the_connection_was_refused() -> None:
    async def check() -> None:
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            await bot.send(b"GET / HTTP/1.1\r\n\r\n")
            await bot.take_rest()
            found = await await_hello(made.connection, FakeBot(), asyncio.Event(), limit_s=0.01)
            assert isinstance(found, Breakage)
            assert found.ending is SeatEnding.NO_HELLO
            assert found.sentence == (
                "it sent no Hello within 0.01 s: it broke the rules of gRPC: this is not HTTP/2"
            )

    run(check())


class Mistaken:
    """Handles a call, with a mistake."""

    def __init__(self) -> None:
        self.noted: list[object] = []

    def accept(self, _: Http2Connection, __: Mapping[bytes, bytes]) -> Status | None:
        """Accept every call."""
        return None

    def take_data(self, data: memoryview, size: int) -> None:
        """Make the mistake."""
        raise ZeroDivisionError(size)

    def end_input(self) -> None:
        """Do nothing."""

    def note_violation(self, connection: Http2Connection, reason: str) -> None:
        """Note it."""
        self.noted.append(reason)

    def note_failure(self, error: Exception) -> None:
        """Note it."""
        self.noted.append(type(error))

    def lose_call(self) -> None:
        """Note it."""
        self.noted.append("lost")

    def send_more(self) -> None:
        """Do nothing."""


def test_a_mistake_of_ours_closes_the_connection_and_is_not_blamed_on_the_bot() -> None:
    async def check() -> None:
        ours, bots = sockets.socketpair()
        with bots:
            bots.sendall(opening() + data(message(b"hello")) + data(message(b"more")))
            ours.setblocking(False)
            handler: Any = Mistaken()
            Http2Connection(ours, handler)
            bots.settimeout(60)
            while await asyncio.to_thread(bots.recv, 1 << 16):
                pass
            assert handler.noted == [ZeroDivisionError, "lost"]

    run(check())


@pytest.mark.parametrize("has_call", [False, True])
def test_a_mistake_of_ours_is_raised_where_the_end_is_explained(has_call: bool) -> None:
    async def check() -> None:
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            connection = made.connection
            assert isinstance(connection, OwnConnection)
            if has_call:
                await bot.send(opening() + data(message(b"hello")))
                assert await made.first() == b"hello"
                waiting = asyncio.create_task(connection.receive())
            else:
                waiting = asyncio.create_task(made.first())
            await asyncio.sleep(0)
            connection.note_failure(ZeroDivisionError())
            assert await waiting is None
            assert connection.is_closed
            assert not await connection.send(b"too late")
            with pytest.raises(ZeroDivisionError):
                await explain_disconnect(connection, FakeBot(), asyncio.Event(), "at once")

    run(check())
