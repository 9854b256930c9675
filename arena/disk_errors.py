"""Decide whether the machine is at fault when a bot's files cannot be written."""

from __future__ import annotations

import errno
from pathlib import Path

from arena.errors import PlatformError

_NAME_ERRORS = frozenset(
    (
        *(errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ELOOP),
        *(errno.EEXIST, errno.ENOTDIR, errno.EISDIR),
    )
)
"""Errors about the name of a file, which would fail on any machine."""
_MEMORY = Path("/dev/shm")


def is_machine_fault(error: OSError) -> bool:
    """Return whether writing a file failed because of the machine, not because of the file."""
    return error.errno not in _NAME_ERRORS


def disk_error(folder: Path, error: OSError) -> PlatformError:
    """Return the error for a folder in which the files of bots cannot be written."""
    remedy = "free some space or fix its permissions, or set TMPDIR to another folder"
    if folder == _MEMORY:
        remedy = (
            f"free some space or enlarge it (mount -o remount,size=1G {folder}), or set TMPDIR "
        )
        remedy += "to another folder in memory"
    return PlatformError(
        f"cannot write the files of bots to {folder} ({error.strerror or error}): {remedy}"
    )
