"""Attacks that use more processor time than allowed."""

from __future__ import annotations

import os
import time

_ENOUGH_S = 1.6
"""The limit is 1 s."""
_FIFO_PRIORITY = 1


def _burn(seconds: float) -> None:
    deadline = time.process_time() + seconds
    while time.process_time() < deadline:
        pass


def _fork_burner(seconds: float) -> int:
    pid = os.fork()
    if pid == 0:
        _burn(seconds)
        os._exit(0)
    return pid


def one_process() -> str:
    """Compute for longer than allowed."""
    _burn(_ENOUGH_S)
    return f"{_ENOUGH_S} s in one process"


def four_processes() -> str:
    """Compute in four processes at once."""
    for pid in [_fork_burner(_ENOUGH_S / 4) for _ in range(4)]:
        os.waitpid(pid, 0)
    return f"{_ENOUGH_S} s in four processes"


def short_lived() -> str:
    """Compute in processes that end before they are checked twice."""
    for _ in range(40):
        os.waitpid(_fork_burner(_ENOUGH_S / 40), 0)
    return f"{_ENOUGH_S} s in 40 processes, one after the other"


def affinity() -> str:
    """Choose the processor to run on."""
    mine = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(mine)})
    os.sched_setaffinity(0, mine)
    return f"chose processor {min(mine)}"


def nicer() -> str:
    """Change its priority."""
    os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) + 1)
    return "changed its priority"


def batch() -> str:
    """Choose how it is scheduled."""
    os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    return "is scheduled as a batch job"


def fifo() -> str:
    """Use real-time scheduling."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(_FIFO_PRIORITY))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return "was first in, first out"


def autogroup() -> str:
    """Open the file that sets the priority of its session."""
    os.close(os.open("/proc/self/autogroup", os.O_RDWR))
    return "opened its autogroup"
