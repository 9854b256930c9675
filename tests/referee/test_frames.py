"""Whatever valid frames a client sends, and however its call ends, the referee understands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from arena.referee.players.connection import Driver
from arena.wire import http2
from tests.referee.listening import Referee, referee, run
from tests.referee.raw_bot import RawBot, call, connect, data, headers, message, opening


@pytest.fixture(params=list(Driver), ids=lambda driver: driver.value)
def driver(request: pytest.FixtureRequest) -> Driver:
    """Return each driver."""
    chosen: Driver = request.param
    return chosen


PIECES = {
    "plain": call(headers()) + data(message(b"hello")),
    "padded": call(headers()) + data(b"\x03" + message(b"hello") + bytes(3), http2.PADDED),
    "in two frames": call(headers()) + data(message(b"hello")[:7]) + data(message(b"hello")[7:]),
    "headers with priority and padding, continued": (
        http2.frame(
            http2.HEADERS,
            http2.PADDED | http2.HAS_PRIORITY,
            1,
            b"\x04" + bytes(5) + headers()[:3] + bytes(4),
        )
        + http2.frame(http2.CONTINUATION, 0, 1, headers()[3:9])
        + http2.frame(http2.CONTINUATION, http2.END_HEADERS, 1, headers()[9:])
        + data(message(b"hello"))
    ),
    "frames of other types": (
        http2.frame(0xEE, 0, 0, b"?")
        + call(headers())
        + http2.frame(http2.PRIORITY, 0, 1, bytes(5))
        + data(message(b"hello"))
    ),
    "a goaway": http2.frame(http2.GOAWAY, 0, 0, bytes(8))
    + call(headers())
    + data(message(b"hello")),
    "the end of the stream": call(headers()) + data(message(b"hello"), http2.END_STREAM),
    "trailers": (
        call(headers())
        + data(message(b"hello"))
        + http2.frame(http2.HEADERS, http2.END_HEADERS | http2.END_STREAM, 1, b"")
    ),
    "a high stream": call(headers(), stream=77) + data(message(b"hello"), stream=77),
}


@pytest.mark.parametrize("step", [1, 1 << 20])
@pytest.mark.parametrize("piece", PIECES)
def test_a_message_is_understood_in_any_frames_and_pieces(
    driver: Driver, piece: str, step: int
) -> None:
    if driver is Driver.GRPCIO and "padd" in piece:
        pytest.skip("grpcio does not support padding")

    async def check() -> None:
        async with referee(driver) as made, connect(made.connection.socket) as bot:
            sent = http2.PREFACE + http2.frame(http2.SETTINGS, 0, 0) + PIECES[piece]
            _, received = await asyncio.gather(bot.send(sent, step), made.first())
            assert received == b"hello"

    run(check())


@asynccontextmanager
async def raw_call(driver: Driver) -> AsyncIterator[tuple[Referee, RawBot]]:
    """Make a call with frames, and send the first message."""
    async with referee(driver) as made, connect(made.connection.socket) as bot:
        await bot.send(opening() + data(message(b"hello")))
        assert await made.first() == b"hello"
        yield made, bot


async def ping(bot: RawBot) -> None:
    """Wait until the referee has read everything that was sent."""
    await bot.send(http2.frame(http2.PING, 0, 0, b"12345678"))
    while (await bot.take_kind(http2.PING))[1:] != (http2.ACK, 0, b"12345678"):
        pass


def test_pings_are_answered_while_no_message_is_awaited(driver: Driver) -> None:
    async def check() -> None:
        async with raw_call(driver) as (_, bot):
            await ping(bot)

    run(check())


@pytest.mark.parametrize(
    "end",
    [
        pytest.param(http2.frame(http2.RST_STREAM, 0, 1, bytes(4)), id="reset"),
        pytest.param(b"", id="disconnect"),
        pytest.param(b"\0\0", id="disconnect within a frame"),
        pytest.param(data(message(b"answer")[:8], http2.END_STREAM), id="within a message"),
    ],
)
def test_a_call_may_end_in_many_ways(driver: Driver, end: bytes) -> None:
    async def check() -> None:
        async with raw_call(driver) as (made, bot):
            await bot.send(end)
            if len(end) < http2.HEAD.size:
                bot.end()
            assert await made.connection.receive() is None

    run(check())


def test_a_bot_that_answers_and_dies_has_answered() -> None:
    async def check() -> None:
        async with raw_call(Driver.OWN) as (made, bot):
            await bot.send(data(message(b"one") + message(b"two")))
            bot.end()
            assert await made.connection.receive() == b"one"
            assert await made.connection.receive() == b"two"
            assert await made.connection.receive() is None

    run(check())


def test_no_more_is_sent_than_the_windows_allow(driver: Driver) -> None:
    narrow = {http2.INITIAL_WINDOW_SIZE: 10_000, http2.MAX_FRAME_SIZE: 20_000}
    content = bytes(range(256)) * 1000

    async def check() -> None:
        async with raw_call(driver) as (made, bot):
            await bot.send(http2.settings_frame(narrow))
            await ping(bot)
            sending = asyncio.create_task(made.connection.send(content))
            received, window = b"", 10_000
            while len(received) < len(message(content)):
                part = (await bot.take_kind(http2.DATA)).payload
                assert len(part) <= min(window, 20_000)
                received += part
                window -= len(part)
                if not window:
                    window = 30_000
                    await bot.send(http2.window_update(0, window) + http2.window_update(1, window))
            assert received == message(content)
            assert await sending

    run(check())
