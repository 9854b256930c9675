"""Measure what a bot's process uses.

A bot is one process with threads: the system call filter keeps it from starting others.
"""

from __future__ import annotations

import contextlib
import os
import resource

_PAGE = resource.getpagesize()


def cpu_clock(pid: int) -> int:
    """Return the clock that counts the CPU time of a process (clock_getcpuclockid(3))."""
    return (~pid << 3) | 2


def peak_memory(pid: int) -> int:
    """Return the most memory that a process has had in use, in bytes; 0 if it has ended."""
    for task in _tasks(pid):
        # The first thread shows no memory once it has ended.
        found = _read(f"/proc/{pid}/task/{task}/status").partition(b"VmHWM:")[2].split()
        if found:
            return int(found[0]) << 10
    return 0


def waited_s(pid: int | str) -> float:
    """Return the total time that the threads of a process have waited for a processor.

    Returns 0 where the kernel does not report it (proc(5), schedstat).
    """
    waited_ns = 0
    for task in _tasks(pid):
        # A thread may end in the meantime.
        words = _read(f"/proc/{pid}/task/{task}/schedstat").split()
        waited_ns += int(words[1]) if words else 0
    return waited_ns / 1e9


def oom_kills() -> int:
    """Return how many processes this machine's kernel has ended for want of memory."""
    found = _read("/proc/vmstat").partition(b"\noom_kill ")[2].split(maxsplit=1)
    return int(found[0]) if found else 0


class Gauge:
    """The memory and the threads of a process, read from files that stay open."""

    def __init__(self, pid: int) -> None:
        """Open the files of a running process."""
        self._pid = pid
        self._statm = os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
        try:
            folder = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
            self._tasks = os.open(f"/proc/{pid}/task", folder)
        except OSError:
            os.close(self._statm)
            raise

    def memory(self) -> int:
        """Return its memory in use, in bytes; 0 if it has ended."""
        with contextlib.suppress(ProcessLookupError):
            return _resident(os.pread(self._statm, 256, 0)) or self._memory_of_another_thread()
        return 0

    def threads(self) -> int:
        """Count its threads, without listing them; 0 if it has ended."""
        # A folder is linked by each folder in it, by its parent and by itself.
        return os.fstat(self._tasks).st_nlink - 2

    def close(self) -> None:
        """Close the files."""
        os.close(self._statm)
        os.close(self._tasks)

    def _memory_of_another_thread(self) -> int:
        """Read from another thread: the first one reports no memory once it has ended."""
        pid = self._pid
        found = (_resident(_read(f"/proc/{pid}/task/{task}/statm")) for task in _tasks(pid))
        return next(filter(None, found), 0)


def _resident(statm: bytes) -> int:
    return int(statm.split()[1]) * _PAGE if statm else 0


def _tasks(pid: int | str) -> list[str]:
    """List the threads of a process; none if it has ended."""
    try:
        return os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []


def _read(path: str) -> bytes:
    """Read a file of a thread; return nothing if the thread has ended."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""
