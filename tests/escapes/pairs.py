"""Run two bots in two cages: one is given random bits, which the other must not learn."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from arena.sandbox.bot_process import BotProcess, Launch
from arena.sandbox.processor_caches import empty_caches
from arena.sandbox.tempdir import temp_dir
from tests.escapes.probes.pairs import BITS
from tests.escapes.scenarios import RunResult

_ENOUGH = 14
"""This many correct bits are not chance: a constant guess has at most 12, see `_bits`."""
_PATIENCE_S = 120.0


class Refused(Exception):
    """One of the bots could not do what its attack needs."""


class _Bot:
    """One of the two bots, and the connection over which it gets its orders."""

    def __init__(
        self, process: BotProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.process = process
        self._reader = reader
        self._writer = writer

    async def order(self, *words: object) -> str:
        """Send it an order and return its answer."""
        self._writer.write(f"{' '.join(map(str, words))}\n".encode())
        answer = (await self._reader.readline()).decode().strip()
        if not answer:
            raise RuntimeError(self.process.printed().decode(errors="replace"))
        if answer.startswith("refused"):
            raise Refused(answer)
        return answer


async def run_pair(launch: Launch, before_each: Callable[[], None]) -> RunResult:
    """Start the same program twice, pass random bits one by one, and return the result."""
    sent, received = _bits(), []
    async with asyncio.timeout(_PATIENCE_S), _start(launch) as sender:
        async with _start(launch) as receiver:
            try:
                for bit in sent:
                    before_each()
                    await receiver.order("prepare")
                    await sender.order("send", int(bit))
                    received.append(await receiver.order("receive") == "1")
                    await sender.order("reset")
                claim = _claim(sent, received)
            except Refused as refusal:
                claim = {"escaped": False, "detail": str(refusal)}
    return _result(claim, sender.process, receiver.process)


async def run_successor(launch: Launch, before: Callable[[], None]) -> RunResult:
    """Give random bits to one bot, and ask another one that starts after the first has ended."""
    sent, received = _bits(), []
    before()
    async with asyncio.timeout(_PATIENCE_S):
        async with _start(launch) as sender:
            for bit in sent:
                await sender.order("send", int(bit))
        # As between two generations of matches.
        await asyncio.to_thread(empty_caches)
        async with _start(launch) as receiver:
            for _ in sent:
                received.append(await receiver.order("receive") == "1")
    return _result(_claim(sent, received), sender.process, receiver.process)


async def run_successors(launch: Launch) -> RunResult:
    """Give each random bit to a separate bot, and ask another one that starts afterwards."""
    sent, received = _bits(), []
    async with asyncio.timeout(_PATIENCE_S):
        for bit in sent:
            async with _start(launch) as sender:
                await sender.order("send", int(bit))
            async with _start(launch) as receiver:
                received.append(await receiver.order("receive") == "1")
    return _result(_claim(sent, received), sender.process, receiver.process)


def _claim(sent: list[bool], received: list[bool]) -> dict[str, object]:
    right = sum(map(bool.__eq__, sent, received))
    return {"escaped": right >= _ENOUGH, "detail": f"{right} of {BITS} bits were right"}


def _result(claim: dict[str, object], *processes: BotProcess) -> RunResult:
    over = next(filter(None, (each.over_limit() for each in processes)), None)
    ended = ", ".join(each.describe_exit() for each in processes)
    return RunResult(json.dumps(claim).encode(), ended, over)


def _bits() -> list[bool]:
    """Draw enough bits of both kinds, so that a constant guess is not right."""
    while True:
        bits = [bool(secrets.randbelow(2)) for _ in range(BITS)]
        if 4 <= sum(bits) <= BITS - 4:
            return bits


@asynccontextmanager
async def _start(launch: Launch) -> AsyncIterator[_Bot]:
    """Start a bot and wait until it has connected."""
    connected: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]
    connected = asyncio.get_running_loop().create_future()
    ended = asyncio.Event()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.set_result((reader, writer))

    def exited() -> None:
        ended.set()
        if not connected.done():
            connected.set_exception(RuntimeError("a bot ended before it connected"))

    with temp_dir() as folder:
        path = folder / "referee.sock"
        server = await asyncio.start_unix_server(accept, path)
        process = launch(path, exited)
        assert isinstance(process, BotProcess)
        try:
            reader, writer = await connected
            yield _Bot(process, reader, writer)
            writer.close()
            async with asyncio.timeout(_PATIENCE_S):
                await ended.wait()
        finally:
            process.kill()
            server.close()
