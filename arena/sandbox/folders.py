"""Copy a bot's folder."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.disk_errors import disk_error, is_machine_fault
from arena.errors import BadInput
from arena.submission.files import BotFile, bot_files

MAX_BYTES = 256 << 20
MAX_FILES = 20_000
_CHUNK = 1 << 20


class BadFolder(BadInput):
    """A bot's folder contains something that cannot be copied."""


def copy_folder(source: Path, target: Path, *, only: tuple[str, ...] = ()) -> None:
    """Copy a bot's folder, or only some of its files, readable by every user.

    Links within the folder are copied as links; nothing outside the folder is followed, opened or
    read. Failing to read is the bot's fault, failing to write is the machine's.
    """
    root = source.resolve()
    with _machine_faults(target):
        _make_folder(target)
    size = files = 0
    try:
        for file in bot_files(root, only=only):
            status = file.status()
            files += 1
            size += status.st_size
            if files > MAX_FILES:
                raise BadFolder(f"{source} contains more than {MAX_FILES} files")
            if size > MAX_BYTES:
                raise BadFolder(f"{source} contains more than {MAX_BYTES >> 20} MiB")
            _copy(root, file, status.st_mode, target)
    except OSError as error:
        raise BadFolder(f"{error.filename or source} cannot be copied: {error.strerror}") from None


def _copy(root: Path, file: BotFile, mode: int, target: Path) -> None:
    destination = target / file.relative
    if stat.S_ISLNK(mode):
        link_target = file.target()
        _check_link(root, file.path, link_target)
        with _machine_faults(target):
            _make_folder(destination.parent)
            destination.symlink_to(link_target)
    elif stat.S_ISREG(mode):
        _copy_file(file, destination, target)
    else:
        raise BadFolder(f"{file.path} is neither a file nor a folder: remove it")


@contextmanager
def _machine_faults(target: Path) -> Iterator[None]:
    """Raise `PlatformError` for errors of the disk, as opposed to faults of the bot."""
    try:
        yield
    except OSError as error:
        if is_machine_fault(error):
            raise disk_error(target.parent.parent, error) from None
        raise


def _make_folder(folder: Path) -> None:
    if not folder.is_dir():
        _make_folder(folder.parent)
        folder.mkdir()
        # Regardless of the umask.
        folder.chmod(0o755)


def _check_link(root: Path, link: Path, link_target: str) -> None:
    real = Path(os.path.realpath(link.parent / link_target))
    if os.path.isabs(link_target) or not real.is_relative_to(root):
        raise BadFolder(f"{link} is a link that leads out of the bot's folder")


def _copy_file(file: BotFile, destination: Path, target: Path) -> None:
    with file.open() as source:
        executable = bool(os.fstat(source.fileno()).st_mode & 0o111)
        with _machine_faults(target):
            _make_folder(destination.parent)
            # Without a buffer, whose second attempt to be written would hide what is at fault.
            copy = destination.open("xb", buffering=0)
        with copy:
            copied = 0
            while data := source.read(_CHUNK):
                copied += len(data)
                if copied > MAX_BYTES:
                    # The file grows while it is being read.
                    raise BadFolder(f"{file.path} contains more than {MAX_BYTES >> 20} MiB")
                rest = memoryview(data)
                with _machine_faults(target):
                    while rest:
                        rest = rest[copy.write(rest) :]
        with _machine_faults(target):
            destination.chmod(0o755 if executable else 0o644)
