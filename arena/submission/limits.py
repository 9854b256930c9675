"""Limits on what a bot may use: memory, CPU time, threads and files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

from arena.errors import BadInput, did_you_mean


class LimitNotAllowed(BadInput):
    """A bot.toml asks for a higher limit than the organiser allows."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one bot; exceeding one of the first five ends it."""

    memory_mib: int = 512
    """Memory in use, in MiB."""
    cpu_s: int = 600
    """CPU time in seconds, for each match that it has started."""
    threads: int = 64
    """Number of threads."""
    tmp_mib: int = 16
    """Total size of the files in its /tmp, in MiB."""
    tmp_files: int = 1000
    """Number of files and folders in its /tmp."""
    files: int = 256
    """Files and sockets open at once; opening another one fails."""
    stderr_kib: int = 64
    """How much of its latest output is kept for its author, in KiB."""


LIMIT_NAMES = tuple(field.name for field in fields(Limits))
MINIMUM = Limits(
    memory_mib=64,
    cpu_s=1,
    threads=16,
    tmp_mib=0,
    tmp_files=0,
    files=32,
    stderr_kib=1,
)
"""No bot can start with less."""
MAXIMUM = Limits(
    memory_mib=4096,
    cpu_s=36000,
    threads=1024,
    tmp_mib=1024,
    tmp_files=100_000,
    files=4096,
    stderr_kib=64,
)
"""The most that an organiser may allow."""

_SETTING = re.compile(r"(\w+)=([0-9]{1,18})")


def check_limit(name: str, value: object) -> int:
    """Return the value if this limit may be set to it; raise `BadInput` otherwise."""
    if name == "processes":
        raise BadInput("there is no limit processes: a bot is one process, which may have threads")
    if name not in LIMIT_NAMES:
        raise BadInput(f"unknown limit {name!r}: {did_you_mean(name, LIMIT_NAMES)}")
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadInput(f"limit {name} is {value!r}: it must be a whole number")
    least, most = getattr(MINIMUM, name), getattr(MAXIMUM, name)
    if not least <= value <= most:
        raise BadInput(f"limit {name} is {value}: it must be from {least} to {most}")
    return value


def parse_limits(settings: Sequence[str]) -> dict[str, int]:
    """Parse limits from the command line, such as "memory_mib=1024"."""
    limits = {}
    for setting in settings:
        found = _SETTING.fullmatch(setting)
        if not found:
            raise BadInput(f"--limit {setting!r} is not NAME=NUMBER (example: memory_mib=1024)")
        limits[found[1]] = check_limit(found[1], int(found[2]))
    return limits


def effective_limits(requested: Mapping[str, int], *, run_limits: Mapping[str, int]) -> Limits:
    """Return a bot's limits: the defaults, those set for this run, or less if the bot asks for it.

    A bot that asks for more is refused: with less than it needs, it would only fail later.
    """
    allowed = replace(Limits(), **run_limits)
    for name, value in requested.items():
        check_limit(name, value)
        most = getattr(allowed, name)
        if value > most:
            raise LimitNotAllowed(
                f"its bot.toml asks for {name} = {value}, but at most {most} is allowed here: ask "
                f"for less, or have the organiser allow more with --limit {name}={value} or under "
                "[limits] in the event file"
            )
    return replace(allowed, **requested)
