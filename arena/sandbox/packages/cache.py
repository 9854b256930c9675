"""A cache on disk for folders and texts that are made once and used by later runs."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from arena.errors import PlatformError

_MAX_UNUSED_S = 30 * 24 * 3600
_UNFINISHED = ".making-"
_FILE_LIST = ".whole"
"""The file in each folder that lists all other files with their sizes."""


def cache_folder() -> Path:
    """Return the cache folder, creating it if necessary.

    No other user may be able to write to it, because its contents are run without another check.
    """
    # Small containers have no /var/cache, or a read-only one.
    has_var_cache = os.access("/var/cache", os.W_OK)
    folder = cache_path(os.environ, os.geteuid(), has_var_cache=has_var_cache)
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o755)
        link, real = folder.lstat(), folder.stat()
    except OSError as error:
        raise _cache_error(folder, f"cannot be used ({error.strerror})") from None
    if not stat.S_ISDIR(real.st_mode):
        raise _cache_error(folder, "is not a folder")
    if {link.st_uid, real.st_uid} != {os.geteuid()}:
        raise _cache_error(folder, "belongs to another user")
    if real.st_mode & 0o022:
        raise _cache_error(folder, "is writable by other users")
    return folder


def cache_path(variables: Mapping[str, str], uid: int, *, has_var_cache: bool = True) -> Path:
    """Return the path of a user's cache, given the user's environment variables."""
    chosen = variables.get("ARENA_CACHE")
    if chosen:
        return Path(chosen).absolute()
    if uid == 0 and has_var_cache:
        return Path("/var/cache/arena")
    shared = variables.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return Path(shared, "arena")
    home = variables.get("HOME", "")
    if os.path.isabs(home):
        return Path(home, ".cache", "arena")
    return Path(f"/var/tmp/arena-{uid}")


def _cache_error(folder: Path, why: str) -> PlatformError:
    return PlatformError(
        f"the cache folder {folder} {why}: set ARENA_CACHE to a folder that is yours"
    )


def cached_folder(key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of this key, filled by `make` if it does not exist yet.

    It appears complete or not at all: it is filled under another name, by one process at a time. A
    folder that has since lost files is rebuilt. Its files become readable for every user, and
    executable for none.
    """
    folder = cache_folder() / "environments" / key
    if not _touch_if_intact(folder):
        with _writing_to(folder.parent), _exclusive_lock(folder.parent):
            if not _touch_if_intact(folder):
                _make(folder, make)
    return folder


def is_intact(folder: Path) -> bool:
    """Return whether a cached folder still has all of its files, with their sizes."""
    try:
        listed = (folder / _FILE_LIST).read_text(encoding="utf-8", errors="surrogateescape")
        # Strings, because this is done for every bot, and paths would cost several times as much.
        start = f"{folder}/"
        return all(
            str(os.lstat(start + name).st_size) == size
            for size, _, name in (line.partition(" ") for line in listed.split("\0") if line)
        )
    except OSError:
        return False


def read_cached_text(key: str) -> str:
    """Return a cached text, or an empty string; it may have been damaged."""
    parent = cache_folder() / "texts"
    try:
        return (parent / key).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _cache_error(parent, f"cannot be read ({error.strerror})") from None


def write_cached_text(key: str, text: str) -> None:
    """Store a text under a key, replacing the previous one."""
    parent = cache_folder() / "texts"
    with _writing_to(parent), tempfile.TemporaryDirectory(dir=parent) as folder:
        file = Path(folder, key)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o644)
        file.replace(parent / key)


@contextmanager
def _writing_to(parent: Path) -> Iterator[None]:
    try:
        parent.mkdir(exist_ok=True)
        parent.chmod(0o755)
        yield
    except OSError as error:
        raise _cache_error(parent, f"cannot be written to ({error.strerror or error})") from None


def _touch_if_intact(folder: Path) -> bool:
    """Return whether a folder exists and is intact, and mark it as used now."""
    # A read-only cache can still be used.
    with suppress(OSError):
        os.utime(folder)
    return is_intact(folder)


@contextmanager
def _exclusive_lock(parent: Path) -> Iterator[None]:
    with (parent / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path, make: Callable[[Path], None]) -> None:
    parent = folder.parent
    # Left by killed processes: only one process makes folders at a time, and this is the one.
    for unfinished in parent.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    new_folder = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=parent))
    try:
        make(new_folder)
        _write_file_list(new_folder)
        _make_readable(new_folder)
        _remove_unused(parent, new_folder.stat().st_mtime - _MAX_UNUSED_S)
        if folder.exists():
            _remove(folder)
        new_folder.rename(folder)
    except BaseException:
        shutil.rmtree(new_folder, ignore_errors=True)
        raise


def _write_file_list(folder: Path) -> None:
    """Write the list of a folder's files; the list itself is not in it."""
    lines = []
    for path, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(path, name))]
        for name in files + links:
            file = os.path.join(path, name)
            lines.append(f"{os.lstat(file).st_size} {os.path.relpath(file, folder)}\0")
    text = "".join(sorted(lines))
    (folder / _FILE_LIST).write_text(text, encoding="utf-8", errors="surrogateescape")


def _make_readable(folder: Path) -> None:
    """Make a tree readable for every user, regardless of the umask: bots may run as other users."""
    for path, _, files in os.walk(folder):
        os.chmod(path, 0o755)
        for name in files:
            file = os.path.join(path, name)
            if not os.path.islink(file):
                os.chmod(file, 0o644)


def _remove_unused(parent: Path, since: float) -> None:
    for folder in parent.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < since:
            _remove(folder)


def _remove(folder: Path) -> None:
    # Renamed first, so that no process ever finds it half removed.
    trash = folder.rename(folder.with_name(f"{_UNFINISHED}{folder.name}"))
    shutil.rmtree(trash, ignore_errors=True)
