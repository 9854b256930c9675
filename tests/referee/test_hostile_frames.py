"""Our own driver of gRPC bounds what a bot's frames can cost the referee."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import hpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.referee.players.connection import HARD_LIMIT, Connection, Driver
from arena.wire import http2
from tests.referee.listening import referee, run
from tests.referee.raw_bot import (
    REQUEST,
    Frame,
    RawBot,
    call,
    connect,
    data,
    headers,
    message,
    opening,
)

PING = http2.frame(http2.PING, 0, 0, bytes(8))
SETTINGS = http2.frame(http2.SETTINGS, 0, 0)
START = http2.PREFACE + SETTINGS
ENDS = http2.END_HEADERS | http2.END_STREAM


@asynccontextmanager
async def open_call() -> AsyncIterator[tuple[Connection, RawBot]]:
    """Make a call and send the first message."""
    async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
        connection = made.connection
        await bot.send(opening() + data(message(b"hello")))
        assert await connection.first_message(asyncio.Event()) == b"hello"
        yield connection, bot


async def ping(bot: RawBot) -> list[Frame]:
    """Wait until the referee has read everything; return its other frames."""
    await bot.send(http2.frame(http2.PING, 0, 0, b"the last"))
    frames = []
    while (found := await bot.take()) and found.payload != b"the last":
        frames.append(found)
    assert found, "the referee has closed the connection"
    return frames


def error_of(frames: list[Frame]) -> int | None:
    """Return the error code with which a connection was closed."""
    codes = [int.from_bytes(each.payload[4:8]) for each in frames if each.kind == http2.GOAWAY]
    return codes[0] if codes else None


def padded(size: int) -> bytes:
    """Encode a frame of data that is nothing but padding."""
    return data(bytes([size]) + bytes(size), http2.PADDED)


def calls_and_resets(count: int) -> bytes:
    """Encode calls that are given up at once."""
    encoder = hpack.Encoder()
    return b"".join(
        call(encoder.encode(REQUEST), stream=stream)
        + http2.frame(http2.RST_STREAM, 0, stream, bytes(4))
        for stream in range(3, 3 + 2 * count, 2)
    )


FLOODS: dict[str, Callable[[], bytes]] = {
    "pings": lambda: PING * 20_000,
    "settings": lambda: SETTINGS * 20_000,
    "large settings": lambda: http2.settings_frame(dict.fromkeys(range(100, 2000), 0)) * 50,
    "answers to settings": lambda: http2.frame(http2.SETTINGS, http2.ACK, 0) * 20_000,
    "data without content": lambda: data(b"") * 20_000,
    "data with padding only": lambda: padded(255) * 20_000,
    "messages of one byte a frame": lambda: data(b"\0") + data(b"\0\x10\0\0") + data(b"x") * 20_000,
    "windows": lambda: http2.window_update(0, 1) * 20_000,
    "calls that are refused": lambda: b"".join(
        call(hpack.Encoder().encode(REQUEST), stream=stream) for stream in range(3, 20_000, 2)
    ),
    "calls that are given up": lambda: calls_and_resets(10_000),
    "unknown frames": lambda: http2.frame(0xEE, 0, 0, bytes(1000)) * 1000,
    "priorities": lambda: http2.frame(http2.PRIORITY, 0, 1, bytes(5)) * 20_000,
    "data of a refused call": lambda: (
        call(headers(), stream=3) + data(bytes(1000), stream=3) * 1000
    ),
}


@pytest.mark.parametrize("awaited", [False, True], ids=["idle", "awaited"])
@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_of_frames_without_messages_closes_the_connection(
    flood: str, awaited: bool
) -> None:
    async def check() -> None:
        async with open_call() as (connection, bot):
            reading = asyncio.create_task(bot.take_rest())
            waiting = [asyncio.create_task(connection.receive())] if awaited else []
            await bot.send(FLOODS[flood]())
            assert error_of(await reading) in (http2.ENHANCE_YOUR_CALM, http2.FLOW_CONTROL_ERROR)
            assert await asyncio.gather(*waiting) == [None] * len(waiting)
            assert connection.is_closed
            assert connection.violation

    run(check())


def test_a_bot_that_writes_single_bytes_is_cut_off() -> None:
    async def check() -> None:
        async with open_call() as (connection, bot):
            await bot.send(data(b"x" * 10_000), step=1)
            await bot.take_rest()
            assert connection.is_closed

    run(check())


def test_pings_between_messages_never_add_up() -> None:
    async def check() -> None:
        async with open_call() as (connection, bot):
            for _ in range(50):
                await bot.send(PING * 100 + data(message(b"answer")))
                assert await connection.receive() == b"answer"
                await ping(bot)

    run(check())


def stream_windows(frames: list[Frame]) -> int:
    """Add up how much more the bot may send on its stream."""
    updates = [each for each in frames if (each.kind, each.stream) == (http2.WINDOW_UPDATE, 1)]
    return sum(int.from_bytes(each.payload) for each in updates)


def test_the_window_is_opened_only_while_a_message_is_awaited() -> None:
    size = 200_000
    sent = message(bytes(size))

    async def check() -> None:
        async with open_call() as (connection, bot):
            left = http2.DEFAULT_WINDOW - len(message(b"hello"))
            at = 0
            while left:
                part = sent[at : at + min(left, http2.DEFAULT_FRAME)]
                await bot.send(data(part))
                at, left = at + len(part), left - len(part)
            assert stream_windows(await ping(bot)) == 0
            receiving = asyncio.create_task(connection.receive())
            update = await bot.take_kind(http2.WINDOW_UPDATE, stream=1)
            assert int.from_bytes(update.payload) == len(sent) - at, "and no more than it needs"
            while at < len(sent):
                await bot.send(data(sent[at : at + http2.DEFAULT_FRAME]))
                at += http2.DEFAULT_FRAME
            assert await receiving == bytes(size)

    run(check())


def test_the_window_is_not_opened_for_a_message_above_the_limit() -> None:
    async def check() -> None:
        async with open_call() as (connection, bot):
            await bot.send(data(http2.PREFIX.pack(0, HARD_LIMIT + 1)))
            assert await connection.receive() is None
            # The first headers open the answer, the second end it.
            await bot.take_kind(http2.HEADERS, stream=1)
            trailers = await bot.take_kind(http2.HEADERS, stream=1)
            found = dict(hpack.Decoder().decode(trailers.payload, raw=True))
            assert (trailers.flags, found[b"grpc-status"]) == (ENDS, b"8")

    run(check())


def test_later_headers_may_refer_to_earlier_ones() -> None:
    async def check() -> None:
        encoder = hpack.Encoder()
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            wrong = encoder.encode({**REQUEST, ":path": "/elsewhere"})
            right = encoder.encode(REQUEST)
            assert len(right) < len(headers())
            await bot.send(START + call(wrong) + call(right, stream=3))
            await bot.send(data(message(b"hello"), stream=3))
            assert await made.first() == b"hello"

    run(check())


def test_connections_are_limited() -> None:
    async def connections(path: Path) -> int:
        opened = []
        try:
            for _ in range(100):
                opened.append(await asyncio.open_unix_connection(path))
                # One more turn of the loop, in which it is accepted.
                await asyncio.sleep(0)
        except ConnectionRefusedError:
            pass
        for _, writer in opened:
            writer.close()
        return len(opened)

    async def check() -> None:
        async with referee(Driver.OWN) as made:
            assert 16 <= await connections(made.connection.socket) < 50

    run(check())


def test_a_bot_that_reads_nothing_holds_one_message_and_no_more() -> None:
    async def check() -> None:
        async with open_call() as (connection, bot):
            await bot.send(
                http2.window_update(0, 1 << 30)
                + http2.window_update(1, 1 << 30)
                + http2.settings_frame({http2.MAX_FRAME_SIZE: http2.LARGEST_FRAME})
            )
            await ping(bot)
            sending = asyncio.create_task(connection.send(bytes(10_000_000)))
            for _ in range(100):
                await asyncio.sleep(0)
            assert not sending.done()
            reading = asyncio.create_task(bot.take_rest())
            assert await sending
            bot.end()
            await reading

    run(check())


def test_a_message_that_is_not_awaited_costs_little_memory() -> None:
    async def check() -> None:
        async with open_call() as (_, bot):
            tracemalloc.start()
            part = data(bytes(16_000))
            await bot.send(part * 4)
            await ping(bot)
            kept = tracemalloc.take_snapshot().filter_traces(
                [tracemalloc.Filter(True, "*/referee/players/*")]
            )
            tracemalloc.stop()
            assert sum(each.size for each in kept.statistics("filename")) < 200_000

    run(check())


def frames() -> st.SearchStrategy[bytes]:
    """Draw frames that may be invalid."""
    payloads = st.one_of(
        st.binary(max_size=40), st.binary(max_size=20).map(message), st.just(headers())
    )
    kinds, flags, streams = st.integers(0, 10), st.integers(0, 255), st.integers(0, 4)
    flags = st.one_of(st.sampled_from([0, 1, 4, 5]), flags)
    drawn = st.builds(http2.frame, kinds, flags, streams, payloads)
    pieces = st.one_of(drawn, st.binary(max_size=12), st.just(data(message(b"answer"))))
    return st.lists(pieces, max_size=8).map(b"".join)


@given(
    st.sampled_from([b"", http2.PREFACE, START, opening()]),
    frames(),
    st.sampled_from([1, 7, 1 << 20]),
)
def test_no_bytes_do_harm(start: bytes, sent: bytes, step: int) -> None:
    async def check() -> None:
        async with referee(Driver.OWN) as made, connect(made.connection.socket) as bot:
            connection = made.connection
            ended = asyncio.Event()
            receiving = asyncio.create_task(connection.first_message(ended))
            await bot.send(start + sent, step)
            bot.end()
            ended.set()
            received = await receiving
            while received is not None:
                assert len(received) <= len(sent)
                await connection.send(received)
                received = await connection.receive()

    run(check())
