"""Which process may write the league's file?

One at a time: it holds an exclusive `flock` on the file itself, which goes when the process does,
however it ends. SQLite's own lock would not do: it is free between two transactions.

SQLite's locks on the same file are POSIX locks, and those have a trap: when a process closes any
descriptor of a file, it loses all of its POSIX locks on that file. So this process has a single
descriptor for each league's file, opened before the first connection to it and closed after the
last. That is a fact about the process, hence the one table at the level of a module.

A process that is forked while the lock is held holds it, too; one that is spawned does not.
"""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

from arena.errors import BadInput, BadLeague, LeagueInUse, LeagueNotWritten


class _Descriptor:
    """This process's only descriptor of a file of ours."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.uses = 0
        self.is_locked = False


_descriptors: dict[tuple[int, int], _Descriptor] = {}
"""By device and inode: a file may have several names."""


class Grip:
    """One use of the league's file; outlives the connections that it is for."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Take hold of a file; an empty one is made if it is missing and `create` is set."""
        self._path = path
        self._key, self._descriptor = _descriptor_of(path, create=create)
        self._descriptor.uses += 1

    def start(self, count: int) -> bytes:
        """Return the first bytes of the file."""
        return os.pread(self._descriptor.number, count, 0)

    def size(self) -> int:
        """Return the size of the file in bytes."""
        return os.fstat(self._descriptor.number).st_size

    def lock(self) -> None:
        """Become the only writer, or say at once who is in the way."""
        in_use = LeagueInUse(
            f"{self._path} is being written by another arena process (an event is running): "
            "wait until it is done"
        )
        if self._descriptor.is_locked:
            raise in_use
        try:
            fcntl.flock(self._descriptor.number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise in_use from None
        self._descriptor.is_locked = True

    def unlock(self) -> None:
        """Let others write."""
        fcntl.flock(self._descriptor.number, fcntl.LOCK_UN)
        self._descriptor.is_locked = False

    def close(self) -> None:
        """Let go of the file; the last to do so closes the descriptor."""
        self._descriptor.uses -= 1
        if not self._descriptor.uses:
            del _descriptors[self._key]
            os.close(self._descriptor.number)


def _descriptor_of(path: Path, *, create: bool) -> tuple[tuple[int, int], _Descriptor]:
    try:
        if create:
            _make_empty(path)
        # Looked at before it is opened: a pipe would wait for somebody to write to it, and a file
        # that is open already must not be opened and closed once more.
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise BadLeague(f"{path} is not a league: it is not a file")
        key = (found.st_dev, found.st_ino)
        if key not in _descriptors:
            _descriptors[key] = _Descriptor(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except FileNotFoundError:
        raise BadInput(
            f"there is no league at {path}: submit a bot to start one, or say where it is"
        ) from None
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}") from None
    return key, _descriptors[key]


def _make_empty(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        pass
    except OSError as error:
        raise LeagueNotWritten(f"{path} cannot be made: {error.strerror}") from None
