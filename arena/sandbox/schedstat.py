"""Measure how long a process was ready to run but had no processor."""

from __future__ import annotations

import os
from contextlib import suppress


def waited_s(pid: int | str) -> float:
    """Return the total time that the threads of a process have waited for a processor.

    Returns 0 where the kernel does not report it (proc(5), schedstat).
    """
    waited_ns = 0
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return 0.0
    for task in tasks:
        # A thread may end in the meantime.
        with suppress(OSError), open(f"/proc/{pid}/task/{task}/schedstat", "rb") as file:
            waited_ns += int(file.read().split()[1])
    return waited_ns / 1e9
