"""Temporary folders for bots, removed even if the referee was killed.

Every folder is locked by the process that created it. The kernel releases the lock when the process
ends, however it ends. A folder without a lock belongs to a dead referee: the next referee that
starts removes it and kills any of its bots that are still running.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import signal
import tempfile
import time
import weakref
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from arena.disk_errors import disk_error
from arena.sandbox.image.memory import memory_bases, sweep_shared

_PREFIX = "arena-"
_LOCK = ".arena-lock"
_MAX_PATH_BYTES = 60
"""The whole path of a socket is limited to 107 bytes."""
_GRACE_S = 60
_ROUNDS, _ROUND_S = 5, 0.02


class TempDir:
    """A folder of this process that is removed when it is no longer referenced."""

    def __init__(self, base: Path | None = None) -> None:
        """Create the folder in `base` or the usual place; the first one also calls `sweep`."""
        _sweep_once(os.getpid())
        base = base or _base()
        try:
            self.path, lock = _create(base)
        except OSError as error:
            raise disk_error(base, error) from None
        self._finalizer = weakref.finalize(self, _remove, self.path, lock, os.getpid())

    def remove(self) -> None:
        """Remove the folder and its contents; may be called more than once."""
        self._finalizer()


@contextlib.contextmanager
def temp_dir(base: Path | None = None) -> Iterator[Path]:
    """Create an empty folder and remove it at the end of the `with` block."""
    temp = TempDir(base)
    try:
        yield temp.path
    finally:
        temp.remove()


def sweep() -> int:
    """Remove folders left by killed referees and kill their bots; return the number of folders."""
    bases = {_base(), *memory_bases()}
    stale = [path for base in bases for path in base.glob(f"{_PREFIX}*") if _is_stale(path)]
    stale += [path for base in bases for path in base.glob(f".{_PREFIX}*") if _is_abandoned(path)]
    if stale:
        _kill_processes_using(stale)
    for path in stale:
        _clear(path)
    return len(stale) + sum(map(sweep_shared, bases))


def _base() -> Path:
    base = Path(tempfile.gettempdir())
    return base if len(os.fsencode(base)) <= _MAX_PATH_BYTES else Path("/tmp")


def _create(base: Path) -> tuple[Path, int]:
    """Create a folder and its lock; a failure leaves nothing behind."""
    # Hidden until it is locked, so that no sweep takes it for a dead referee's.
    hidden = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=base))
    lock = -1
    try:
        lock = os.open(hidden / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Bots with other uids may pass through it by path, but not list it.
        hidden.chmod(0o711 if os.geteuid() == 0 else 0o700)
        return hidden.rename(base / hidden.name[1:]), lock
    except OSError:
        shutil.rmtree(hidden, ignore_errors=True)
        if lock >= 0:
            os.close(lock)
        raise


def _remove(path: Path, lock: int, owner: int) -> None:
    # A forked child must not remove its parent's folder.
    if os.getpid() == owner:
        _clear(path)
        os.close(lock)


def _clear(path: Path) -> None:
    """Remove a folder, its lock last: if killed at any moment, the next sweep finds the rest."""
    for child in path.glob("*"):
        if child.name != _LOCK:
            with contextlib.suppress(OSError):
                child.unlink()
            shutil.rmtree(child, ignore_errors=True)
    with contextlib.suppress(OSError):
        path = path.rename(path.with_name(f".{path.name.lstrip('.')}"))
    shutil.rmtree(path, ignore_errors=True)


@cache
def _sweep_once(_: int) -> None:
    sweep()


def _is_stale(path: Path) -> bool:
    try:
        if path.lstat().st_uid != os.geteuid():
            return False
        lock = os.open(path / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def _is_abandoned(path: Path) -> bool:
    """Return whether a process was killed while creating or removing this folder."""
    try:
        found = path.lstat()
        return (
            found.st_uid == os.geteuid()
            and time.time() - found.st_mtime > _GRACE_S
            and set(os.listdir(path)) <= {_LOCK}
        )
    except OSError:
        return False


def _kill_processes_using(folders: list[Path]) -> None:
    """Kill the processes that use one of these folders: bots whose referee died as they started."""
    names = [os.fsencode(folder.name) for folder in folders]
    # Repeat: a process may fork between scans, and cannot be recognised while it calls exec.
    for _ in range(_ROUNDS):
        for process in Path("/proc").glob("[0-9]*"):
            if _uses_any(process, names):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process.name), signal.SIGKILL)
        time.sleep(_ROUND_S)


def _uses_any(process: Path, names: list[bytes]) -> bool:
    try:
        evidence = (process / "mountinfo").read_bytes()
        words = (process / "cmdline").read_bytes()
    except OSError:
        return False
    if b"bwrap\0" in words:
        # It may not have mounted anything yet.
        evidence += words
    return any(name in evidence for name in names)
