"""Two bots in two cages: one is told some bits, and the other must not learn them."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from arena.sandbox.places import fresh
from arena.sandbox.process import BotProcess, Launch
from tests.escapes.conducts import Ran
from tests.escapes.sight import descendants

_BITS = 16
_ENOUGH = 14
"""So many bits right are no chance: who always hears the same has 12 at most, see `_bits`."""
_PATIENCE_S = 120.0


class Refused(Exception):
    """One of the bots could not do what its attack needs."""


class _Bot:
    """A bot that takes part, and the connection over which it is told what to do."""

    def __init__(
        self, process: BotProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.process = process
        self._reader = reader
        self._writer = writer

    @property
    def pid(self) -> int:
        """Its process as the host numbers it: the innermost, behind whatever started it."""
        return [self.process.pid, *descendants(self.process.pid)][-1]

    async def does(self, *words: object) -> str:
        """Tell it to do something, and return what it answers."""
        self._writer.write(f"{' '.join(map(str, words))}\n".encode())
        answer = (await self._reader.readline()).decode().strip()
        if not answer:
            raise RuntimeError(self.process.printed().decode(errors="replace"))
        if answer.startswith("refused"):
            raise Refused(answer)
        return answer


async def two_cages(launch: Launch, before_each: Callable[[], None]) -> Ran:
    """Start the same program twice, pass random bits, and claim what came of it."""
    async with asyncio.timeout(_PATIENCE_S), _started(launch) as sender:
        async with _started(launch) as receiver:
            claim = await _passed(sender, receiver, before_each)
            processes = sender.process, receiver.process
    over = next(filter(None, (each.over_limit() for each in processes)), None)
    ended = ", ".join(each.how_it_ended() for each in processes)
    return Ran(json.dumps(claim).encode(), ended, over)


async def _passed(
    sender: _Bot, receiver: _Bot, before_each: Callable[[], None]
) -> dict[str, object]:
    sent, heard = _bits(), []
    try:
        for bit in sent:
            before_each()
            await receiver.does("listen", sender.pid)
            await sender.does("say", int(bit))
            heard.append(await receiver.does("hear") == "1")
            await sender.does("rest")
    except Refused as refusal:
        return {"escaped": False, "detail": str(refusal)}
    right = sum(map(bool.__eq__, sent, heard))
    return {"escaped": right >= _ENOUGH, "detail": f"{right} of {_BITS} bits were right"}


def _bits() -> list[bool]:
    """Draw bits of both kinds, so that whoever always hears the same is not right."""
    while True:
        bits = [bool(secrets.randbelow(2)) for _ in range(_BITS)]
        if 4 <= sum(bits) <= _BITS - 4:
            return bits


@asynccontextmanager
async def _started(launch: Launch) -> AsyncIterator[_Bot]:
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

    with fresh() as folder:
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
