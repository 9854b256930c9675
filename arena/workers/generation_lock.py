"""One sealed generation at a time on a machine.

A bot of another event would outlive the generation of this one, and could pass on what it hears. So
events with secret deals that run at the same time take turns, generation by generation. A
generation that takes long is interrupted for those who wait: its other matches are played when
they have had their turn.
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
TURN_S = 20.0
"""How long a turn is if others wait; then those in play are finished, and no more begin."""


class Interrupted(ArenaError):
    """The event was stopped while it waited for its turn."""


class GenerationLock:
    """Held while a generation is played; the kernel releases it when this process ends."""

    def __init__(self, should_stop: Callable[[], bool], folder: Path | None = None) -> None:
        """Share the lock with all events of this user, as long as their temporary folder is one."""
        self._should_stop = should_stop
        self._folder = folder or Path(tempfile.gettempdir())
        self._held: int | None = None
        self._taken_at = 0.0

    @property
    def is_over(self) -> bool:
        """Whether this turn has taken long enough, and others wait for theirs."""
        if self._held is None or time.monotonic() < self._taken_at + TURN_S:
            return False
        is_next = self._open("next")
        try:
            fcntl.flock(is_next, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        finally:
            os.close(is_next)
        return False

    @property
    def descriptor(self) -> int:
        """The open file that holds the lock; processes that inherit it hold it, too."""
        assert self._held is not None
        return self._held

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
        self._taken_at = time.monotonic()

    def release(self) -> None:
        """Let others play."""
        if self._held is not None:
            os.close(self._held)
            self._held = None

    def _open(self, name: str) -> int:
        path = self._folder / f"arena.{os.geteuid()}.{name}"
        try:
            return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            raise disk_error(self._folder, error) from None

    def _lock(self, name: str) -> int:
        descriptor = self._open(name)
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
