"""Run a command, and measure the CPU time of all processes that it starts."""

from __future__ import annotations

import ctypes
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_PR_SET_CHILD_SUBREAPER = 36


class Measured(NamedTuple):
    """The duration and the CPU time of a command."""

    duration_s: float
    cpu_s: float


def run_measured(words: Sequence[str], *, folder: Path | None = None) -> Measured:
    """Run a command that must succeed; its output goes to stderr."""
    # The kernel adds the time of a process to the one that waits for it: processes whose parent
    # has ended, as in a cage, have to become our children.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)
    cpu_s, start = _children_cpu_s(), time.perf_counter()
    subprocess.run(words, check=True, stdout=sys.stderr, cwd=folder)
    duration_s = time.perf_counter() - start
    while _wait_for_orphan():
        pass
    return Measured(duration_s, _children_cpu_s() - cpu_s)


def _wait_for_orphan() -> bool:
    try:
        os.wait()
    except ChildProcessError:
        return False
    return True


def _children_cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
