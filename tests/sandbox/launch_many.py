"""Launch many bots that end at random moments, and count what they leave behind.

    python -m tests.sandbox.launch_many CAGE COUNT SEED

In turn, a bot ends by itself, is killed by its referee, or loses its referee to SIGKILL, up to
60 ms after its start; in the last case, the next referee sweeps. Temporary files must be in a
folder that is used for nothing else. Prints JSON.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

from arena.sandbox.cage import Cage
from arena.sandbox.select import select_cage
from arena.sandbox.tempdir import sweep, temp_dir
from arena.submission.manifest import Manifest
from tests.sandbox.caged_bot import PATIENCE_S, processes_using

_SLEEP = os.path.realpath(shutil.which("sleep") or "sleep")
LATEST_S = 0.06
DYING_S = 0.2
"""A bot that still runs this long after its referee was killed does not end without a sweep."""


async def run_bot(
    cage: Cage, sleep_s: float, *, killed_after_s: float | None, ready: int = -1
) -> None:
    """Run a bot until it has slept, or until it is killed."""
    with temp_dir() as folder, socket.socket(socket.AF_UNIX) as server:
        server.bind(str(folder / "referee.sock"))
        (folder / "bot.toml").touch()
        words = (_SLEEP, str(sleep_s))
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


def end_by_itself(cage: Cage, moment_s: float) -> None:
    """Run a bot until it ends by itself."""
    asyncio.run(run_bot(cage, moment_s, killed_after_s=None))


def end_by_kill(cage: Cage, moment_s: float) -> None:
    """Kill a bot."""
    asyncio.run(run_bot(cage, 600, killed_after_s=moment_s))


def kill_referee(cage: Cage, moment_s: float) -> None:
    """Kill a referee that has just started to launch a bot."""
    starting, ready = os.pipe()
    referee = os.fork()
    if not referee:
        try:
            os.close(starting)
            asyncio.run(run_bot(cage, 600, killed_after_s=600, ready=ready))
        finally:
            os._exit(1)
    os.close(ready)
    os.read(starting, 1)
    os.close(starting)
    time.sleep(moment_s)
    os.kill(referee, signal.SIGKILL)
    os.waitpid(referee, 0)


def wait_for_locks(base: Path) -> None:
    """Wait until no process locks the folders of a referee that was killed.

    Its child holds the lock until it calls exec, which a busy machine may delay; a sweep takes such
    a folder to be in use and leaves it to the next sweep.
    """
    for lock in base.glob("*arena-*/.arena-lock"):
        with lock.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX)


def have_all_ended(base: str, patience_s: float) -> bool:
    """Return whether all processes that use a folder have ended in time."""
    deadline = time.monotonic() + patience_s
    while processes_using(base):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


def launch_many(cage_name: str, count: int, seed: int) -> dict[str, int]:
    """Launch `count` bots and count what they leave behind."""
    cage = select_cage(cage_name)
    base = Path(tempfile.gettempdir())
    rng = random.Random(seed)
    orphans_swept = 0
    # Only the first launch makes the files that bots share, which stay as long as this process.
    end_by_itself(cage, 0)
    descriptors = len(os.listdir("/proc/self/fd"))
    for number in range(count):
        end = (end_by_itself, end_by_kill, kill_referee)[number % 3]
        end(cage, rng.uniform(0, LATEST_S))
        if end is kill_referee:
            wait_for_locks(base)
            orphans_swept += not have_all_ended(base.name, DYING_S)
            sweep()
        if not have_all_ended(base.name, PATIENCE_S):
            # A child that had not called exec when its referee was killed holds the lock of the
            # referee's folder until it does; the sweep after that finds the folder.
            orphans_swept += 1
            sweep()
            if not have_all_ended(base.name, PATIENCE_S):
                break
    return {
        "launches": number + 1,
        "orphans_swept": orphans_swept,
        "processes_left": len(processes_using(base.name)),
        "folders_left": len([*base.glob("arena-*"), *base.glob(".arena-*")]),
        "sockets_left": Path("/proc/net/unix").read_text().count(base.name),
        "descriptors_left": len(os.listdir("/proc/self/fd")) - descriptors,
    }


if __name__ == "__main__":
    print(json.dumps(launch_many(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
