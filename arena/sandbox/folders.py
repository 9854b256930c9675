"""How does a bot's folder get into a place of its own?"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import BadInput
from arena.own_files import OwnFile, own_files
from arena.sandbox.places import is_of_the_machine, no_room

MOST_BYTES = 256 << 20
MOST_FILES = 20_000
_CHUNK = 1 << 20


class BadFolder(BadInput):
    """A bot's folder holds something that cannot go along."""


def copy_folder(source: Path, target: Path, *, only: tuple[str, ...] = ()) -> None:
    """Copy a bot's folder, or only some of its files, readable by anybody who gets there.

    Links that stay inside are copied as links; nothing outside is followed, opened or read. What
    cannot be read is the bot's fault, what cannot be written is the machine's.
    """
    root = source.resolve()
    with _written(target):
        _make(target)
    size = files = 0
    try:
        for file in own_files(root, only=only):
            status = file.status()
            files += 1
            size += status.st_size
            if files > MOST_FILES:
                raise BadFolder(f"{source} holds more than {MOST_FILES} files")
            if size > MOST_BYTES:
                raise BadFolder(f"{source} holds more than {MOST_BYTES >> 20} MiB")
            _copy(root, file, status.st_mode, target)
    except OSError as error:
        raise BadFolder(f"{error.filename or source} cannot be copied: {error.strerror}") from None


def _copy(root: Path, file: OwnFile, mode: int, target: Path) -> None:
    place = target / file.place
    if stat.S_ISLNK(mode):
        leads_to = file.target()
        _check_link(root, file.path, leads_to)
        with _written(target):
            _make(place.parent)
            place.symlink_to(leads_to)
    elif stat.S_ISREG(mode):
        _copy_file(file, place, target)
    else:
        raise BadFolder(f"{file.path} is neither a file nor a folder: a bot has no use for it")


@contextmanager
def _written(target: Path) -> Iterator[None]:
    """Tell what the disk refuses from what is wrong with a bot."""
    try:
        yield
    except OSError as error:
        if is_of_the_machine(error):
            raise no_room(target.parent.parent, error) from None
        raise


def _make(folder: Path) -> None:
    if not folder.is_dir():
        _make(folder.parent)
        folder.mkdir()
        # Whatever the umask says.
        folder.chmod(0o755)


def _check_link(root: Path, link: Path, leads_to: str) -> None:
    real = Path(os.path.realpath(link.parent / leads_to))
    if os.path.isabs(leads_to) or not real.is_relative_to(root):
        raise BadFolder(f"{link} is a link that leads out of the bot's folder")


def _copy_file(file: OwnFile, place: Path, target: Path) -> None:
    with file.open() as here:
        executable = bool(os.fstat(here.fileno()).st_mode & 0o111)
        with _written(target):
            _make(place.parent)
            there = place.open("xb")
        with there:
            copied = 0
            while data := here.read(_CHUNK):
                copied += len(data)
                if copied > MOST_BYTES:
                    # It grows while it is read.
                    raise BadFolder(f"{file.path} holds more than {MOST_BYTES >> 20} MiB")
                with _written(target):
                    there.write(data)
            with _written(target):
                there.flush()
        with _written(target):
            place.chmod(0o755 if executable else 0o644)
