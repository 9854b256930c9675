"""What is left of many bots that end at random moments?

    python -m tests.sandbox.launches WAY COUNT SEED

In turn a bot ends by itself, is killed by its referee, and loses its referee to SIGKILL, up to
60 ms after its start; after the last, the next referee sweeps. Temporary files must be in a folder
that is used for nothing else. It prints JSON.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

from arena.manifest import Manifest
from arena.sandbox.cage import Cage
from arena.sandbox.cages import cage_named
from arena.sandbox.places import fresh, sweep
from tests.sandbox.caged import PATIENCE_S, who_sees

LATEST_S = 0.06
DYING_S = 0.2
"""What still runs so long after its referee was killed will not end without a sweep."""


async def life(
    cage: Cage, sleep_s: float, *, killed_after_s: float | None, ready: int = -1
) -> None:
    """Run a bot until it has slept, or until it is killed."""
    with fresh() as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "referee.sock"))
        (folder / "bot.toml").touch()
        words = ("sleep", str(sleep_s))
        launch = cage.launcher(Manifest("bot", (), words, folder, only=("bot.toml",)), {})
        ended = asyncio.Event()
        if ready >= 0:
            os.close(ready)
        process = launch(folder / "referee.sock", ended.set)
        if killed_after_s is None:
            async with asyncio.timeout(PATIENCE_S):
                await ended.wait()
        else:
            await asyncio.sleep(killed_after_s)
            process.kill()


def by_itself(cage: Cage, moment_s: float) -> None:
    """Have a bot end by itself."""
    asyncio.run(life(cage, moment_s, killed_after_s=None))


def by_kill(cage: Cage, moment_s: float) -> None:
    """Kill a bot."""
    asyncio.run(life(cage, 600, killed_after_s=moment_s))


def by_sigkill(cage: Cage, moment_s: float) -> None:
    """Kill a referee that has just begun to launch a bot."""
    starting, ready = os.pipe()
    referee = os.fork()
    if not referee:
        try:
            os.close(starting)
            asyncio.run(life(cage, 600, killed_after_s=600, ready=ready))
        finally:
            os._exit(1)
    os.close(ready)
    os.read(starting, 1)
    os.close(starting)
    time.sleep(moment_s)
    os.kill(referee, signal.SIGKILL)
    os.waitpid(referee, 0)


def wait_for_locks(base: Path) -> None:
    """Wait until nobody holds the folders of a referee that was killed.

    Its child does until it has become another program, which a busy machine may put off; a sweep
    takes such a folder for one in use, and leaves it to the next.
    """
    for lock in base.glob("*arena-*/.arena-lock"):
        with lock.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX)


def has_gone(base: str, patience_s: float) -> bool:
    """Tell whether all that had to do with a folder has ended in time."""
    until = time.monotonic() + patience_s
    while who_sees(base):
        if time.monotonic() > until:
            return False
        time.sleep(0.002)
    return True


def launched(way: str, count: int, seed: int) -> dict[str, int]:
    """Launch so many bots and count what they leave."""
    cage = cage_named(way)
    base = Path(tempfile.gettempdir())
    rng = random.Random(seed)
    swept = 0
    descriptors = len(os.listdir("/proc/self/fd"))
    for number in range(count):
        end = (by_itself, by_kill, by_sigkill)[number % 3]
        end(cage, rng.uniform(0, LATEST_S))
        if end is by_sigkill:
            wait_for_locks(base)
            swept += not has_gone(base.name, DYING_S)
            sweep()
        if not has_gone(base.name, PATIENCE_S):
            # A child that was not yet another program when its referee was killed holds the lock of
            # the referee's folder until it is; the sweep after that finds it.
            swept += 1
            sweep()
            if not has_gone(base.name, PATIENCE_S):
                break
    return {
        "launches": number + 1,
        "orphans_swept": swept,
        "processes_left": len(who_sees(base.name)),
        "folders_left": len([*base.glob("arena-*"), *base.glob(".arena-*")]),
        "sockets_left": Path("/proc/net/unix").read_text().count(base.name),
        "descriptors_left": len(os.listdir("/proc/self/fd")) - descriptors,
    }


if __name__ == "__main__":
    print(json.dumps(launched(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
