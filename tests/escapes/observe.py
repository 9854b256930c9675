"""Observe a bot from the host: what it uses, and what it leaves behind."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import os
import signal
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

_PR_SET_CHILD_SUBREAPER = 36
_CHECK_S = 0.05
_SHARED = f"arena-{os.geteuid()}-"
_REMOVER = "flock --exclusive "
"""What removes it then."""


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants, so that none can hide."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


@dataclass(slots=True)
class Peaks:
    """The highest figures observed, bubblewrap included."""

    locks: int = 0
    awake: bool = False
    """Whether it computed while it was frozen."""

    def measure(self, pid: int) -> None:
        """Measure a process and its descendants."""
        pids = [pid, *descendants(pid)]
        owners = [line.split()[4] for line in _text("/proc/locks").splitlines()]
        self.locks = max(self.locks, sum(owners.count(str(each)) for each in pids))


@asynccontextmanager
async def observe(pid: int) -> AsyncIterator[Peaks]:
    """Measure a process repeatedly."""
    peaks = Peaks()

    async def measure() -> None:
        while True:
            peaks.measure(pid)
            await asyncio.sleep(_CHECK_S)

    task = asyncio.create_task(measure())
    try:
        yield peaks
    finally:
        task.cancel()


@dataclass(frozen=True, slots=True)
class Traces:
    """Snapshot of what could be left behind."""

    children: frozenset[int]
    folders: frozenset[str]
    mounts: frozenset[str]

    async def left(self, patience_s: float) -> list[str]:
        """Return what was left after this time, and clean it up."""
        end = time.monotonic() + patience_s
        while left := self._left():
            if time.monotonic() > end:
                break
            # An unreferenced launcher may still hold the temporary folder of its bot.
            gc.collect()
            await asyncio.sleep(_CHECK_S)
        for pid in _children() - self.children:
            for each in [*descendants(pid), pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, signal.SIGKILL)
            os.waitpid(pid, 0)
        return left

    def _left(self) -> list[str]:
        for pid in _children() - self.children:
            # An orphan that has ended must be waited for.
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
        now = traces()
        return [
            *(f"process {_command_line(pid)}" for pid in now.children - self.children),
            *(f"folder {name}" for name in now.folders - self.folders),
            *(f"mount {line}" for line in now.mounts - self.mounts),
        ]


def traces() -> Traces:
    """Take a snapshot of child processes, temporary files and mounts."""
    folder = tempfile.gettempdir()
    mounts = _text("/proc/self/mountinfo").splitlines()
    return Traces(
        frozenset(_children()),
        # What bots share is kept as long as this process lives.
        frozenset(name for name in os.listdir(folder) if not name.startswith(_SHARED)),
        frozenset(line for line in mounts if os.path.dirname(folder) in line),
    )


def descendants(pid: int) -> Iterator[int]:
    """Yield all descendants of a process."""
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, _text(str(task)).split()):
            yield child
            yield from descendants(child)


def cpu_ticks() -> int:
    """Add up the CPU time of all descendants of this process, orphans included."""
    texts = [_text(f"/proc/{each}/stat") for each in descendants(os.getpid())]
    words = [text.rpartition(")")[2].split() for text in texts]
    return sum(int(each[11]) + int(each[12]) for each in words if each)


def _children() -> set[int]:
    found = {
        int(child)
        for task in Path("/proc/self/task").glob("*/children")
        for child in _text(str(task)).split()
    }
    return {pid for pid in found if not _command_line(pid).startswith(_REMOVER)}


def _command_line(pid: int) -> str:
    """Return the command line of a process, or its name if it has ended."""
    return _text(f"/proc/{pid}/cmdline").replace("\0", " ") or _text(f"/proc/{pid}/stat")


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""
