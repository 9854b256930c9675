"""What is done to a served league: kills of each of its processes, and a full disk."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.escapes.observe import descendants
from tests.faults.disks import fill
from tests.serve.processes import ServedLeague

_FULL_S = 20.0
_DISK_MIB = 1024


@contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mount a small file system on a folder; yield whether that was possible."""
    size = f"size={_DISK_MIB}m,mode=0711"
    words = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    is_mounted = os.geteuid() == 0 and not subprocess.run(words, check=False).returncode
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "-l", folder], check=True)


class Disturbances:
    """Disturbs a league in every way in turn, with the server killed most often."""

    def __init__(self, league: ServedLeague, rng: Random, *, may_fill: bool) -> None:
        """Begin with nothing done."""
        self.done: Counter[str] = Counter()
        self._league = league
        self._rng = rng
        self._may_fill = may_fill

    async def run(self, period_s: float, until: float) -> None:
        """Do something every so often, until a time of the loop's clock."""
        clock = asyncio.get_running_loop().time
        kinds = ["server", "worker", "server", "checker", "server", "player", "server", "disk"]
        number = 0
        while clock() + period_s < until:
            await asyncio.sleep(period_s * self._rng.uniform(0.5, 1.5))
            kind = kinds[number % len(kinds)]
            number += 1
            if kind == "server":
                await self.kill_server()
            elif kind != "disk":
                self._kill(kind)
            elif self._may_fill:
                await self._fill()

    async def kill_server(self) -> None:
        """Kill it, and start it again after a moment."""
        await asyncio.to_thread(self._league.stop, signal.SIGKILL)
        self.done["server killed"] += 1
        await asyncio.sleep(self._rng.uniform(0, 3))
        await asyncio.to_thread(self._league.start)

    def _kill(self, kind: str) -> None:
        word = {"player": b"arena.serve.player", "checker": b"arena.serve.checking"}
        for pid in descendants(self._league.pid):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes()
                if word.get(kind, b"spawn_main") in command.split(b"\0") or (
                    kind == "worker" and b"spawn_main" in command
                ):
                    os.kill(pid, signal.SIGKILL)
                    self.done[f"{kind} killed"] += 1
                    return
            except OSError:
                continue
        self.done[f"no {kind} to kill"] += 1

    async def _fill(self) -> None:
        filler = await asyncio.to_thread(fill, self._league.db.parent)
        try:
            await asyncio.sleep(_FULL_S)
        finally:
            filler.unlink()
        self.done["disk full for 20 s"] += 1
