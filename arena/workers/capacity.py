"""How many processes of bots a machine has room for.

Running processes are counted by what they really use, because they have already reduced the
available memory. For processes that are still to be started, an estimate is used.
"""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path

_PROCESS_BYTES = 48 << 20
"""The memory that a bot may need. An idle one in Python takes about 10 MiB."""
_RESERVED_SHARE = 4
"""One part in this many of the memory stays free: bots that play need more than idle ones."""
_PROCESS_TASKS = 8
"""Processes and threads for each bot: two of the cage, and a few of the bot."""
_PROCESS_FILES = 16
"""Descriptors that a worker holds for a process: 11, and a few while it starts."""
_OTHER_FILES = 256
"""Descriptors that a worker needs for itself."""
_MAX_FILES = 1 << 16
_PROC = Path("/proc")
_CONTROL_GROUPS = Path("/sys/fs/cgroup")


def processes_that_fit(proc: Path = _PROC, control_groups: Path = _CONTROL_GROUPS) -> int:
    """Return how many more processes fit into the memory of this machine or container."""
    words = (line.split() for line in (proc / "meminfo").read_text(encoding="ascii").splitlines())
    machine = {name: int(figure) << 10 for name, figure, *_ in words}
    limits = [_that_fit(machine["MemAvailable:"], machine["MemTotal:"])]
    for group in _own_groups(proc, control_groups):
        memory, tasks = _left(group, "memory"), _left(group, "pids")
        if memory:
            limits.append(_that_fit(*memory))
        if tasks:
            limits.append(tasks[0] // _PROCESS_TASKS)
    return max(0, min(limits))


def max_bots(processes: int, *, jobs: int) -> int:
    """Return how many bots may be in a block if the machine has room for this many processes."""
    return min(processes // jobs, max_processes())


def max_processes() -> int:
    """Return for how many processes one worker can have files open."""
    return (_most_files() - _OTHER_FILES) // _PROCESS_FILES


def allow_many_files() -> None:
    """Raise the number of files that this process may have open, as far as is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < _most_files():
        resource.setrlimit(resource.RLIMIT_NOFILE, (_most_files(), hard))


def _most_files() -> int:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MAX_FILES if hard == resource.RLIM_INFINITY else min(hard, _MAX_FILES)


def _that_fit(available: int, total: int) -> int:
    return (available - total // _RESERVED_SHARE) // _PROCESS_BYTES


def _own_groups(proc: Path, control_groups: Path) -> Iterator[Path]:
    """Yield the control group of this process, and those around it."""
    for line in (proc / "self/cgroup").read_text(encoding="utf-8").splitlines():
        if line.startswith("0::/"):
            group = control_groups / line.removeprefix("0::/")
            yield from (group, *group.parents[: len(group.relative_to(control_groups).parts)])


def _left(group: Path, kind: str) -> tuple[int, int] | None:
    """Return what a control group may still use, and its limit; None if it has none."""
    try:
        limit = int((group / f"{kind}.max").read_text(encoding="ascii"))
        return limit - int((group / f"{kind}.current").read_text(encoding="ascii")), limit
    except (OSError, ValueError):
        # There is no such file, or it contains "max".
        return None
