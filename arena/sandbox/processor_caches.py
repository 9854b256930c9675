"""Empty the processors' caches of what bots have left there.

Bots share pages of files in memory. With the clock, a program in machine code finds out which of
them an earlier bot has read, as long as they are in a cache.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_UNKNOWN_BYTES = 32 << 20
_MAX_BYTES = 1 << 28
_TIMES = 2
"""A cache does not always give up what was not used for longest, so read more, and again."""
_CACHES = Path("/sys/devices/system/cpu")
_UNITS = {"K": 1 << 10, "M": 1 << 20}


def empty_caches() -> None:
    """Read other memory until the caches of this process's processors have nothing else."""
    processors = os.sched_getaffinity(0)
    caches = list(_caches(processors))
    sizes = [min(_MAX_BYTES, _TIMES * size) for _, size in caches]
    with mmap.mmap(-1, max(sizes), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as memory:
        # Otherwise all pages are the same one, with zeros.
        for page in range(0, len(memory), mmap.PAGESIZE):
            memory[page] = 1
        try:
            for (processor, _), size in zip(caches, sizes, strict=True):
                os.sched_setaffinity(0, {processor})
                for _ in range(_TIMES):
                    memory.find(b"\2", 0, size)
        finally:
            os.sched_setaffinity(0, processors)


def _caches(processors: set[int]) -> Iterator[tuple[int, int]]:
    """Yield a processor and a size for each cache; caches that processors share come last.

    Shared caches take what the others give up.
    """
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for processor in sorted(processors):
        # Where nothing is known, what a processor of today may have.
        found.setdefault(("9", str(processor)), (processor, _UNKNOWN_BYTES))
        for folder in _CACHES.glob(f"cpu{processor}/cache/index*"):
            with suppress(OSError, ValueError, KeyError):
                level, shared, size = (
                    (folder / name).read_text().strip()
                    for name in ("level", "shared_cpu_list", "size")
                )
                found.setdefault((level, shared), (processor, int(size[:-1]) * _UNITS[size[-1]]))
                found.pop(("9", str(processor)), None)
    for _, cache in sorted(found.items()):
        yield cache
