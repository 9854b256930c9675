"""A connection carries one gRPC call of any client, and both drivers behave the same."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from arena.errors import ArenaError, PlatformError
from arena.referee.players.connection import (
    DRIVER,
    HARD_LIMIT,
    ONE_CALL,
    Connection,
    Driver,
    chosen_driver,
    listen,
)
from arena.sandbox.tempdir import temp_dir
from arena.sdk.call import Call, CallFailed
from arena.wire import http2
from tests.referee.raw_bot import RawBot, call, connect, data, headers, message, opening

METHOD = "/arena.wire.v1.Arena/Play"
UNLIMITED = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))
FRAME = http2.DEFAULT_FRAME
SIZES = [0, 1, FRAME - 6, FRAME - 5, FRAME - 1, FRAME, FRAME + 1, 65_530, 65_536, 1 << 20]


@pytest.fixture(params=list(Driver), ids=lambda driver: driver.value)
def driver(request: pytest.FixtureRequest) -> Driver:
    """Return each driver."""
    chosen: Driver = request.param
    return chosen


class Referee:
    """A connection, and how often its end was reported."""

    connection: Connection
    closed = 0

    def on_close(self) -> None:
        """Count."""
        self.closed += 1

    async def first(self) -> bytes | None:
        """Wait for the first message of a bot that does not end."""
        return await self.connection.first_message(asyncio.Event())


@asynccontextmanager
async def referee(driver: Driver) -> AsyncIterator[Referee]:
    """Listen, and fail if the event loop reports an error."""
    errors: list[dict[str, Any]] = []

    def note(_: object, context: dict[str, Any]) -> None:
        # The poller of grpc.aio sometimes finds that another event loop was faster, and its server
        # reports calls that were refused.
        is_expected = isinstance(context.get("exception"), BlockingIOError)
        if not is_expected and driver is Driver.OWN:
            errors.append(context)

    asyncio.get_running_loop().set_exception_handler(note)
    made = Referee()
    with temp_dir() as folder:
        async with asyncio.timeout(60), listen(folder / "s", made.on_close, driver) as connection:
            made.connection = connection
            yield made
    assert errors == []


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test."""
    asyncio.run(test)


def sdk_bot(path: Path) -> None:
    """Echo with the SDK's client."""
    with closing(Call(str(path), METHOD)) as call:
        call.write(b"hello")
        while (received := call.read()) is not None:
            call.write(received)


def sync_bot(path: Path) -> None:
    """Echo with grpcio's client and its threads."""
    outbox: SimpleQueue[bytes | None] = SimpleQueue()
    outbox.put(b"hello")
    with grpc.insecure_channel(f"unix:{path}", options=UNLIMITED) as channel:
        for received in channel.stream_stream(METHOD)(iter(outbox.get, None)):
            outbox.put(received)
        outbox.put(None)


def aio_bot(path: Path) -> None:
    """Echo with grpc.aio, in its own event loop."""

    async def echo() -> None:
        async with grpc.aio.insecure_channel(f"unix:{path}", options=UNLIMITED) as channel:
            call = channel.stream_stream(METHOD)()
            await call.write(b"hello")
            while (received := await call.read()) is not grpc.aio.EOF:
                await call.write(received)

    asyncio.run(echo())


@asynccontextmanager
async def aio_call(path: Path, **options: Any) -> AsyncIterator[Any]:
    """Make a call with grpc.aio."""
    async with grpc.aio.insecure_channel(f"unix:{path}", options=UNLIMITED) as channel:
        yield channel.stream_stream(METHOD)(**options)


CLIENTS: list[Callable[[Path], None]] = [sdk_bot, sync_bot, aio_bot]


@pytest.mark.parametrize("client", CLIENTS)
def test_messages_of_any_size_travel_both_ways(
    driver: Driver, client: Callable[[Path], None]
) -> None:
    async def check() -> None:
        async with referee(driver) as made:
            thread = threading.Thread(target=client, args=(made.connection.socket,))
            thread.start()
            assert await made.first() == b"hello"
            for number, size in enumerate([*SIZES, HARD_LIMIT]):
                sent = bytes([number]) * size
                assert await made.connection.send(sent)
                assert await made.connection.receive() == sent
            made.connection.close()
            await asyncio.to_thread(thread.join)
        assert made.closed == 1

    run(check())


@pytest.mark.parametrize("client", CLIENTS)
def test_thousands_of_messages_use_up_no_window(
    driver: Driver, client: Callable[[Path], None]
) -> None:
    async def check() -> None:
        async with referee(driver) as made:
            thread = threading.Thread(target=client, args=(made.connection.socket,))
            thread.start()
            assert await made.first() == b"hello"
            for number in range(2000):
                sent = number.to_bytes(2) * 100
                await made.connection.send(sent)
                assert await made.connection.receive() == sent
            made.connection.close()
            await asyncio.to_thread(thread.join)

    run(check())


async def outcome(call: Any) -> tuple[Any, str]:
    """Return how a call of grpc.aio ended."""
    return await call.code(), await call.details()


def test_a_message_above_the_limit_ends_the_call_and_the_bot_learns_why(driver: Driver) -> None:
    async def check() -> None:
        async with referee(driver) as made, aio_call(made.connection.socket) as call:
            writing = asyncio.create_task(call.write(bytes(HARD_LIMIT + 1)))
            assert await made.first() is None
            code, details = await outcome(call)
            assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
            assert f"({HARD_LIMIT + 1} vs. {HARD_LIMIT})" in details
            await asyncio.gather(writing, return_exceptions=True)
            assert not await made.connection.send(b"too late")
        assert made.closed == 1

    run(check())


def test_the_sdk_reports_that_a_message_was_too_large(driver: Driver) -> None:
    reports: list[str] = []

    def shout(path: Path) -> None:
        with closing(Call(str(path), METHOD)) as call:
            try:
                call.write(bytes(HARD_LIMIT + 1))
                call.read()
            except CallFailed as error:
                reports.append(str(error))

    async def check() -> None:
        async with referee(driver) as made:
            thread = threading.Thread(target=shout, args=(made.connection.socket,))
            thread.start()
            assert await made.first() is None
            await asyncio.to_thread(thread.join)

    run(check())
    assert "status 8" in reports[0]


@pytest.mark.parametrize("channels", ["the same", "another"])
def test_a_second_call_is_refused_and_the_first_goes_on(driver: Driver, channels: str) -> None:
    async def check() -> None:
        async with referee(driver) as made:
            address = f"unix:{made.connection.socket}"
            # Without this, grpcio shares one connection between channels.
            own = (("grpc.use_local_subchannel_pool", 1),)
            async with (
                grpc.aio.insecure_channel(address, options=own) as one,
                grpc.aio.insecure_channel(address, options=own) as two,
            ):
                first = one.stream_stream(METHOD)()
                await first.write(b"hello")
                assert await made.first() == b"hello"
                second = (one if channels == "the same" else two).stream_stream(METHOD)()
                code, details = await outcome(second)
                assert (code, details) == (grpc.StatusCode.RESOURCE_EXHAUSTED, ONE_CALL)
                await made.connection.send(b"go on")
                assert await first.read() == b"go on"
        assert made.closed == 1

    run(check())


def test_another_method_is_not_implemented(driver: Driver) -> None:
    async def check() -> None:
        async with referee(driver) as made:
            async with grpc.aio.insecure_channel(f"unix:{made.connection.socket}") as channel:
                call = channel.stream_stream("/arena.wire.v1.Arena/Watch")()
                code, details = await outcome(call)
                assert (code, details) == (grpc.StatusCode.UNIMPLEMENTED, "Method not found!")
        assert made.closed == 0

    run(check())


def test_a_compressed_call_is_refused(driver: Driver) -> None:
    async def check() -> None:
        async with referee(driver) as made:
            options = {"compression": grpc.Compression.Gzip}
            async with aio_call(made.connection.socket, **options) as call:
                with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                    await call.write(bytes(1000))
                refusals = {grpc.StatusCode.UNIMPLEMENTED}
                if driver is Driver.GRPCIO:
                    # It depends on timing which layer of grpcio notices it first.
                    refusals.add(grpc.StatusCode.INTERNAL)
                assert await call.code() in refusals

    run(check())


def test_closing_ends_the_call_without_an_error_after_the_last_message(driver: Driver) -> None:
    async def check() -> None:
        async with referee(driver) as made, aio_call(made.connection.socket) as call:
            await call.write(b"hello")
            assert await made.first() == b"hello"
            await made.connection.send(bytes(1 << 20))
            made.connection.close()
            assert len(await call.read()) == 1 << 20
            assert await call.read() is grpc.aio.EOF
            assert await call.code() is grpc.StatusCode.OK
        assert made.closed == 1

    run(check())


@pytest.mark.parametrize("way", ["cancel", "disconnect"])
def test_the_end_of_the_call_is_reported_even_between_messages(driver: Driver, way: str) -> None:
    async def check() -> None:
        ended = asyncio.Event()
        async with referee(driver) as made:
            made.connection._on_close = ended.set
            async with aio_call(made.connection.socket) as call:
                await call.write(b"hello")
                assert await made.first() == b"hello"
                assert not made.connection.is_closed
                if way == "cancel":
                    call.cancel()
                    await ended.wait()
            await ended.wait()
            assert made.connection.is_closed
            assert not await made.connection.send(b"too late")

    run(check())


def test_a_bot_that_sends_no_more_can_still_receive(driver: Driver) -> None:
    async def check() -> None:
        async with referee(driver) as made, aio_call(made.connection.socket) as call:
            await call.write(b"hello")
            await call.write(b"and")
            await call.done_writing()
            assert await made.first() == b"hello"
            assert await made.connection.receive() == b"and"
            assert await made.connection.receive() is None
            assert not made.connection.is_closed
            assert await made.connection.send(b"listen")
            assert await call.read() == b"listen"

    run(check())


def test_a_bot_that_ends_before_its_call_sends_nothing(driver: Driver) -> None:
    async def check() -> None:
        ended = asyncio.Event()
        async with referee(driver) as made:
            ended.set()
            assert await made.connection.first_message(ended) is None

    run(check())


def test_waiting_for_a_message_can_be_abandoned_and_repeated() -> None:
    # grpcio ends the call instead.
    async def check() -> None:
        async with referee(Driver.OWN) as made, aio_call(made.connection.socket) as call:
            await call.write(b"hello")
            assert await made.first() == b"hello"
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0):
                    await made.connection.receive()
            await call.write(b"later")
            assert await made.connection.receive() == b"later"

    run(check())


def test_a_socket_that_cannot_be_created_is_the_machines_fault(driver: Driver) -> None:
    async def check() -> None:
        with temp_dir() as folder, pytest.raises(PlatformError, match="cannot create a socket in"):
            async with listen(folder / "missing" / "s", lambda: None, driver):
                pass

    run(check())


# Frames that are valid, and that some clients send.

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


def test_the_environment_chooses_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DRIVER, raising=False)
    assert chosen_driver() is Driver.OWN
    monkeypatch.setenv(DRIVER, "grpcio")
    assert chosen_driver() is Driver.GRPCIO
    monkeypatch.setenv(DRIVER, "pigeon")
    with pytest.raises(ArenaError, match="ARENA_GRPC is 'pigeon': it must be own or grpcio"):
        chosen_driver()


def in_new_process(code: str) -> str:
    """Run code in another process, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if name != DRIVER}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, capture_output=True, text=True).stdout


def test_the_referee_does_not_import_grpcio() -> None:
    code = (
        "import asyncio, sys, tempfile, pathlib, arena.referee.players.remote as _\n"
        "from arena.referee.players.connection import listen\n"
        "async def main():\n"
        "    with tempfile.TemporaryDirectory() as folder:\n"
        "        async with listen(pathlib.Path(folder, 's'), print): pass\n"
        "asyncio.run(main()); print('grpc' in sys.modules)"
    )
    assert in_new_process(code) == "False\n"


def test_without_hpack_grpcio_is_used() -> None:
    code = (
        "import sys; sys.modules['hpack'] = None\n"
        "from arena.referee.players.connection import chosen_driver\n"
        "print(chosen_driver().value)"
    )
    assert in_new_process(code) == "grpcio\n"
