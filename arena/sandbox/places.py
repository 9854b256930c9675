"""Where on disk do bots live while they run, and who tidies up after a referee that was killed?

Every folder made here is locked by the process that made it, and the kernel drops that lock when
the process ends, however it ends. A folder without a lock is a dead referee's: the next one that
starts removes it, with whatever of its bots may still run.
"""

from __future__ import annotations

import contextlib
import errno
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

from arena.errors import PlatformError
from arena.sandbox.control_group import remove_groups

_PREFIX = "arena-"
_LOCK = ".arena-lock"
_LONGEST = 60
"""A socket's path may have 107 bytes in all."""
_MOMENT_S = 60
_OF_NAMES = frozenset(
    (
        *(errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ELOOP),
        *(errno.EEXIST, errno.ENOTDIR, errno.EISDIR),
    )
)
"""What the system says of files that nobody could write under such names."""
_ROUNDS, _ROUND_S = 5, 0.02


class Place:
    """A folder of this process that is removed when nobody refers to it any more."""

    def __init__(self) -> None:
        """Make the folder; the first one also sweeps."""
        _sweep_once(os.getpid())
        base = _base()
        try:
            self.path, lock = _made(base)
        except OSError as error:
            raise no_room(base, error) from None
        self._finalizer = weakref.finalize(self, _remove, self.path, lock, os.getpid())

    def remove(self) -> None:
        """Remove the folder with all that is in it; may be called again."""
        self._finalizer()


@contextlib.contextmanager
def fresh() -> Iterator[Path]:
    """Give an empty folder for as long as it is needed."""
    place = Place()
    try:
        yield place.path
    finally:
        place.remove()


def is_of_the_machine(error: OSError) -> bool:
    """Tell whether a file could not be written for reasons that are not the file's own."""
    return error.errno not in _OF_NAMES


def no_room(folder: Path, error: OSError) -> PlatformError:
    """Say that bots cannot have their files in a folder."""
    return PlatformError(
        f"bots cannot have their files in {folder} ({error.strerror or error}): make room there, "
        "or set TMPDIR to another folder"
    )


def sweep() -> int:
    """Remove what killed referees have left behind, and end what still runs; return how many."""
    base = _base()
    stale = [path for path in base.glob(f"{_PREFIX}*") if _is_stale(path)]
    stale += [path for path in base.glob(f".{_PREFIX}*") if _is_husk(path)]
    if stale:
        _end_bots_in(stale)
    for path in stale:
        _clear(path)
    return len(stale)


def _base() -> Path:
    base = Path(tempfile.gettempdir())
    return base if len(os.fsencode(base)) <= _LONGEST else Path("/tmp")


def _made(base: Path) -> tuple[Path, int]:
    """Make a folder and its lock; if that fails, nothing is left."""
    # The name without prefix is not looked at by sweepers until the lock is there.
    hidden = Path(tempfile.mkdtemp(prefix=f".{_PREFIX}", dir=base))
    lock = -1
    try:
        lock = os.open(hidden / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # Entered by those who know the way, listed by nobody: bots of other uids pass through.
        hidden.chmod(0o711 if os.geteuid() == 0 else 0o700)
        return hidden.rename(base / hidden.name[1:]), lock
    except OSError:
        shutil.rmtree(hidden, ignore_errors=True)
        if lock >= 0:
            os.close(lock)
        raise


def _remove(path: Path, lock: int, owner: int) -> None:
    # A forked child has no business with its parent's folder.
    if os.getpid() == owner:
        _clear(path)
        os.close(lock)


def _clear(path: Path) -> None:
    """Remove a folder, its lock last and hidden again: killed at any moment, a sweep finds it."""
    if not remove_groups(path):
        # Whose processes do not end yet: the next sweep finds it.
        return
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


def _is_husk(path: Path) -> bool:
    """Tell whether somebody was killed in the moment of making or removing a folder."""
    try:
        found = path.lstat()
        return (
            found.st_uid == os.geteuid()
            and time.time() - found.st_mtime > _MOMENT_S
            and set(os.listdir(path)) <= {_LOCK}
        )
    except OSError:
        return False


def _end_bots_in(folders: list[Path]) -> None:
    """Kill the processes that see one of these folders: bots whose referee died as they started."""
    names = [os.fsencode(folder.name) for folder in folders]
    # Several times, because one that is starting may start another meanwhile, and is nobody to be
    # found while it becomes another program.
    for _ in range(_ROUNDS):
        for process in Path("/proc").glob("[0-9]*"):
            if _sees(process, names):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process.name), signal.SIGKILL)
        time.sleep(_ROUND_S)


def _sees(process: Path, names: list[bytes]) -> bool:
    try:
        seen = (process / "mountinfo").read_bytes()
        words = (process / "cmdline").read_bytes()
    except OSError:
        return False
    if b"bwrap\0" in words:
        # One that has mounted nothing yet.
        seen += words
    return any(name in seen for name in names)
