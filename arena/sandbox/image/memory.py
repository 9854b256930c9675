"""Folders in memory whose files all bots may see: nothing tells there that a bot has seen them.

A disk's file system remembers which names were looked up, even missing ones, and which pages were
read; a bot could find out by the clock what another bot has touched, long after that one has ended.
A tmpfs has all of its names and pages in memory anyway, and remembers no missing names.

A folder is named after its content and shared by all processes of a user. Each of them locks it
until it ends, however it ends; when all have ended, a small process that waits for that removes it.
"""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from arena.disk_errors import disk_error
from arena.errors import PlatformError
from arena.sandbox.image.tree import Tree

VARIABLE = "ARENA_MEMORY"
"""The environment variable that chooses the file system in memory."""
_CONTENT, _ABOUT = "tree", "about"
_SPARE_BYTES = 1 << 20
"""Room that is left for the folders and sockets of bots."""
_REMOVE = """
flock --exclusive "$0/." sh -c 'test "$(stat -c %i "$0")" = "$2" && mv "$0" "$1" && rm -rf "$1"' \
    "$0" "$1" "$2" &
"""
"""Remove a folder once no process locks it, unless another one has its name by then.

With a dot behind its name, flock does not create a file where the folder is gone already.
"""
_ROUNDS = 100
"""Attempts to use a folder that other processes keep creating and removing."""
_locks: dict[Path, int] = {}
"""The folders that this process uses, each with the descriptor that locks it until it ends."""


class NoMemory(PlatformError):
    """No file system in memory can hold the files of bots."""


def memory_problems() -> dict[Path, str]:
    """Return the file systems that might be used, each with what is wrong with it, best first."""
    chosen = os.environ.get(VARIABLE)
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    names = [chosen] if chosen else ["/dev/shm", runtime, os.environ.get("TMPDIR"), "/tmp"]
    return {Path(name).absolute(): _problem(Path(name)) for name in names if name}


def memory_bases() -> list[Path]:
    """Return the file systems in memory that can be used, best first."""
    return [base for base, problem in memory_problems().items() if not problem]


def memory_base() -> Path | None:
    """Return where folders and sockets of single bots are made; None if nothing is in memory."""
    # The user's choice for temporary files, if possible.
    chosen = Path(tempfile.gettempdir())
    return next(iter(memory_bases()), None) if _problem(chosen) else chosen


def _problem(base: Path) -> str:
    try:
        if not _is_in_memory(base):
            return "is not in memory"
        # A program in it would not start.
        if os.statvfs(base).f_flag & os.ST_NOEXEC:
            return "allows no programs (noexec)"
    except OSError as error:
        return error.strerror or str(error)
    return "" if os.access(base, os.W_OK | os.X_OK) else "is not writable"


def _is_in_memory(path: Path) -> bool:
    device = path.stat().st_dev
    number = f"{os.major(device)}:{os.minor(device)}"
    with open("/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as mounts:
        return any(
            line.split(" ", 3)[2] == number and line.partition(" - ")[2].startswith("tmpfs ")
            for line in mounts
        )


def shared_folder(key: str, contents: Callable[[], Tree], bases: Sequence[Path]) -> Path:
    """Return the folder with this content, in the first of these bases that has it or has room.

    It appears complete or not at all, stays until this process ends, and is readable by every user
    who can reach it.
    """
    paths = [base / f"arena-{os.geteuid()}-{key}" for base in bases]
    for _ in range(_ROUNDS):
        found = next(filter(None, map(_use, paths)), None)
        if found is None:
            tree = contents()
            found = _make(_large_enough(paths, tree.size), tree)
        if found is not None:
            return found
    raise PlatformError(f"{paths[0]} is removed repeatedly: find out by which program")


def describe(folder: Path) -> str:
    """Return how large a shared folder is and how long it took to fill."""
    return (folder.parent / _ABOUT).read_text(encoding="utf-8")


def sweep_shared(base: Path) -> int:
    """Remove folders whose users were killed together with what should remove them."""
    swept = 0
    for path in [*base.glob(f"arena-{os.geteuid()}-*"), *base.glob(f".arena-{os.geteuid()}-*")]:
        with suppress(OSError, PlatformError):
            descriptor = _open(path)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(descriptor, path):
                    _remove(path)
                    swept += 1
            finally:
                os.close(descriptor)
    return swept


def _use(path: Path) -> Path | None:
    """Lock a folder until this process ends and return its content; None if there is none."""
    known = _locks.get(path)
    if known is not None:
        if _is_at(known, path):
            return path / _CONTENT
        os.close(_locks.pop(path))
    try:
        descriptor = _open(path)
    except FileNotFoundError:
        return None
    # Waits only while it is being removed.
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    return _keep(descriptor, path)


def _keep(descriptor: int, path: Path) -> Path | None:
    if not _is_at(descriptor, path):
        os.close(descriptor)
        return None
    _locks[path] = descriptor
    return path / _CONTENT


def _open(path: Path) -> int:
    """Open a folder, which nobody else may have made or be able to change."""
    with suppress(NotADirectoryError, PermissionError):
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        found = os.fstat(descriptor)
        if found.st_uid == os.geteuid() and not found.st_mode & 0o022:
            return descriptor
        os.close(descriptor)
    raise PlatformError(
        f"{path} belongs to another user, or others can write to it: have it removed, or set "
        f"{VARIABLE} to another folder in memory"
    )


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.lstat())
    except FileNotFoundError:
        return False


def _large_enough(paths: Sequence[Path], needed: int) -> Path:
    for path in paths:
        status = os.statvfs(path.parent)
        if status.f_bavail * status.f_frsize >= needed + _SPARE_BYTES:
            return path
    raise NoMemory(too_little_memory([path.parent for path in paths], needed))


def too_little_memory(bases: Sequence[Path], needed: int) -> str:
    """Return the sentence for file systems in memory that are too small."""
    if not bases:
        details = "; ".join(f"{base} {problem}" for base, problem in memory_problems().items())
        return (
            f"there is no file system in memory for the files of bots ({details}): mount a tmpfs "
            f"and set {VARIABLE} to its folder"
        )
    free = ", ".join(f"{base} has {shutil.disk_usage(base).free >> 20} MiB" for base in bases)
    return (
        f"the files of bots need {-(-needed >> 20)} MiB of memory, but {free} free: enlarge it "
        f"(mount -o remount,size=1G {bases[0]}), or set {VARIABLE} to another folder in memory"
    )


def _make(path: Path, tree: Tree) -> Path | None:
    """Make a folder and lock it; return None if another process was quicker."""
    hidden = path.with_name(f".{path.name}")
    # A fixed name, so that one process fills it and others wait.
    with suppress(FileExistsError):
        hidden.mkdir(0o700)
    try:
        descriptor = _open(hidden)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        # A lock that the process which fills it grants when it has done so.
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        os.close(descriptor)
        return None
    if path.exists() or not _is_at(descriptor, hidden):
        # It was made just before, or the hidden one has its name now.
        if _is_at(descriptor, hidden):
            _remove(hidden)
        os.close(descriptor)
        return None
    try:
        _fill(hidden, tree)
        hidden.rename(path)
    except OSError as error:
        _remove(hidden)
        os.close(descriptor)
        if error.errno == errno.ENOSPC:
            raise NoMemory(too_little_memory([path.parent], tree.size)) from None
        raise disk_error(path.parent, error) from None
    # Not atomic: a sweep may take it just now.
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    found = _keep(descriptor, path)
    if found:
        _remove_when_unused(path)
    return found


def _fill(folder: Path, tree: Tree) -> None:
    began = time.monotonic()
    # Left by a process that was killed.
    for rest in folder.iterdir():
        shutil.rmtree(rest, ignore_errors=True)
    tree.write(folder / _CONTENT)
    took_s = time.monotonic() - began
    about = f"{tree.size / (1 << 20):.0f} MiB, filled in {took_s:.2f} s"
    (folder / _ABOUT).write_text(about, encoding="utf-8")
    # Bots with other uids may pass through it by path, but not list it.
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)


def _remove_when_unused(path: Path) -> None:
    """Start a process that removes a folder when the last process that locks it has ended."""
    inode = str(path.stat().st_ino)
    words = ["sh", "-c", _REMOVE, str(path), str(path.with_name(f".{path.name}-gone")), inode]
    # The shell ends at once, so that what it started is not a child of this process. Where a
    # program is missing, the next sweep removes the folder.
    with suppress(OSError):
        subprocess.run(
            words,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            check=False,
        )


def _remove(path: Path) -> None:
    # Renamed first, so that no process ever finds it half removed.
    trash = Path(tempfile.mkdtemp(prefix=f".arena-{os.geteuid()}-", dir=path.parent))
    with suppress(OSError):
        path.rename(trash / "gone")
    shutil.rmtree(trash, ignore_errors=True)
