"""How much of the machine may a bot use?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from arena.errors import BadInput, did_you_mean


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot process may use; going over one of the first five ends it."""

    memory_mib: int = 512
    """Memory in use, in MiB."""
    cpu_s: int = 600
    """Processor time in seconds, for each match that it has sat down to."""
    processes: int = 0
    """Processes beside its own; threads are not counted."""
    tmp_mib: int = 16
    """What it keeps in its /tmp, in MiB."""
    tmp_files: int = 1000
    """How many files and folders it keeps there."""
    files: int = 256
    """Files and sockets open at once; opening one more fails."""
    stderr_kib: int = 64
    """How much of what it last printed is kept for its author, in KiB."""


NAMES = tuple(field.name for field in fields(Limits))
LEAST = Limits(memory_mib=64, cpu_s=1, processes=0, tmp_mib=0, tmp_files=0, files=32, stderr_kib=1)
"""Less than this and no bot can start."""
MOST = Limits(
    memory_mib=4096,
    cpu_s=36000,
    processes=64,
    tmp_mib=1024,
    tmp_files=100_000,
    files=4096,
    stderr_kib=1024,
)
"""What may be asked for."""

_SETTING = re.compile(r"(\w+)=([0-9]{1,18})")


def check_limit(name: str, value: object) -> int:
    """Return a limit that may be set, or say why it may not."""
    if name not in NAMES:
        raise BadInput(f"there is no limit {name!r}: {did_you_mean(name, NAMES)}")
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"the limit {name} is {value!r}: it must be a whole number")
    least, most = getattr(LEAST, name), getattr(MOST, name)
    if not least <= value <= most:
        raise BadInput(f"the limit {name} is {value}: it must be from {least} to {most}")
    return value


def limits_from(settings: Sequence[str]) -> dict[str, int]:
    """Read limits from a command line: "memory_mib=1024"."""
    limits = {}
    for setting in settings:
        found = _SETTING.fullmatch(setting)
        if not found:
            raise BadInput(f"--limit {setting!r} is not NAME=NUMBER, such as memory_mib=1024")
        limits[found[1]] = check_limit(found[1], int(found[2]))
    return limits


def limits_of(asked: Mapping[str, int], *, set_here: Mapping[str, int]) -> Limits:
    """Return the limits of a bot: what it asks for, unless this run sets them for everybody."""
    for name, value in asked.items():
        if name not in set_here:
            check_limit(name, value)
    return replace(Limits(), **{**asked, **set_here})
