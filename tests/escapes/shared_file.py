"""A file that all bots see and none can write to, as the host knows it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from arena.sandbox.environments import Environment
from tests.escapes.probes.shared import LARGE, PAGE

_LONG_AGO_NS = 10**9


class SharedFile:
    """A file of the environment that no program needs."""

    def __init__(self, environment: Environment) -> None:
        """Find it."""
        self._path = next(environment.root.glob(LARGE))
        self._descriptor = os.open(self._path, os.O_RDONLY)
        # What is not yet on the disk cannot be forgotten.
        os.fsync(self._descriptor)
        self._size = os.fstat(self._descriptor).st_size

    @contextmanager
    def reserved(self) -> Iterator[None]:
        """Have all of it in memory, and keep other tests from reading it meanwhile."""
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        try:
            os.pread(self._descriptor, self._size, 0)
            yield
        finally:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def forget(self) -> None:
        """Have the kernel forget it, and note that it was last read long ago."""
        os.posix_fadvise(self._descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.utime(self._path, ns=(_LONG_AGO_NS, os.stat(self._path).st_mtime_ns))

    def is_in_memory(self) -> bool:
        """Tell whether most of it is still there."""
        places = range(0, self._size, PAGE)
        return 2 * sum(map(self._has_in_memory, places)) > len(places)

    def _has_in_memory(self, place: int) -> bool:
        try:
            os.preadv(self._descriptor, [bytearray(1)], place, os.RWF_NOWAIT)
        except BlockingIOError:
            return False
        return True
