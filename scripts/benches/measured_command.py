"""Run a command, and measure the CPU time of all processes that it starts.

They run in a control group: nobody waits for the processes of a cage that is killed, and without
that the kernel adds their time to no other process.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_TOPS = (Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/cpuacct"))
"""The control groups of version 2, or those of version 1 that count CPU time."""

_ROUNDS, _ROUND_S = 100, 0.05


class Measured(NamedTuple):
    """The duration and the CPU time of a command."""

    duration_s: float
    cpu_s: float
    """Not a number where this user may not make a control group."""


def run_measured(words: Sequence[str], *, folder: Path | None = None) -> Measured:
    """Run a command that must succeed; its output goes to stderr."""
    group = _new_group()
    # The shell joins the group, and becomes the command.
    join = ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"] if group else []
    start = time.perf_counter()
    subprocess.run([*join, *words], check=True, stdout=sys.stderr, cwd=folder)
    duration_s = time.perf_counter() - start
    return Measured(duration_s, _cpu_s(group) if group else math.nan)


def _new_group() -> Path | None:
    for top in _TOPS:
        group = top / f"arena-bench-{os.getpid()}-{time.monotonic_ns()}"
        if (top / "cgroup.procs").exists():
            with suppress(OSError):
                group.mkdir()
                return group
    return None


def _cpu_s(group: Path) -> float:
    """Return the time that a group has used, and remove it when its processes have ended."""
    if (group / "cpuacct.usage").exists():
        used = int((group / "cpuacct.usage").read_text()) / 1e9
    else:
        used = int((group / "cpu.stat").read_text().split()[1]) / 1e6
    # What removes the files of bots ends a moment later.
    for _ in range(_ROUNDS):
        with suppress(OSError):
            group.rmdir()
            break
        time.sleep(_ROUND_S)
    return used
