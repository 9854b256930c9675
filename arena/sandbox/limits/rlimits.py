"""Resource limits that the kernel enforces (setrlimit(2))."""

from __future__ import annotations

import os
from collections.abc import Sequence

from arena.submission.limits import MINIMUM, Limits

_SPARE_TASKS = 64
"""The kernel allows more threads than the limit, so that exceeding it can be observed."""
SPARE_TMP = 4 << 20
"""/tmp is a little larger than its limit, so that exceeding it can be observed."""
_MIB = 1 << 20
_BUFFER = 208 << 10
"""Bytes that the kernel buffers for a socket until they are read."""


def rlimits(limits: Limits, command: Sequence[str]) -> dict[str, int]:
    """Return limits by their setrlimit(2) names, in lower case.

    A watchdog checks actual use; these limits only stop what grows faster than it checks.
    """
    data = max(2 * limits.memory_mib, 192) * _MIB
    is_python = os.path.basename(command[0]).startswith("python")
    # Other runtimes reserve far more address space than they use.
    spare = 1 << 30 if is_python else 16 << 30
    return {
        "as": data + spare,
        "data": data,
        "stack": 8 * _MIB,
        "fsize": limits.tmp_mib * _MIB + SPARE_TMP,
        "nofile": min(limits.files, _open_files(limits)),
        "core": 0,
        "memlock": 64 << 10,
        "msgqueue": 0,
        "sigpending": 256,
    }


def task_limit(limits: Limits) -> int:
    """Return the maximum number of threads of a bot, where the kernel counts only that bot's."""
    return limits.threads + _SPARE_TASKS


def _open_files(limits: Limits) -> int:
    """Return how many files a bot may open.

    No limit counts the memory of their buffers, so these may take half as much again. The kernel
    allows the same number once more for descriptors that were sent and not yet received.
    """
    by_memory = limits.memory_mib * _MIB // 2 // _BUFFER // 2
    return max(by_memory, MINIMUM.files)
