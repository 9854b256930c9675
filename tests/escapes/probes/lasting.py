"""Attacks that leave signs in files that all bots see, for a bot that starts later.

A disk's file system keeps in memory what was read and looked up, even names that do not exist. The
clock and the kernel's counts of a process tell whether something is there.
"""

from __future__ import annotations

import mmap
import os
import resource
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import median

from .common import facts
from .counters import INODES, number_of_a_pipe
from .pairs import BITS, Channel
from .shared import PAGE, large_file

_NAMES = 60
"""Names for each bit."""
_UNIT = 1 << 15
"""More pipes and sockets than are created while bots end and start."""
STEP = 64 * PAGE
"""The distance between the pages of two bits: the kernel reads a little ahead."""


class Lasting(Channel):
    """One bot touches something for each bit that is set; a later one measures all at once."""

    def __init__(self) -> None:
        self.number = 0
        self.received: list[bool] = []

    def send(self, bit: bool) -> None:
        if bit:
            self.touch(self.number)
        self.number += 1

    def receive(self) -> bool:
        self.received = self.received or _split([self.measure(number) for number in range(BITS)])
        self.number += 1
        return self.received[self.number - 1]

    def touch(self, number: int) -> None:
        """Leave a sign."""
        raise NotImplementedError

    def measure(self, number: int) -> float:
        """Return a figure that is smaller where there is a sign."""
        raise NotImplementedError


def _split(figures: Sequence[float]) -> list[bool]:
    """Tell small figures from large ones: they are on both sides of the widest gap."""
    ordered = sorted(figures)
    _, limit = max((high / max(low, 1), high) for low, high in pairwise(ordered))
    return [figure < limit for figure in figures]


def _duration_ns(work: Callable[[], object]) -> float:
    began = time.perf_counter_ns()
    work()
    return time.perf_counter_ns() - began


class _Names(Lasting):
    folder = ""

    def names(self, kind: str, number: int) -> list[str]:
        return [f"{self.folder}/{facts().secret}-{kind}-{number}-{each}" for each in range(_NAMES)]

    def touch(self, number: int) -> None:
        for name in self.names("sent", number):
            os.access(name, os.F_OK)

    def measure(self, number: int) -> float:
        # In turn with names that nobody has looked up, because a machine's speed changes.
        pairs = zip(self.names("sent", number), self.names("never", number), strict=True)
        times = [(_time_of(name), _time_of(other)) for name, other in pairs]
        return 1000 * median(time for time, _ in times) / median(other for _, other in times)


def _time_of(name: str) -> float:
    return _duration_ns(lambda: os.access(name, os.F_OK))


class NamesOfPackages(_Names):
    """Look up names in the folder of the bots' packages."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = str(large_file().parent)


class NamesOfModules(_Names):
    """Look up names in the folder of Python's own modules."""

    folder = os.path.dirname(os.__file__)


class NamesAtTheTop(_Names):
    """Look up names beside the system's folders."""

    folder = "/usr"


class PagesByTime(Lasting):
    """Read pages of a file; a later bot times how long reading takes."""

    def touch(self, number: int) -> None:
        with large_file().open("rb", buffering=0) as file:
            os.pread(file.fileno(), 1, number * STEP)

    def measure(self, number: int) -> float:
        with large_file().open("rb", buffering=0) as file:
            return _duration_ns(lambda: os.pread(file.fileno(), 1, number * STEP))


class PagesByFaults(PagesByTime):
    """Read pages of a file; a later bot maps them, and the kernel counts what it has to fetch."""

    def measure(self, number: int) -> float:
        with large_file().open("rb") as file:
            pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        pages.madvise(mmap.MADV_RANDOM)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_majflt
        pages[number * STEP]
        faults = resource.getrusage(resource.RUSAGE_SELF).ru_majflt - before
        return 1 + faults


class NumbersOfPipes(Channel):
    """Create pipes until their number is even in units of many; a later bot creates one."""

    def latest(self) -> int:
        # More than a processor has in reserve.
        return max(number_of_a_pipe() for _ in range(2 * INODES))

    def send(self, bit: bool) -> None:
        found = self.latest()
        while found // _UNIT % 2 != bit or not _UNIT // 8 < found % _UNIT < _UNIT // 4:
            found = max(found, number_of_a_pipe())

    def receive(self) -> bool:
        return self.latest() // _UNIT % 2 == 1
