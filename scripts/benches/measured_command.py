"""Run a command, and measure the processor time of all processes that it starts.

They run in a control group, because only the kernel knows the time of processes whose parent did
not wait for them, as in a cage.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from arena.sandbox.control_groups import control_group_problem, make_group_if_possible
from arena.sandbox.tempdir import temp_dir

_END_S = 5.0


class Measured(NamedTuple):
    """The duration and the processor time of a command."""

    duration_s: float
    cpu_s: float | None
    """None if this machine does not allow control groups."""


def run_measured(words: Sequence[str], *, folder: Path | None = None) -> Measured:
    """Run a command that must succeed; its output goes to stderr."""
    with temp_dir() as temp:
        group = make_group_if_possible(temp)
        if group is None:
            problem = control_group_problem()
            print(f"without processor time: no control groups here: {problem}", file=sys.stderr)
        prefix = group.join_command() if group else []
        try:
            start = time.perf_counter()
            subprocess.run([*prefix, *words], check=True, stdout=sys.stderr, cwd=folder)
            duration_s = time.perf_counter() - start
            return Measured(duration_s, group.cpu_s() if group else None)
        finally:
            if group:
                group.remove(_END_S)
