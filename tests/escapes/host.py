"""What comes of attacks in one cage: `host.py CAGE FOLDER SECRET TITLE...` prints it as JSON.

CAGE is `none` for outside, FOLDER is empty and to be removed by the caller, TITLEs name attacks.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import grpc

from arena.errors import BadInput
from arena.manifest import Manifest
from arena.records import STDERR_BYTES, Entrant
from arena.referee.clock import Clock
from arena.referee.desk import Desk
from arena.referee.floor import Floor
from arena.referee.players.line import SERVICE
from arena.referee.players.remote import RemotePlayer
from arena.sandbox.cages import Cage, Launch, NoCage, NoneCage, cage_named
from arena.sandbox.locks import Lock
from arena.sandbox.places import fresh, sweep
from arena.sandbox.process import BotProcess, Process
from arena.wire.messages import SOCKET
from tests.escapes.attacks import ATTACKS, Attack
from tests.escapes.bots import dressed, probe_manifest
from tests.escapes.probes.kit import Facts
from tests.escapes.scene import Scene
from tests.escapes.sight import Peaks, adopt_orphans, looking, traces

_PATIENCE_S = 20.0
_MOMENTS_S = (0, 0.001, 0.003, 0.006, 0.012, 0.025, 0.05, 0.1, None)
"""So long after its start a bot is killed; None is when it is at work."""
_NEIGHBOUR = "others.wait_with_a_lock"


class Outside(Cage):
    """No cage at all: a child that inherits everything, and of whose output everything is kept."""

    name = mark = NoneCage.name

    def launcher(
        self, bot: Manifest, set_here: Mapping[str, int], lock: Lock | None = None
    ) -> Launch:
        """Return what starts a bot as carelessly as can be."""
        program, *rest = bot.command
        command = [sys.executable if bot.runs_python else program, *rest]

        def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
            popen = subprocess.Popen(
                command,
                cwd=bot.folder,
                env={**os.environ, **bot.environment, SOCKET: str(socket)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                close_fds=False,
                process_group=0,
            )
            return BotProcess(popen, on_exit, kept=sys.maxsize)

        return launch


@dataclass(frozen=True, slots=True)
class Ran:
    """What is known of a bot that has ended."""

    printed: bytes = b""
    ended: str = ""
    over: str | None = None
    peaks: Peaks = field(default_factory=Peaks)


class Host:
    """Lets attacks happen, one after the other."""

    def __init__(self, cage: Cage, scene: Scene, facts: Facts) -> None:
        self._cage = cage
        self._scene = scene
        self._facts = facts

    async def result(self, attack: Attack) -> dict[str, Any]:
        """Let an attack happen, and tell all that is known of it."""
        before = traces()
        ran = await self._refused_or_ran(attack)
        left = await before.left()
        stored_kib = len(ran.printed) >> 10
        return {
            **_verdict(ran.printed),
            "ended": ran.ended,
            "over": ran.over,
            "printed": ran.printed[-2000:].decode(errors="replace"),
            "seen": {
                **self._scene.changes(),
                **asdict(ran.peaks),
                "left": left,
                "stored": stored_kib if len(ran.printed) > STDERR_BYTES else 0,
            },
        }

    async def _refused_or_ran(self, attack: Attack) -> Ran:
        folder = self._scene.folder / "bots" / "bot"
        folder.mkdir()
        try:
            bot = dressed(attack, folder, self._facts)
            return await self._conducted(attack, self._cage.launcher(bot, attack.limits))
        except BadInput as error:
            return Ran(ended=f"was refused: {error}")
        finally:
            shutil.rmtree(folder)

    async def _conducted(self, attack: Attack, launch: Launch) -> Ran:
        if attack.conduct == "player":
            is_naive = isinstance(self._cage, Outside)
            return await (_with_naive_server if is_naive else _with_player)(launch)
        if attack.conduct == "cut short":
            return await _cut_short(launch)
        if attack.conduct == "orphaned":
            return await _orphaned(launch)
        with _a_socket() as path:
            return await _started(launch, path)


async def _started(launch: Launch, path: Path) -> Ran:
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
def _a_socket() -> Iterator[Path]:
    """Listen where a bot can dial; nobody answers."""
    with fresh() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = folder / "referee.sock"
        listener.bind(str(path))
        listener.listen()
        yield path


async def _with_player(launch: Launch) -> Ran:
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


async def _with_naive_server(launch: Launch) -> Ran:
    """Let the bot talk to a server that takes and keeps whatever comes."""
    kept = []

    async def take(requests: Any, _: object) -> None:
        async for request in requests:
            kept.append(request)
        await asyncio.sleep(_PATIENCE_S)

    server = grpc.aio.server()
    handler = grpc.stream_stream_rpc_method_handler(take)
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(SERVICE, {"Play": handler}),)
    )
    with fresh() as folder:
        path = folder / "referee.sock"
        server.add_insecure_port(f"unix:{path}")
        await server.start()
        try:
            return await _started(launch, path)
        finally:
            await server.stop(None)


async def _cut_short(launch: Launch) -> Ran:
    """Kill the bot at several moments of its start."""
    for moment in _MOMENTS_S:
        with _a_socket() as path:
            process = launch(path, _nothing)
            await _reached(moment, process)
            process.kill()
    return Ran(ended=process.how_it_ended())


async def _orphaned(launch: Launch) -> Ran:
    """Kill the referee at several moments of a bot's start; the next one tidies up."""
    for moment in _MOMENTS_S:
        child = os.fork()
        if child == 0:
            asyncio.run(_die_at(moment, launch))
        os.waitpid(child, 0)
    await asyncio.sleep(0.05)
    sweep()
    return Ran(ended="was orphaned by SIGKILL")


async def _die_at(moment: float | None, launch: Launch) -> None:
    with _a_socket() as path:
        await _reached(moment, launch(path, _nothing))
        os.kill(os.getpid(), signal.SIGKILL)


async def _reached(moment: float | None, process: Process) -> None:
    if moment is None:
        await _said(b"at work", process)
    else:
        await asyncio.sleep(moment)


async def _said(word: bytes, process: Process) -> None:
    while word not in process.printed():
        if process.how_it_ended() != "is still running":
            raise RuntimeError(process.printed().decode(errors="replace"))
        await asyncio.sleep(0.01)


def _nothing() -> None:
    pass


def _verdict(printed: bytes) -> dict[str, Any]:
    """Find what the bot says came of its attack: the worst, if it says several things."""
    claims = [json.loads(line) for line in printed.splitlines() if line.startswith(b'{"escaped"')]
    claims.sort(key=lambda claim: claim["escaped"])
    return claims[-1] if claims else {"escaped": None, "detail": ""}


async def _with_neighbour(cage: Cage, scene: Scene, attacks: list[Attack]) -> dict[str, Any]:
    """Let attacks happen while another bot runs in the same kind of cage."""
    before = traces()
    bot = probe_manifest(scene.neighbour, _NEIGHBOUR)
    with _a_socket() as path:
        first = scene.facts(other_folder=scene.neighbour, other_socket=path)
        (scene.neighbour / "facts.json").write_text(json.dumps(first._asdict()))
        process = cage.launcher(bot, {})(path, _nothing)
        try:
            await _said(b"ready", process)
            places = traces().folders - before.folders
            folders = [Path(tempfile.gettempdir(), name, "bot") for name in places]
            folder = next((found for found in folders if found.exists()), scene.neighbour)
            facts = scene.facts(other_folder=folder, other_socket=path)
            host = Host(cage, scene, facts)
            return {attack.title: await host.result(attack) for attack in attacks}
        finally:
            process.kill()


def main(name: str, folder: Path, secret: str, titles: list[str]) -> None:
    """Print the results of some attacks."""
    os.umask(0o022)
    adopt_orphans()
    attacks = [attack for attack in ATTACKS if attack.title in titles]
    try:
        cage = Outside() if name == NoneCage.name else cage_named(name)
    except NoCage as error:
        print(json.dumps({"cannot": str(error)}))
        return
    with Scene(folder, secret) as scene:
        results = asyncio.run(_with_neighbour(cage, scene, attacks))
    print(json.dumps({"results": results}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
