"""Where is kept what is made once and used by every later run?"""

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

_UNUSED_S = 30 * 24 * 3600
_UNFINISHED = ".making-"
_LIST = ".whole"
"""The file in each folder that lists all others, each with its size."""


def cache_folder() -> Path:
    """Return the folder of all that can be made again, and make it if need be.

    Nobody else may write there, because what lies there is run without being looked at again.
    """
    folder = place_of_cache(os.environ, os.geteuid())
    try:
        if not folder.exists():
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o755)
        named, real = folder.lstat(), folder.stat()
    except OSError as error:
        raise _refusal(folder, f"cannot be used ({error.strerror})") from None
    if not stat.S_ISDIR(real.st_mode):
        raise _refusal(folder, "is not a folder")
    if {named.st_uid, real.st_uid} != {os.geteuid()}:
        raise _refusal(folder, "belongs to somebody else")
    if real.st_mode & 0o022:
        raise _refusal(folder, "can be written to by others")
    return folder


def place_of_cache(variables: Mapping[str, str], uid: int) -> Path:
    """Tell where the cache of a user is, who has these variables set."""
    asked = variables.get("ARENA_CACHE")
    if asked:
        return Path(asked).absolute()
    if uid == 0:
        return Path("/var/cache/arena")
    shared = variables.get("XDG_CACHE_HOME", "")
    if os.path.isabs(shared):
        return Path(shared, "arena")
    home = variables.get("HOME", "")
    if os.path.isabs(home):
        return Path(home, ".cache", "arena")
    return Path(f"/var/tmp/arena-{uid}")


def _refusal(folder: Path, why: str) -> PlatformError:
    return PlatformError(
        f"the cache folder {folder} {why}: set ARENA_CACHE to a folder of your own"
    )


def made_once(key: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of this key, filled by `make` if it is not there yet.

    It appears whole or not at all: it is filled under another name, by one process at a time. One
    that has lost files since is made again. All in it becomes readable for everybody and executable
    for nobody.
    """
    folder = cache_folder() / "environments" / key
    if not _used(folder):
        with _written_to(folder.parent), _alone(folder.parent):
            if not _used(folder):
                _make(folder, make)
    return folder


def is_whole(folder: Path) -> bool:
    """Tell whether a folder that was made once still has every file, each with its size."""
    try:
        listed = (folder / _LIST).read_text(encoding="utf-8", errors="surrogateescape")
        return all(
            str(os.lstat(folder / name).st_size) == size
            for size, _, name in (line.partition(" ") for line in listed.split("\0") if line)
        )
    except OSError:
        return False


def remembered(key: str) -> str:
    """Return the text that was to be remembered, or an empty one; it may have been damaged."""
    shelf = cache_folder() / "texts"
    try:
        return (shelf / key).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise _refusal(shelf, f"cannot be read ({error.strerror})") from None


def remember(key: str, text: str) -> None:
    """Keep a text under a key, in place of what was there."""
    shelf = cache_folder() / "texts"
    with _written_to(shelf), tempfile.TemporaryDirectory(dir=shelf) as folder:
        file = Path(folder, key)
        file.write_text(text, encoding="utf-8")
        file.chmod(0o644)
        file.replace(shelf / key)


@contextmanager
def _written_to(shelf: Path) -> Iterator[None]:
    try:
        shelf.mkdir(exist_ok=True)
        shelf.chmod(0o755)
        yield
    except OSError as error:
        raise _refusal(shelf, f"cannot be written to ({error.strerror or error})") from None


def _used(folder: Path) -> bool:
    """Tell whether a folder is there and whole, and stamp it as used now if it is."""
    # Where nothing can be written, what is there can still be used.
    with suppress(OSError):
        os.utime(folder)
    return is_whole(folder)


@contextmanager
def _alone(shelf: Path) -> Iterator[None]:
    with (shelf / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _make(folder: Path, make: Callable[[Path], None]) -> None:
    shelf = folder.parent
    # Whoever began these is dead, because only one process makes and that is this one.
    for unfinished in shelf.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(unfinished, ignore_errors=True)
    made = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=shelf))
    try:
        make(made)
        _list(made)
        _open_to_all(made)
        _remove_unused(shelf, made.stat().st_mtime - _UNUSED_S)
        if folder.exists():
            _remove(folder)
        made.rename(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _list(folder: Path) -> None:
    """Write down what a folder holds; its own list comes last and is not in it."""
    lines = []
    for path, folders, files in os.walk(folder):
        links = [name for name in folders if os.path.islink(os.path.join(path, name))]
        for name in files + links:
            file = os.path.join(path, name)
            lines.append(f"{os.lstat(file).st_size} {os.path.relpath(file, folder)}\0")
    text = "".join(sorted(lines))
    (folder / _LIST).write_text(text, encoding="utf-8", errors="surrogateescape")


def _open_to_all(folder: Path) -> None:
    """Let every user read a tree, whatever the umask was: a bot may run as another user."""
    for path, _, files in os.walk(folder):
        os.chmod(path, 0o755)
        for name in files:
            file = os.path.join(path, name)
            if not os.path.islink(file):
                os.chmod(file, 0o644)


def _remove_unused(shelf: Path, since: float) -> None:
    for folder in shelf.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < since:
            _remove(folder)


def _remove(folder: Path) -> None:
    # Under a name that nobody finds, so that none is ever found half removed.
    gone = folder.rename(folder.with_name(f"{_UNFINISHED}{folder.name}"))
    shutil.rmtree(gone, ignore_errors=True)
