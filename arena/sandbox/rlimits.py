"""Which limits does the kernel hold by itself?"""

from __future__ import annotations

import os
from collections.abc import Sequence

from arena.limits import LEAST, Limits

_SPARE_TASKS = 64
"""The kernel allows more threads than the limit, so that going over it can be seen."""
SPARE_TMP = 4 << 20
"""/tmp is a little larger than its limit, so that going over it can be seen."""
_MIB = 1 << 20
_BUFFER = 208 << 10
"""So much the kernel keeps for a socket until it is read."""


def rlimits(limits: Limits, command: Sequence[str]) -> dict[str, int]:
    """Return limits by the names of setrlimit(2), in small letters.

    What is in use is watched; these only hold what grows faster than anybody can look.
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
        "nofile": min(limits.files, _files_in_memory(limits)),
        "core": 0,
        "memlock": 64 << 10,
        "msgqueue": 0,
        "sigpending": 256,
    }


def tasks(limits: Limits) -> int:
    """Return how many threads all its processes may have, where the kernel counts the bot's alone.

    It counts the first thread of each process, too.
    """
    return limits.threads + limits.processes + _SPARE_TASKS


def _files_in_memory(limits: Limits) -> int:
    """Return how many files each process may open: what their buffers hold, nobody counts."""
    filling_it = limits.memory_mib * _MIB // _BUFFER // (1 + limits.processes)
    return max(filling_it, LEAST.files)
