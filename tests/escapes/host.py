"""What comes of attacks in one cage: `host.py CAGE FOLDER SECRET TITLE...` prints it as JSON.

CAGE is `none` for outside, FOLDER is empty and to be removed by the caller, TITLEs name attacks. It
must be started in a session of its own.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.errors import BadInput
from arena.manifest import Manifest
from arena.records import STDERR_BYTES
from arena.sandbox.cage import Cage, NoneCage, RealCage
from arena.sandbox.cages import NoCage, cage_named
from arena.sandbox.control_groups import why_no_groups
from arena.sandbox.environments import plain_environment
from arena.sandbox.locks import Lock
from arena.sandbox.process import BotProcess, Launch, Process
from arena.wire.messages import SOCKET
from tests.escapes.attack import Attack
from tests.escapes.attacks import ATTACKS
from tests.escapes.bots import dressed, probe_manifest
from tests.escapes.conducts import (
    Ran,
    a_socket,
    cut_short,
    frozen,
    nothing,
    orphaned,
    said,
    started,
    with_naive_server,
    with_player,
)
from tests.escapes.pairs import two_cages
from tests.escapes.probes.kit import Facts
from tests.escapes.scene import Scene
from tests.escapes.sight import adopt_orphans, traces
from tests.escapes.ways import HAS_GROUP

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


class Host:
    """Lets attacks happen, one after the other."""

    def __init__(self, cage: Cage, scene: Scene, facts: Facts) -> None:
        self._cage = cage
        self._scene = scene
        self._facts = facts

    async def result(self, attack: Attack) -> dict[str, Any]:
        """Let an attack happen, and tell all that is known of it."""
        # Only these attacks have to do with the file, and only one of them at a time.
        is_about_file = attack.probe.startswith("shared.")
        with self._scene.shared.reserved() if is_about_file else nullcontext():
            result = await self._result(attack)
            # To look at it is to have it read.
            forgotten = is_about_file and not self._scene.shared.is_in_memory()
        result["seen"]["forgotten"] = forgotten
        return result

    async def _result(self, attack: Attack) -> dict[str, Any]:
        before = traces()
        ran = await self._refused_or_ran(attack)
        left = await before.left()
        return {
            **_claim(ran.printed),
            "ended": ran.ended,
            "over": ran.over,
            "printed": ran.printed[-2000:].decode(errors="replace"),
            "seen": {
                **self._scene.changes(),
                **asdict(ran.peaks),
                "left": left,
                "stored": len(ran.printed) > STDERR_BYTES,
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
            return await (with_naive_server if is_naive else with_player)(launch)
        if attack.conduct == "cut short":
            return await cut_short(launch)
        if attack.conduct == "orphaned":
            return await orphaned(launch)
        if attack.conduct == "pair":
            return await two_cages(launch, self._scene.shared.forget)
        if attack.conduct == "frozen":
            return await frozen(launch)
        with a_socket() as path:
            return await started(launch, path)


def _claim(printed: bytes) -> dict[str, Any]:
    """Find what the bot says came of its attack: the worst, if it says several things."""
    claims = [json.loads(line) for line in printed.splitlines() if line.startswith(b'{"escaped"')]
    claims.sort(key=lambda claim: claim["escaped"])
    return claims[-1] if claims else {"escaped": None, "detail": ""}


async def _with_neighbour(cage: Cage, scene: Scene, attacks: list[Attack]) -> dict[str, Any]:
    """Let attacks happen while another bot runs in the same kind of cage."""
    before = traces()
    bot = probe_manifest(scene.neighbour, _NEIGHBOUR)
    with a_socket() as path:
        first = scene.facts(other_folder=scene.neighbour, other_socket=path)
        (scene.neighbour / "facts.json").write_text(json.dumps(first._asdict()))
        process = cage.launcher(bot, {})(path, nothing)
        try:
            await said(b"ready", process)
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
    if HAS_GROUP in os.environ and why_no_groups():
        raise SystemExit(f"it was given a control group, and yet: {why_no_groups()}")
    try:
        cage = Outside() if name == NoneCage.name else cage_named(name)
    except NoCage as error:
        print(json.dumps({"cannot": str(error)}))
        return
    environment = plain_environment(python=cage.python if isinstance(cage, RealCage) else None)
    with Scene(folder, secret, environment) as scene:
        results = asyncio.run(_with_neighbour(cage, scene, attacks))
    print(json.dumps({"results": results}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
