"""The lock that allows one process at a time to write the league's file.

The process holds an exclusive `flock` on the file itself, which the kernel releases when the
process ends, however it ends. SQLite's own lock is not enough: it is free between two transactions.
Bots are submitted and retired without it, in one transaction each.

SQLite's locks on the file are POSIX locks: when a process closes any descriptor of a file, it loses
all its POSIX locks on that file. So this process has a single descriptor for each league's file,
opened before the first connection and closed after the last. This is state of the process, hence a
dictionary at module level.

A forked process inherits the lock; a spawned process does not.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.errors import BadInput, BadLeague, LeagueInUse, LeagueNotWritten


@dataclass
class _OpenFile:
    """The only descriptor of a league's file in this process."""

    descriptor: int
    uses: int = 0
    is_locked: bool = False


_open_files: dict[tuple[int, int], _OpenFile] = {}
"""By device and inode, because a file may have several names."""


class WriterLock:
    """A use of the league's file; it must outlive the connections to it."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open a file; with `create`, a missing one is created empty."""
        self._path = path
        self._key, self._file = _open_file(path, create=create)
        self._file.uses += 1

    def read_start(self, count: int) -> bytes:
        """Return the first bytes of the file."""
        return os.pread(self._file.descriptor, count, 0)

    def size(self) -> int:
        """Return the size of the file in bytes."""
        return os.fstat(self._file.descriptor).st_size

    def is_in_place(self) -> bool:
        """Return whether the path still leads to the file that was opened."""
        try:
            found = self._path.stat()
        except OSError:
            return False
        return (found.st_dev, found.st_ino) == self._key

    def place(self) -> Path | None:
        """Return where the file is now; None if it has been deleted, or cannot be reached."""
        # The kernel follows a file that is renamed, alone or with its folder (proc(5)).
        path = Path(os.readlink(f"/proc/self/fd/{self._file.descriptor}"))
        try:
            return path if os.path.samestat(path.stat(), os.fstat(self._file.descriptor)) else None
        except OSError:
            return None

    def is_deleted(self) -> bool:
        """Return whether the file has no name any more."""
        return os.fstat(self._file.descriptor).st_nlink == 0

    @contextmanager
    def held(self) -> Iterator[None]:
        """Be the only writer within the block; raise `LeagueInUse` at once if there is another."""
        in_use = LeagueInUse(
            f"{self._path} is being written by another arena process (an event is running, or the "
            "league is served): wait until it is done"
        )
        if self._file.is_locked:
            raise in_use
        try:
            fcntl.flock(self._file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise in_use from None
        self._file.is_locked = True
        try:
            yield
        finally:
            fcntl.flock(self._file.descriptor, fcntl.LOCK_UN)
            self._file.is_locked = False

    def close(self) -> None:
        """End this use; the last one closes the descriptor."""
        self._file.uses -= 1
        if not self._file.uses:
            del _open_files[self._key]
            os.close(self._file.descriptor)


def _open_file(path: Path, *, create: bool) -> tuple[tuple[int, int], _OpenFile]:
    try:
        if create:
            _make_empty(path)
        # Checked before it is opened: opening a pipe would block, and a file that is open already
        # must not be opened and closed again.
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise BadLeague(f"{path} is not a league: it is not a file")
        key = (found.st_dev, found.st_ino)
        if key not in _open_files:
            _open_files[key] = _OpenFile(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
    except FileNotFoundError:
        has_demo = path.with_name("demo.db").exists()
        how = "has made demo.db: use --db demo.db" if has_demo else "makes one in a minute"
        raise BadInput(f"no league at {path}: `arena demo` {how}") from None
    except OSError as error:
        raise BadInput(f"{path} cannot be opened: {error.strerror}") from None
    return key, _open_files[key]


def _make_empty(path: Path) -> None:
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    except FileExistsError:
        pass
    except OSError as error:
        raise LeagueNotWritten(f"{path} cannot be created: {error.strerror}") from None
