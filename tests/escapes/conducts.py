"""How does a host go about an attack?

Usually it starts the bot and waits for its end. Some attacks are aimed at the start itself, or at
the real player that talks to the bot.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc

from arena.records import Entrant
from arena.referee.clock import Clock
from arena.referee.desk import Desk
from arena.referee.floor import Floor
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.places import fresh, sweep
from arena.sandbox.process import BotProcess, Launch, Process
from arena.wire.messages import METHOD, SERVICE
from tests.escapes.sight import Peaks, cpu_ticks, looking

_PATIENCE_S = 20.0
_MOMENTS_S = (0, 0.002, 0.005, 0.015, 0.05, None)
"""So long after its start a bot is killed; None is when it is at work."""
_SETTLED_S, _FROZEN_S = 0.2, 1.5
_AWAKE_TICKS = 4
"""So many hundredths of a second are more than it uses until it has stopped."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What is known of a bot that has ended."""

    printed: bytes = b""
    ended: str = ""
    over: str | None = None
    peaks: Peaks = field(default_factory=Peaks)


async def started(launch: Launch, path: Path) -> Ran:
    """Start a bot and wait for its end, but not for ever."""
    ended = asyncio.Event()
    process = launch(path, ended.set)
    return await _ended(process, ended)


async def _ended(process: Process, ended: asyncio.Event) -> Ran:
    assert isinstance(process, BotProcess)
    try:
        async with looking(process.pid) as peaks:
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE_S):
                    await ended.wait()
    finally:
        process.kill()
    return Ran(process.printed(), process.how_it_ended(), process.over_limit(), peaks)


@contextmanager
def a_socket() -> Iterator[Path]:
    """Listen where a bot can dial; nobody answers."""
    with fresh() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = folder / "referee.sock"
        listener.bind(str(path))
        listener.listen()
        yield path


async def with_player(launch: Launch) -> Ran:
    """Let the bot talk to a real player, which has no match for it."""
    tasks = []

    def launch_and_wait(path: Path, on_exit: Callable[[], None]) -> Process:
        ended = asyncio.Event()

        def both() -> None:
            ended.set()
            on_exit()

        process = launch(path, both)
        tasks.append(asyncio.create_task(_ended(process, ended)))
        return process

    player = RemotePlayer(Entrant("probe"), launch_and_wait)
    await player.play(Desk(Floor([player], Clock(1.0, 0.0))))
    return await tasks[0]


async def with_naive_server(launch: Launch) -> Ran:
    """Let the bot talk to a server that takes and keeps whatever comes."""
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
    with fresh() as folder:
        path = folder / "referee.sock"
        server.add_insecure_port(f"unix:{path}")
        await server.start()
        try:
            return await started(launch, path)
        finally:
            await server.stop(None)


async def frozen(launch: Launch) -> Ran:
    """Freeze the bot when it is at work, and see whether it stays so."""
    with a_socket() as path:
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
    return Ran(
        process.printed(), process.how_it_ended(), process.over_limit(), Peaks(awake=is_awake)
    )


async def cut_short(launch: Launch) -> Ran:
    """Kill the bot at several moments of its start."""
    for moment in _MOMENTS_S:
        with a_socket() as path:
            process = launch(path, nothing)
            await _reached(moment, process)
            process.kill()
    return Ran(ended=process.how_it_ended())


async def orphaned(launch: Launch) -> Ran:
    """Kill the referee at several moments of a bot's start; the next one tidies up."""
    for moment in _MOMENTS_S:
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(_die_at(moment, launch))
            finally:
                # Whatever has happened, it must not go on as a second host.
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
    await asyncio.sleep(0.05)
    sweep()
    return Ran(ended="was orphaned by SIGKILL")


async def _die_at(moment: float | None, launch: Launch) -> None:
    with a_socket() as path:
        await _reached(moment, launch(path, nothing))
        os.kill(os.getpid(), signal.SIGKILL)


async def _reached(moment: float | None, process: Process) -> None:
    if moment is None:
        await said(b"at work", process)
    else:
        await asyncio.sleep(moment)


async def said(word: bytes, process: Process) -> None:
    """Wait until a bot has printed a word."""
    while word not in process.printed():
        if process.how_it_ended() != "is still running":
            raise RuntimeError(process.printed().decode(errors="replace"))
        await asyncio.sleep(0.01)


def nothing() -> None:
    """Be told that a bot has ended."""
