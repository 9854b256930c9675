"""One sealed generation at a time on a machine.

A bot of another event would outlive the generation of this one, and could pass on what it hears. So
events with secret deals that run at the same time take turns, generation by generation.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from arena.disk_errors import disk_error
from arena.errors import ArenaError

_POLL_S = 0.02


class Interrupted(ArenaError):
    """The event was stopped while it waited for its turn."""


class GenerationLock:
    """Held while a generation is played; the kernel releases it when this process ends."""

    def __init__(self, should_stop: Callable[[], bool], folder: Path | None = None) -> None:
        """Share the lock with all events of this user, as long as their temporary folder is one."""
        self._should_stop = should_stop
        self._folder = folder or Path(tempfile.gettempdir())
        self._held: int | None = None

    def take(self) -> None:
        """Take the lock; if it is held already, let others who wait have their turns first."""
        self.release()
        # Who waits for the end of a generation keeps others from waiting for it, even the one that
        # has just played: so nobody is passed over.
        is_next = self._lock("next")
        try:
            self._held = self._lock("generation")
        finally:
            os.close(is_next)

    def release(self) -> None:
        """Let others play."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _lock(self, name: str) -> int:
        path = self._folder / f"arena.{os.geteuid()}.{name}"
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise disk_error(self._folder, error) from None
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._should_stop():
                    os.close(descriptor)
                    raise Interrupted("stopped while another event was playing") from None
                time.sleep(_POLL_S)
            else:
                return descriptor
