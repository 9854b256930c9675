"""A file that all bots can read and none can write, as seen by the host."""

from __future__ import annotations

import ctypes
import fcntl
import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.escapes.probes.common import check_result, libc
from tests.escapes.probes.shared import PAGE

_LONG_AGO_NS = 10**9
_EVICTIONS = 100


@contextmanager
def reserve_null_device() -> Iterator[None]:
    """Keep other hosts, of any user, from changing the time of /dev/null."""
    # A bot that cannot change it, but waits until it changes, would seem to send something.
    with open(os.devnull) as device:
        fcntl.flock(device, fcntl.LOCK_EX)
        yield


class SharedFile:
    """A file that no program needs."""

    def __init__(self, path: Path) -> None:
        """Open it."""
        self._path = path
        self._descriptor = os.open(self._path, os.O_RDONLY)
        # Pages that are not yet on the disk cannot be evicted.
        os.fsync(self._descriptor)
        self._size = os.fstat(self._descriptor).st_size

    @contextmanager
    def reserve(self) -> Iterator[None]:
        """Load all of it into memory, and keep other tests from reading it."""
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            os.pread(self._descriptor, self._size, 0)
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def forget(self) -> None:
        """Make the kernel evict it, and set its access time to long ago."""
        for _ in range(_EVICTIONS):
            os.posix_fadvise(self._descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            # The kernel passes over pages that another processor is still adding to its lists.
            if not any(self._pages_in_memory()):
                break
        os.utime(self._path, ns=(_LONG_AGO_NS, os.stat(self._path).st_mtime_ns))

    def is_in_memory(self) -> bool:
        """Return whether most of it is in memory."""
        pages = self._pages_in_memory()
        return 2 * sum(pages) > len(pages)

    def _pages_in_memory(self) -> list[bool]:
        """Say of each page whether it is in memory; unlike reading it, mincore changes nothing."""
        pages = ctypes.create_string_buffer(-(-self._size // PAGE))
        with mmap.mmap(self._descriptor, self._size, access=mmap.ACCESS_COPY) as mapping:
            start = ctypes.c_char.from_buffer(mapping)
            check_result(libc.mincore(ctypes.byref(start), ctypes.c_size_t(self._size), pages))
            # A mapping with a view of it cannot be closed.
            del start
        return [bool(page & 1) for page in pages.raw]
