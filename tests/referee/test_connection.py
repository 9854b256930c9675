"""A connection carries one gRPC call of any client, and both drivers behave the same."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import pytest

from arena.errors import PlatformError
from arena.referee.players.connection import HARD_LIMIT, ONE_CALL, Driver, listen
from arena.sandbox.tempdir import temp_dir
from arena.sdk.call import Call
from arena.wire import http2
from tests.referee.listening import referee, run

METHOD = "/arena.wire.v1.Arena/Play"
UNLIMITED = (("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1))
FRAME = http2.DEFAULT_FRAME
SIZES = [0, 1, FRAME - 6, FRAME - 5, FRAME - 1, FRAME, FRAME + 1, 65_530, 65_536, 1 << 20]


@pytest.fixture(params=list(Driver), ids=lambda driver: driver.value)
def driver(request: pytest.FixtureRequest) -> Driver:
    """Return each driver."""
    chosen: Driver = request.param
    return chosen


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
def test_messages_of_more_than_a_window_use_up_no_window(
    driver: Driver, client: Callable[[Path], None]
) -> None:
    async def check() -> None:
        async with referee(driver) as made:
            thread = threading.Thread(target=client, args=(made.connection.socket,))
            thread.start()
            assert await made.first() == b"hello"
            for number in range(500):
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
