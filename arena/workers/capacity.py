"""How many processes of bots a machine has room for.

Running processes are counted by what they really use, because they have already reduced the
available memory. For those that are still to be started, an estimate is used.
"""

from __future__ import annotations

import resource
from collections.abc import Mapping

_PROCESS_BYTES = 48 << 20
"""The memory that a bot may need. An idle one in Python takes about 10 MiB."""
_RESERVED_SHARE = 4
"""One part in so many of the memory stays free: bots that play need more than idle ones."""
_PROCESS_FILES = 16
"""Descriptors that a worker holds for a process: 11, and a few while it starts."""
_OTHER_FILES = 256
"""Descriptors that a worker needs for itself."""
_MAX_FILES = 1 << 16


def processes_that_fit() -> int:
    """Return how many more processes fit into the memory of this machine."""
    memory = _read_memory()
    spare = memory["MemAvailable"] - memory["MemTotal"] // _RESERVED_SHARE
    return max(0, spare // _PROCESS_BYTES)


def max_bots(processes: int, *, jobs: int, rotations: int) -> int:
    """Return how many bots may be in a block if the machine has room for so many processes.

    Each worker plays its share of the rotations of a deal, which all need processes of their own.
    """
    return processes // jobs // -(-rotations // jobs)


def max_processes() -> int:
    """Return for how many processes this process may have files open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        files = _MAX_FILES
    return (files - _OTHER_FILES) // _PROCESS_FILES


def allow_many_files() -> None:
    """Raise the number of files that this process may have open, as far as is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _read_memory() -> Mapping[str, int]:
    """Return the figures of /proc/meminfo, in bytes."""
    with open("/proc/meminfo", encoding="ascii") as file:
        words = [line.split() for line in file]
    return {name.rstrip(":"): int(kib) << 10 for name, kib, *_ in words}
