"""How much of the machine may a bot use?"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from arena.errors import BadInput, did_you_mean


class AsksTooMuch(BadInput):
    """A bot.toml asks for more than the organiser allows."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one bot process may use; going over one of the first six ends it."""

    memory_mib: int = 512
    """Memory in use, in MiB."""
    cpu_s: int = 600
    """Processor time in seconds, for each match that it has sat down to."""
    processes: int = 0
    """Processes beside its own."""
    threads: int = 64
    """Threads of all its processes together; the first of each further process is not counted."""
    tmp_mib: int = 16
    """What it keeps in its /tmp, in MiB."""
    tmp_files: int = 1000
    """How many files and folders it keeps there."""
    files: int = 256
    """Files and sockets open at once; opening one more fails."""
    stderr_kib: int = 64
    """How much of what it last printed is kept for its author, in KiB."""


NAMES = tuple(field.name for field in fields(Limits))
LEAST = Limits(
    memory_mib=64,
    cpu_s=1,
    processes=0,
    threads=16,
    tmp_mib=0,
    tmp_files=0,
    files=32,
    stderr_kib=1,
)
"""Less than this and no bot can start."""
MOST = Limits(
    memory_mib=4096,
    cpu_s=36000,
    processes=64,
    threads=1024,
    tmp_mib=1024,
    tmp_files=100_000,
    files=4096,
    stderr_kib=64,
)
"""What an organiser may allow."""

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
    """Return the limits of a bot: the usual ones, or those set for this run, or less if it asks.

    One that asks for more is refused: under less than it needs it would only break later.
    """
    allowed = replace(Limits(), **set_here)
    for name, value in asked.items():
        check_limit(name, value)
        most = getattr(allowed, name)
        if value > most:
            raise AsksTooMuch(
                f"its bot.toml asks for {name} = {value}, but at most {most} is allowed here: ask "
                f"for less; an organiser allows more with --limit {name}={value}, or under "
                "[limits] in an event's file"
            )
    return replace(allowed, **asked)
