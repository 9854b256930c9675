"""Which files of a folder are the bot's own?

They are the same when a bot is tried and when it is submitted: what it finds here, it finds in the
league. Nothing is opened by way of a link: whoever can write to the folder may lay one at any
moment, so every folder is opened from the one above it, and every file from its folder.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import BinaryIO

IGNORED = frozenset(
    (
        *(".git", ".hg", ".svn", ".DS_Store", ".idea", ".vscode"),
        *("__pycache__", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"),
        *(".venv", ".tox", ".nox"),
    )
)
"""Files and folders that are not the bot's own."""
IGNORED_ENDINGS = (".pyc", ".pyo")
MOST_DEPTH = 100
"""How many folders may lie one within the other, below the bot's own."""
_VENV_MARK = "pyvenv.cfg"
"""What every virtual environment has, whatever its folder is called."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Without O_NONBLOCK a pipe would wait for somebody to write to it.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class OwnFile:
    """Something in a folder that is not a folder itself; to be looked at before the next one."""

    top: Path
    """The bot's folder."""
    place: PurePath
    """Where in it."""
    folder: int
    """A descriptor of the folder that it is in."""

    @property
    def path(self) -> Path:
        """Its whole path, for sentences: it is not opened by it."""
        return self.top / self.place

    def status(self) -> os.stat_result:
        """Look at it, and not at what it may be a link to."""
        with _naming(self.path):
            return os.stat(self.place.name, dir_fd=self.folder, follow_symlinks=False)

    def target(self) -> str:
        """Return where it leads, if it is a link."""
        with _naming(self.path):
            return os.readlink(self.place.name, dir_fd=self.folder)

    def open(self) -> BinaryIO:
        """Open it, if it is a file: what became a link or a pipe since it was looked at fails."""
        with _naming(self.path):
            file = open(os.open(self.place.name, _FILE, dir_fd=self.folder), "rb")
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.close()
                raise OSError(errno.EINVAL, "it is not a file any more")
            return file


def own_files(folder: Path, *, only: Sequence[str] = ()) -> Iterator[OwnFile]:
    """Yield what is in a folder and below, of whatever kind, but for the folders themselves.

    With `only`, just these. Raises OSError for a folder that cannot be looked into, or in which
    too many lie one within the other.
    """
    with _naming(folder):
        top = os.open(folder, _FOLDER)
    try:
        if only:
            yield from (OwnFile(folder, PurePath(name), top) for name in only)
        else:
            yield from _below(folder, PurePath(), top)
    finally:
        os.close(top)


def _below(top: Path, where: PurePath, descriptor: int) -> Iterator[OwnFile]:
    if len(where.parts) > MOST_DEPTH:
        what = f"more than {MOST_DEPTH} folders lie one within the other"
        raise OSError(errno.ENAMETOOLONG, what, str(top))
    folders: list[str] = []
    files: list[str] = []
    with _naming(top / where), os.scandir(descriptor) as entries:
        for entry in entries:
            if _is_own(descriptor, entry.name):
                (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
    yield from (OwnFile(top, where / name, descriptor) for name in sorted(files))
    for name in sorted(folders):
        with _naming(top / where / name):
            inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
        try:
            yield from _below(top, where / name, inner)
        finally:
            os.close(inner)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Give an error the whole path: the system knows only the name in the folder."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _is_own(descriptor: int, name: str) -> bool:
    return (
        name not in IGNORED
        and not name.endswith(IGNORED_ENDINGS)
        and not _is_file(descriptor, os.path.join(name, _VENV_MARK))
    )


def _is_file(descriptor: int, path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path, dir_fd=descriptor).st_mode)
    except OSError:
        return False
