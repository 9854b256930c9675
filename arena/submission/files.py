"""The files in a folder that belong to a bot.

The same files are used when a bot is tried and when it is submitted, so it finds the same files in
the league as on its author's machine. No symbolic link is ever followed: anyone who can write to
the folder may create one at any moment. So every folder is opened relative to its parent, and every
file relative to its folder.
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
        *(".git", ".github", ".hg", ".svn", ".DS_Store", ".idea", ".vscode"),
        *("__pycache__", ".cache", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis"),
        *(".venv", ".tox", ".nox"),
    )
)
"""Files and folders that do not belong to the bot."""
IGNORED_SUFFIXES = (".pyc", ".pyo")
MAX_DEPTH = 100
"""Maximum nesting of folders below the bot's folder."""
_VENV_FILE = "pyvenv.cfg"
"""Every virtual environment has this file, whatever its folder is called."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# Without O_NONBLOCK, opening a pipe would block until something writes to it.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


@dataclass(frozen=True, slots=True)
class BotFile:
    """An entry of a folder that is not a folder; use it before asking for the next one."""

    top: Path
    """The bot's folder."""
    relative: PurePath
    """Its path relative to the bot's folder."""
    folder: int
    """A descriptor of the folder that contains it."""

    @property
    def path(self) -> Path:
        """Its full path, for messages only; the file is not opened by this path."""
        return self.top / self.relative

    def status(self) -> os.stat_result:
        """Return its status, without following it if it is a link."""
        with _full_path_in_errors(self.path):
            return os.stat(self.relative.name, dir_fd=self.folder, follow_symlinks=False)

    def target(self) -> str:
        """Return the target of a link."""
        with _full_path_in_errors(self.path):
            return os.readlink(self.relative.name, dir_fd=self.folder)

    def open(self) -> BinaryIO:
        """Open a regular file; fail if it has become a link or a pipe in the meantime."""
        with _full_path_in_errors(self.path):
            file = open(os.open(self.relative.name, _FILE, dir_fd=self.folder), "rb")
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                file.close()
                raise OSError(errno.EINVAL, "it is no longer a regular file")
            return file


def bot_files(folder: Path, *, only: Sequence[str] = ()) -> Iterator[BotFile]:
    """Yield every entry in and below a folder, of any kind except folders.

    With `only`, yield just these. Raises OSError for a folder that cannot be read or is nested too
    deeply.
    """
    with _full_path_in_errors(folder):
        top = os.open(folder, _FOLDER)
    try:
        if only:
            yield from (BotFile(folder, PurePath(name), top) for name in only)
        else:
            yield from _walk(folder, PurePath(), top)
    finally:
        os.close(top)


def _walk(top: Path, relative: PurePath, descriptor: int) -> Iterator[BotFile]:
    if len(relative.parts) > MAX_DEPTH:
        what = f"folders are nested more than {MAX_DEPTH} deep"
        raise OSError(errno.ENAMETOOLONG, what, str(top))
    folders: list[str] = []
    files: list[str] = []
    with _full_path_in_errors(top / relative), os.scandir(descriptor) as entries:
        for entry in entries:
            if _belongs_to_bot(descriptor, entry.name):
                (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
    yield from (BotFile(top, relative / name, descriptor) for name in sorted(files))
    for name in sorted(folders):
        with _full_path_in_errors(top / relative / name):
            inner = os.open(name, _FOLDER | os.O_NOFOLLOW, dir_fd=descriptor)
        try:
            yield from _walk(top, relative / name, inner)
        finally:
            os.close(inner)


@contextmanager
def _full_path_in_errors(path: Path) -> Iterator[None]:
    """Put the full path into an error: the system knows only the name within the folder."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def _belongs_to_bot(descriptor: int, name: str) -> bool:
    return (
        name not in IGNORED
        and not name.endswith(IGNORED_SUFFIXES)
        and not _is_file(descriptor, os.path.join(name, _VENV_FILE))
    )


def _is_file(descriptor: int, path: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(path, dir_fd=descriptor).st_mode)
    except OSError:
        return False
