"""Run a small program in a real cage and exchange lines with it."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.sandbox.image.memory import memory_base
from arena.sandbox.limits.watchdog import WatchedProcess
from arena.sandbox.select import AUTO, NoCage, select_cage
from arena.sandbox.tempdir import temp_dir
from arena.submission.manifest import Manifest

PATIENCE_S = 180.0
"""Much longer than anything here takes, even on a busy machine."""
PRELUDE = """\
import os, signal, socket, sys, threading, time
lines = socket.socket(socket.AF_UNIX)
lines.connect(os.environ["ARENA_SOCKET"])
lines = lines.makefile("rw")
def send(word):
    print(word, file=lines, flush=True)
def receive():
    return lines.readline()
def burn(seconds):
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass
"""
"""The first lines of every test program."""


class Bot:
    """A program in a cage."""

    def __init__(
        self, process: WatchedProcess, ended: asyncio.Event, bot_socket: BotSocket
    ) -> None:
        self.process = process
        self._socket = bot_socket
        self.ended = ended

    async def receive(self) -> str:
        """Return the next line that it sends."""
        async with asyncio.timeout(PATIENCE_S):
            reader, _ = await self._socket.connection()
            return (await reader.readline()).decode().strip()

    async def send(self, word: str) -> None:
        """Send it a line."""
        _, writer = await self._socket.connection()
        writer.write(f"{word}\n".encode())

    async def wait_for_exit(self) -> End:
        """Wait until it has ended."""
        async with asyncio.timeout(PATIENCE_S):
            await self.ended.wait()
        process = self.process
        return End(process.describe_exit(), process.over_limit(), process.printed().decode())


@dataclass(frozen=True, slots=True)
class End:
    """How a program ended."""

    how: str
    over_limit: str | None
    printed: str


class BotSocket:
    """The socket that one program connects to."""

    def __init__(self, path: Path) -> None:
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._server.setblocking(False)
        self._connection: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connection(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Wait for the connection and return it."""
        if self._connection is None:
            accepted, _ = await asyncio.get_running_loop().sock_accept(self._server)
            self._connection = await asyncio.open_unix_connection(sock=accepted)
        return self._connection

    async def close(self) -> None:
        """Close the connection."""
        self._server.close()
        if self._connection is not None:
            writer = self._connection[1]
            writer.close()
            await writer.wait_closed()


@asynccontextmanager
async def run_caged(
    code: str,
    *,
    cage_name: str = AUTO,
    command: Sequence[str] = ("python", "bot.py"),
    requirements: Sequence[str] = (),
    limits: Mapping[str, int] | None = None,
) -> AsyncIterator[Bot]:
    """Run a program in a cage; its folder holds only the file bot.py."""
    with temp_dir(memory_base()) as folder:
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
        cage = select_cage(cage_name)
        if cage_name == AUTO and cage.warning:
            raise NoCage({cage.name: "this test needs a full cage"})
        launch = cage.launcher(manifest, limits or {})
        bot_socket = BotSocket(folder / "referee.sock")
        ended = asyncio.Event()
        process = launch(folder / "referee.sock", ended.set)
        assert isinstance(process, WatchedProcess)
        try:
            yield Bot(process, ended, bot_socket)
        finally:
            process.kill()
            await bot_socket.close()


def run_to_end(
    code: str,
    *,
    cage_name: str = AUTO,
    command: Sequence[str] = ("python", "bot.py"),
    requirements: Sequence[str] = (),
    limits: Mapping[str, int] | None = None,
) -> End:
    """Run a program in a cage until it ends."""

    async def run() -> End:
        bot = run_caged(
            code, cage_name=cage_name, command=command, requirements=requirements, limits=limits
        )
        async with bot as running:
            return await running.wait_for_exit()

    return asyncio.run(run())


def processes_using(name: str) -> set[int]:
    """List the processes that use a folder: by mounts, arguments or working directory."""
    found = set()
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        process = Path("/proc", pid)
        try:
            command = (process / "cmdline").read_bytes()
            traces = (process / "mountinfo").read_bytes() + command
            traces += os.fsencode(os.readlink(process / "cwd"))
        except OSError:
            continue
        # What waits to remove the files of all bots does not count.
        if os.fsencode(name) in traces and not command.startswith(b"flock\0--exclusive\0"):
            found.add(int(pid))
    return found
