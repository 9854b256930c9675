"""How is a small program run in a real cage and talked to, for a test?"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.manifest import Manifest
from arena.sandbox.cages import AUTO, NoCage, cage_named
from arena.sandbox.places import fresh
from arena.sandbox.watched import WatchedProcess

PATIENCE_S = 60.0
"""Far longer than anything here takes, even on a busy machine."""
PRELUDE = """\
import os, signal, socket, sys, threading, time
lines = socket.socket(socket.AF_UNIX)
lines.connect(os.environ["ARENA_SOCKET"])
lines = lines.makefile("rw")
def say(word):
    print(word, file=lines, flush=True)
def hear():
    return lines.readline()
def burn(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
"""
"""What every program of a test begins with."""


class Bot:
    """A program in a cage."""

    def __init__(self, process: WatchedProcess, ended: asyncio.Event, line: Line) -> None:
        self.process = process
        self.line = line
        self.ended = ended

    async def said(self) -> str:
        """Return the next line that it says."""
        async with asyncio.timeout(PATIENCE_S):
            reader, _ = await self.line.connection()
            return (await reader.readline()).decode().strip()

    async def tell(self, word: str) -> None:
        """Say a line to it."""
        _, writer = await self.line.connection()
        writer.write(f"{word}\n".encode())

    async def end(self) -> End:
        """Wait until it has ended."""
        async with asyncio.timeout(PATIENCE_S):
            await self.ended.wait()
        process = self.process
        return End(process.how_it_ended(), process.over_limit(), process.printed().decode())


@dataclass(frozen=True, slots=True)
class End:
    """What is known of a program that has ended."""

    how: str
    over_limit: str | None
    printed: str


class Line:
    """A socket that one program dials."""

    def __init__(self, path: Path) -> None:
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._server.setblocking(False)
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return the connection, when there is one."""
        if self._connection is None:
            dialled, _ = await asyncio.get_running_loop().sock_accept(self._server)
            self._connection = await asyncio.open_unix_connection(sock=dialled)
        return self._connection

    async def close(self) -> None:
        """Hang up."""
        self._server.close()
        if self._connection is not None:
            writer = self._connection[1]
            writer.close()
            await writer.wait_closed()


@asynccontextmanager
async def caged(
    code: str,
    *,
    way: str = AUTO,
    command: Sequence[str] = ("python", "bot.py"),
    requirements: Sequence[str] = (),
    limits: Mapping[str, int] | None = None,
) -> AsyncIterator[Bot]:
    """Run a program in a cage; its folder holds nothing but the file bot.py."""
    with fresh() as folder:
        (folder / "bot.py").write_text(code, encoding="utf-8")
        (folder / "bot.py").chmod(0o755)
        manifest = Manifest(
            "bot",
            ("meow",),
            tuple(command),
            folder,
            only=("bot.py",),
            requirements=tuple(requirements),
        )
        cage = cage_named(way)
        if way == AUTO and cage.warning:
            raise NoCage({cage.name: "it is not the full cage that this test is about"})
        launch = cage.launcher(manifest, limits or {})
        line = Line(folder / "referee.sock")
        ended = asyncio.Event()
        process = launch(folder / "referee.sock", ended.set)
        assert isinstance(process, WatchedProcess)
        try:
            yield Bot(process, ended, line)
        finally:
            process.kill()
            await line.close()


def end_of(
    code: str,
    *,
    way: str = AUTO,
    command: Sequence[str] = ("python", "bot.py"),
    requirements: Sequence[str] = (),
    limits: Mapping[str, int] | None = None,
) -> End:
    """Run a program in a cage until it ends."""

    async def run() -> End:
        bot = caged(code, way=way, command=command, requirements=requirements, limits=limits)
        async with bot as running:
            return await running.end()

    return asyncio.run(run())


def who_sees(name: str) -> set[int]:
    """List the processes that have to do with a folder: by mounts, words or where they are."""
    found = set()
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        process = Path("/proc", pid)
        try:
            traces = (process / "mountinfo").read_bytes() + (process / "cmdline").read_bytes()
            traces += os.fsencode(os.readlink(process / "cwd"))
        except OSError:
            continue
        if os.fsencode(name) in traces:
            found.add(int(pid))
    return found
