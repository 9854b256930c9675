"""All processes of a bot: measure what they use together, and freeze them.

Most bots are a single process, because the system call filter prevents them from starting others. A
bot that may start processes is tracked by its control group. Where control groups are unavailable,
its processes are found by walking from parents to children.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import time
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator

from arena.sandbox.control_group import ControlGroup
from arena.sandbox.process import cpu_clock

_PAGE = resource.getpagesize()
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_MAX_SCANS = 100
"""Maximum number of scans for processes that were started during the previous scan."""
_FRESH_S = 0.01
"""Within this time, the last walk is reused to measure processor time."""


class Processes(ABC):
    """The processes of a bot."""

    is_sampled = False
    """Whether its processor time is only known as of the last check."""

    @abstractmethod
    def pids(self) -> list[int]:
        """List their pids, including that of the bot's first process."""

    @abstractmethod
    def cpu_s(self) -> float:
        """Return the processor time of all processes, ended ones included."""

    def activity(self) -> float | None:
        """Return a figure that stays the same as long as none of them runs; None if there is none.

        It is much cheaper than a check of all limits.
        """
        return None

    @abstractmethod
    def freeze(self) -> None:
        """Stop all processes; may be repeated."""

    @abstractmethod
    def thaw(self) -> None:
        """Let all processes run again."""


class OneProcess(Processes):
    """A bot that is a single process."""

    def __init__(self, pid: int) -> None:
        """Track the process with this pid."""
        self._pid = pid

    def pids(self) -> list[int]:
        """List its pid."""
        return [self._pid]

    def cpu_s(self) -> float:
        """Return the processor time of all its threads."""
        return time.clock_gettime(cpu_clock(self._pid))

    def activity(self) -> float:
        """Return the processor time of all its threads."""
        return self.cpu_s()

    def freeze(self) -> None:
        """Stop it; the system call filter ensures that only we can continue it."""
        _send((self._pid,), signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue it."""
        _send((self._pid,), signal.SIGCONT)


class GroupedProcesses(Processes):
    """A bot with a control group."""

    def __init__(self, group: ControlGroup, *, exclude: Collection[int]) -> None:
        """Track a group; the pids in `exclude` belong to the cage, not to the bot."""
        self._group = group
        self._exclude = frozenset(exclude)

    def pids(self) -> list[int]:
        """List the pids in the group, except those of the cage."""
        return [pid for pid in self._group.pids() if pid not in self._exclude]

    def cpu_s(self) -> float:
        """Return the processor time of the group."""
        return self._group.cpu_s()

    def freeze(self) -> None:
        """Freeze the group."""
        self._group.freeze()

    def thaw(self) -> None:
        """Thaw the group."""
        self._group.thaw()


class ProcessTree(Processes):
    """A bot whose processes are the descendants of the first process in its cage.

    The kernel adds the time of an ended process to its parent's only if the parent waits for it.
    Otherwise, its time is taken from the last check of that process.
    """

    is_sampled = True

    def __init__(self, pid: int, root: int) -> None:
        """Track the bot's first process `pid`, and `root`, which adopts orphans."""
        self._pid = pid
        self._root = root
        self._walked: list[int] = []
        self._walked_at = 0.0
        self._last_times: dict[int, float] = {}
        """The time of each process that was alive at the last check."""
        self._waited_s = 0.0
        self._unexplained_s = 0.0
        self._lost_s = 0.0

    def pids(self) -> list[int]:
        """Walk from parents to children."""
        self._walked = [self._pid, *(pid for pid in descendants(self._root) if pid != self._pid)]
        self._walked_at = time.monotonic()
        return self._walked

    def cpu_s(self) -> float:
        """Add up the time of live processes, of those waited for, and of those that were not."""
        is_fresh = time.monotonic() - self._walked_at < _FRESH_S
        known = {*self._last_times, *(self._walked if is_fresh else self.pids())}
        for _ in range(_MAX_SCANS):
            own_s = _cpu_times(known)
            waited_s = sum(map(_waited_children_s, {self._root, *own_s}))
            # A process that ended in between would be counted twice.
            if _cpu_times(own_s).keys() == own_s.keys():
                break
        self._account_for_ended(own_s, waited_s)
        return sum(own_s.values()) + waited_s + self._lost_s

    def _account_for_ended(self, own_s: dict[int, float], waited_s: float) -> None:
        """Account for processes that have ended without being waited for."""
        dead_s = sum(used for pid, used in self._last_times.items() if pid not in own_s)
        self._unexplained_s += dead_s - (waited_s - self._waited_s)
        self._last_times, self._waited_s = own_s, waited_s
        # The kernel reports the time of waited children in whole ticks, for each process.
        rounding_s = _TICK_S * (1 + len(own_s))
        if self._unexplained_s > rounding_s:
            self._lost_s += self._unexplained_s
            self._unexplained_s = 0.0
        self._unexplained_s = max(self._unexplained_s, -rounding_s)

    def freeze(self) -> None:
        """Stop every process, repeating until no new ones are found."""
        stopped: set[int] = set()
        for _ in range(_MAX_SCANS):
            found = set(self.pids()) - stopped
            if not found:
                break
            _send(found, signal.SIGSTOP)
            stopped |= found

    def thaw(self) -> None:
        """Continue all processes."""
        _send(self.pids(), signal.SIGCONT)


class Gauge:
    """The memory and threads of one process, read from files that stay open."""

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
        for task in _list_folder(f"/proc/{self._pid}/task"):
            used = _resident(read_file(f"/proc/{self._pid}/task/{task}/statm"))
            if used:
                return used
        return 0


def _resident(statm: bytes) -> int:
    return int(statm.split()[1]) * _PAGE if statm else 0


def descendants(pid: int) -> Iterator[int]:
    """Yield all descendants of a process."""
    for task in _list_folder(f"/proc/{pid}/task"):
        for child in map(int, read_file(f"/proc/{pid}/task/{task}/children").split()):
            yield child
            yield from descendants(child)


def read_file(path: str) -> bytes:
    """Read a file of a process; return nothing if the process has ended."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def _cpu_times(pids: Iterable[int]) -> dict[int, float]:
    """Return the processor time of each process that still exists."""
    found = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            found[pid] = time.clock_gettime(cpu_clock(pid))
    return found


def _waited_children_s(pid: int) -> float:
    """Return the processor time of the children that a process has waited for."""
    # The name in parentheses may contain anything; the figures follow it.
    words = read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()[13:15]
    return sum(map(int, words)) * _TICK_S


def _send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _list_folder(path: str) -> list[str]:
    """List a folder of a process; return nothing if the process has ended."""
    try:
        return os.listdir(path)
    except OSError:
        return []
