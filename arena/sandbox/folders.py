"""How does a bot's folder get into a place of its own?"""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from arena.errors import BadInput
from arena.own_files import own_files

MOST_BYTES = 256 << 20
MOST_FILES = 20_000


class BadFolder(BadInput):
    """A bot's folder holds something that cannot go along."""


def copy_folder(source: Path, target: Path, *, only: tuple[str, ...] = ()) -> None:
    """Copy a bot's folder, or only some of its files, readable by anybody who gets there.

    Links that stay inside are copied as links; nothing outside is followed, opened or read.
    """
    root = source.resolve()
    try:
        _make(target)
        size = files = 0
        for path in [root / name for name in only] or own_files(root):
            files += 1
            size += path.lstat().st_size
            if files > MOST_FILES:
                raise BadFolder(f"{source} holds more than {MOST_FILES} files")
            if size > MOST_BYTES:
                raise BadFolder(f"{source} holds more than {MOST_BYTES >> 20} MiB")
            _copy(root, path, target / path.relative_to(root))
    except OSError as error:
        raise BadFolder(f"{error.filename or source} cannot be copied: {error.strerror}") from None


def _copy(root: Path, path: Path, place: Path) -> None:
    mode = path.lstat().st_mode
    _make(place.parent)
    if stat.S_ISLNK(mode):
        _check_link(root, path)
        place.symlink_to(os.readlink(path))
    elif stat.S_ISREG(mode):
        _copy_file(path, place, executable=bool(mode & 0o111))
    else:
        raise BadFolder(f"{path} is neither a file nor a folder: a bot has no use for it")


def _make(folder: Path) -> None:
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir()
        # Whatever the umask says.
        folder.chmod(0o755)


def _check_link(root: Path, link: Path) -> None:
    if os.path.isabs(os.readlink(link)) or not Path(os.path.realpath(link)).is_relative_to(root):
        raise BadFolder(f"{link} is a link that leads out of the bot's folder")


def _copy_file(path: Path, place: Path, *, executable: bool) -> None:
    # O_NOFOLLOW, because somebody may have put a link there since it was looked at.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as here, place.open("xb") as there:
        shutil.copyfileobj(here, there)
    place.chmod(0o755 if executable else 0o644)
