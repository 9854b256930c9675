"""All processes of a bot: what they use together, and how they are stopped.

Most bots are one process, because their filter lets them start no other. One that may start others
is known by its control group. Where none can be had, its processes are found by who started whom.
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
_ROUNDS = 100
"""How often to look for processes that were started while others were stopped or looked at."""


_FRESH_S = 0.01
"""A walk is not repeated within this time to learn the processor time."""


class Processes(ABC):
    """What a bot consists of."""

    is_sampled = False
    """Whether its processor time is only known as of the last look."""

    @abstractmethod
    def pids(self) -> list[int]:
        """List them, the bot's first process among them."""

    @abstractmethod
    def cpu_s(self) -> float:
        """Return the processor time that they and all that have ended have used."""

    @abstractmethod
    def freeze(self) -> None:
        """Stop them all; may be repeated."""

    @abstractmethod
    def thaw(self) -> None:
        """Let them all run again."""


class OneProcess(Processes):
    """A bot that starts no others."""

    def __init__(self, pid: int) -> None:
        """Say which it is."""
        self._pid = pid

    def pids(self) -> list[int]:
        """List it."""
        return [self._pid]

    def cpu_s(self) -> float:
        """Ask the kernel for the time of all its threads."""
        return time.clock_gettime(cpu_clock(self._pid))

    def freeze(self) -> None:
        """Stop it: with the filter's help, nothing continues it but us."""
        _send((self._pid,), signal.SIGSTOP)

    def thaw(self) -> None:
        """Continue it."""
        _send((self._pid,), signal.SIGCONT)


class GroupedProcesses(Processes):
    """A bot with a control group."""

    def __init__(self, group: ControlGroup, *, without: Collection[int]) -> None:
        """Say which processes in the group belong to the cage and not to the bot."""
        self._group = group
        self._without = frozenset(without)

    def pids(self) -> list[int]:
        """Ask the kernel."""
        return [pid for pid in self._group.pids() if pid not in self._without]

    def cpu_s(self) -> float:
        """Ask the kernel."""
        return self._group.cpu_s()

    def freeze(self) -> None:
        """Freeze the group."""
        self._group.freeze()

    def thaw(self) -> None:
        """Thaw the group."""
        self._group.thaw()


class ProcessTree(Processes):
    """A bot whose processes are those that descend from its cage's first one.

    The kernel adds the time of a process that has ended to its parent's only if the parent waits
    for it. What is lost otherwise is known from the last look at that process.
    """

    is_sampled = True

    def __init__(self, pid: int, root: int) -> None:
        """Say which is the bot's first process, and which takes in those that lose their parent."""
        self._pid = pid
        self._root = root
        self._walked: list[int] = []
        self._walked_at = 0.0
        self._own_s: dict[int, float] = {}
        """The time of each process that was alive at the last look."""
        self._waited_s = 0.0
        self._unexplained_s = 0.0
        self._lost_s = 0.0

    def pids(self) -> list[int]:
        """Walk from parents to children."""
        self._walked = [self._pid, *(pid for pid in descendants(self._root) if pid != self._pid)]
        self._walked_at = time.monotonic()
        return self._walked

    def cpu_s(self) -> float:
        """Add up what is alive, what was waited for, and what was lost."""
        is_fresh = time.monotonic() - self._walked_at < _FRESH_S
        known = {*self._own_s, *(self._walked if is_fresh else self.pids())}
        for _ in range(_ROUNDS):
            own_s = _own_s(known)
            waited_s = sum(map(_waited_s, {self._root, *own_s}))
            # A process that ended in between would be counted twice.
            if _own_s(own_s).keys() == own_s.keys():
                break
        self._note_dead(own_s, waited_s)
        return sum(own_s.values()) + waited_s + self._lost_s

    def _note_dead(self, own_s: dict[int, float], waited_s: float) -> None:
        """Find out what has ended without being waited for."""
        dead_s = sum(used for pid, used in self._own_s.items() if pid not in own_s)
        self._unexplained_s += dead_s - (waited_s - self._waited_s)
        self._own_s, self._waited_s = own_s, waited_s
        # What was waited for is told in whole ticks, for each of them.
        rounding_s = _TICK_S * (1 + len(own_s))
        if self._unexplained_s > rounding_s:
            self._lost_s += self._unexplained_s
            self._unexplained_s = 0.0
        self._unexplained_s = max(self._unexplained_s, -rounding_s)

    def freeze(self) -> None:
        """Stop all that are found, until no others are."""
        stopped: set[int] = set()
        for _ in range(_ROUNDS):
            found = set(self.pids()) - stopped
            if not found:
                break
            _send(found, signal.SIGSTOP)
            stopped |= found

    def thaw(self) -> None:
        """Continue all."""
        _send(self.pids(), signal.SIGCONT)


class Gauge:
    """What one process has in use, read from files that stay open."""

    def __init__(self, pid: int) -> None:
        """Open the files of a process that is there."""
        self._pid = pid
        self._statm = os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
        try:
            folder = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
            self._tasks = os.open(f"/proc/{pid}/task", folder)
        except OSError:
            os.close(self._statm)
            raise

    def memory(self) -> int:
        """Return the bytes of memory that it has in use; 0 if it has ended."""
        with contextlib.suppress(ProcessLookupError):
            return _resident(os.pread(self._statm, 256, 0)) or self._by_another_thread()
        return 0

    def threads(self) -> int:
        """Count its threads, without listing them; 0 if it has ended."""
        # A folder is linked by each folder in it, by its parent and by itself.
        return os.fstat(self._tasks).st_nlink - 2

    def close(self) -> None:
        """Close the files."""
        os.close(self._statm)
        os.close(self._tasks)

    def _by_another_thread(self) -> int:
        """Ask another thread: the first, once it has ended, knows nothing of the memory."""
        for task in _listed(f"/proc/{self._pid}/task"):
            used = _resident(read_file(f"/proc/{self._pid}/task/{task}/statm"))
            if used:
                return used
        return 0


def _resident(statm: bytes) -> int:
    return int(statm.split()[1]) * _PAGE if statm else 0


def descendants(pid: int) -> Iterator[int]:
    """List the processes that a process has started, and those that these have."""
    for task in _listed(f"/proc/{pid}/task"):
        for child in map(int, read_file(f"/proc/{pid}/task/{task}/children").split()):
            yield child
            yield from descendants(child)


def read_file(path: str) -> bytes:
    """Read a file of a process; it is empty if that has ended."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except OSError:
        return b""


def _own_s(pids: Iterable[int]) -> dict[int, float]:
    """Return the processor time of each process that is still there."""
    found = {}
    for pid in pids:
        with contextlib.suppress(OSError):
            found[pid] = time.clock_gettime(cpu_clock(pid))
    return found


def _waited_s(pid: int) -> float:
    """Return what those have used that a process has started and waited for."""
    # The name in brackets may hold anything; the figures follow it.
    words = read_file(f"/proc/{pid}/stat").rpartition(b")")[2].split()[13:15]
    return sum(map(int, words)) * _TICK_S


def _send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


def _listed(path: str) -> list[str]:
    """List a folder of a process; it is empty if that has ended."""
    try:
        return os.listdir(path)
    except OSError:
        return []
