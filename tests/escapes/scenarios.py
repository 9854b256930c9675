"""Scenarios: how the host runs an attack.

Usually it starts the bot and waits for its end. Some attacks target the start itself, or the real
player that talks to the bot.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from arena.records import Entrant
from arena.referee.clock import Clock
from arena.referee.mailbox import Mailbox
from arena.referee.players.remote import RemotePlayer
from arena.referee.referee import Referee
from arena.sandbox.bot_process import BotProcess, Launch, Process
from arena.sandbox.tempdir import sweep, temp_dir
from arena.wire.envelope import METHOD, SERVICE
from tests.escapes.observe import Peaks, cpu_ticks, observe

_PATIENCE_S = 60.0
_MOMENTS_S = (0, 0.002, 0.005, 0.015, 0.05, None)
"""When a bot is killed, after its start; None means once it is at work."""
_SETTLED_S, _FROZEN_S = 0.2, 1.5
_SWEEPS_S = 10.0
_AWAKE_TICKS = 4
"""More hundredths of a second than it uses until it has stopped."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a bot that has ended."""

    printed: bytes = b""
    ended: str = ""
    over: str | None = None
    peaks: Peaks = field(default_factory=Peaks)


async def run_to_end(launch: Launch, path: Path) -> RunResult:
    """Start a bot and wait for its end, with a timeout."""
    ended = asyncio.Event()
    process = launch(path, ended.set)
    return await _wait_for_end(process, ended)


async def _wait_for_end(process: Process, ended: asyncio.Event) -> RunResult:
    assert isinstance(process, BotProcess)
    try:
        async with observe(process.pid) as peaks:
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE_S):
                    await ended.wait()
    finally:
        process.kill()
    return RunResult(process.printed(), process.describe_exit(), process.over_limit(), peaks)


@contextmanager
def listening_socket() -> Iterator[Path]:
    """Listen on a socket for a bot, without answering."""
    with temp_dir() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = folder / "referee.sock"
        listener.bind(str(path))
        listener.listen()
        yield path


async def with_player(launch: Launch) -> RunResult:
    """Connect the bot to a real player that has no match for it."""
    tasks = []

    def launch_and_wait(path: Path, on_exit: Callable[[], None]) -> Process:
        ended = asyncio.Event()

        def both() -> None:
            ended.set()
            on_exit()

        process = launch(path, both)
        tasks.append(asyncio.create_task(_wait_for_end(process, ended)))
        return process

    player = RemotePlayer(Entrant("probe"), launch_and_wait)
    await player.play(Mailbox(Referee([player], Clock(1.0, 0.0)).conditions))
    return await tasks[0]


async def with_naive_server(launch: Launch) -> RunResult:
    """Connect the bot to a server that keeps every message."""
    kept = []

    async def take(requests: Any, _: object) -> None:
        async for request in requests:
            kept.append(request)
        await asyncio.sleep(_PATIENCE_S)

    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(take)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {METHOD: handler}),)
    )
    with temp_dir() as folder:
        path = folder / "referee.sock"
        server.add_insecure_port(f"unix:{path}")
        await server.start()
        try:
            return await run_to_end(launch, path)
        finally:
            await server.stop(None)


async def frozen(launch: Launch) -> RunResult:
    """Freeze the bot while it is at work, and observe whether it stays frozen."""
    with listening_socket() as path:
        ended = asyncio.Event()
        process = launch(path, ended.set)
        assert isinstance(process, BotProcess)
        try:
            async with asyncio.timeout(_PATIENCE_S):
                while b"at work" not in process.printed() and not ended.is_set():
                    await asyncio.sleep(0.01)
            process.freeze()
            await asyncio.sleep(_SETTLED_S)
            before = cpu_ticks()
            await asyncio.sleep(_FROZEN_S)
            is_awake = cpu_ticks() - before > _AWAKE_TICKS
        finally:
            process.kill()
    return RunResult(
        process.printed(), process.describe_exit(), process.over_limit(), Peaks(awake=is_awake)
    )


async def killed_while_starting(launch: Launch) -> RunResult:
    """Kill the bot at several moments during its start."""
    for moment in _MOMENTS_S:
        with listening_socket() as path:
            process = launch(path, ignore_exit)
            await _wait_until(moment, process)
            process.kill()
    return RunResult(ended=process.describe_exit())


async def orphaned(launch: Launch) -> RunResult:
    """Kill the referee at several moments during a bot's start; the next one cleans up."""
    before = set(os.listdir(tempfile.gettempdir()))
    for moment in _MOMENTS_S:
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(_die_at(moment, launch))
            finally:
                # Whatever happens, it must not continue as a second host.
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
    # A child that has not called exec yet holds the lock of its referee's folder until it does.
    with suppress(TimeoutError):
        async with asyncio.timeout(_SWEEPS_S):
            while set(os.listdir(tempfile.gettempdir())) - before:
                sweep()
                await asyncio.sleep(0.05)
    return RunResult(ended="was orphaned by SIGKILL")


async def _die_at(moment: float | None, launch: Launch) -> None:
    with listening_socket() as path:
        await _wait_until(moment, launch(path, ignore_exit))
        os.kill(os.getpid(), signal.SIGKILL)


async def _wait_until(moment: float | None, process: Process) -> None:
    if moment is None:
        await wait_for_output(b"at work", process)
    else:
        await asyncio.sleep(moment)


async def wait_for_output(word: bytes, process: Process) -> None:
    """Wait until a bot has printed a word."""
    while word not in process.printed():
        if process.describe_exit() != "is still running":
            raise RuntimeError(process.printed().decode(errors="replace"))
        await asyncio.sleep(0.01)


def ignore_exit() -> None:
    """Ignore that a bot has ended."""
