"""A control group for each bot that may start processes: none of them can leave it.

The kernel lists the processes of a group, adds up their processor time even if nobody waits for
them, and stops or kills them all at once. Only version 2 is used: all this needs no controllers, so
that no setting of any other group has to be changed.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from itertools import count
from pathlib import Path

_RECORD = "control-groups"
"""A file in a bot's place that names its groups, for whoever tidies up after a killed referee."""
_JOIN = 'echo 0 >"$0" && exec "$@"'
"""A shell's program: 0 stands for the process that writes it."""
_NUMBERS = count(1)
_MOST_BYTES = 1 << 16
_NEWS_MS = 5


class ControlGroup:
    """One group, made and removed by this process."""

    def __init__(self, path: Path) -> None:
        """Make the group."""
        self.path = path
        path.mkdir()
        self._files: dict[str, int] = {}

    def joining(self) -> list[str]:
        """Return the words that start a program in the group, put in front of its own."""
        return ["sh", "-c", _JOIN, str(self.path / "cgroup.procs")]

    def pids(self) -> list[int]:
        """List the processes in it."""
        return [int(pid) for pid in self._read("cgroup.procs").split()]

    def cpu_s(self) -> float:
        """Return the processor time of all processes that were ever in it."""
        words = self._read("cpu.stat").split()
        return int(words[words.index(b"usage_usec") + 1]) / 1e6

    def freeze(self) -> None:
        """Stop all its processes, also those that are started meanwhile; no signal wakes them."""
        self._write("cgroup.freeze", b"1")

    def thaw(self) -> None:
        """Let them run again."""
        self._write("cgroup.freeze", b"0")

    def is_frozen(self) -> bool:
        """Tell whether all have stopped, which takes the kernel a moment."""
        return b"frozen 1" in self._read("cgroup.events")

    def kill(self) -> None:
        """Kill all its processes."""
        _kill(self.path)

    def remove(self, patience_s: float) -> bool:
        """Kill what is in it and remove it; wait so long at most for the processes to end."""
        for file in self._files.values():
            os.close(file)
        self._files = {}
        return _removed(self.path, patience_s)

    def _read(self, name: str) -> bytes:
        return os.pread(self._file(name, os.O_RDONLY), _MOST_BYTES, 0)

    def _write(self, name: str, text: bytes) -> None:
        os.pwrite(self._file(name, os.O_WRONLY), text, 0)

    def _file(self, name: str, mode: int) -> int:
        if name not in self._files:
            self._files[name] = os.open(self.path / name, mode | os.O_CLOEXEC)
        return self._files[name]


def make_group(place: Path, below: Path) -> ControlGroup:
    """Make a group below another one, for a bot that lives in a folder."""
    path = below / f"{place.name}-{next(_NUMBERS)}"
    # Noted first: whoever is killed in between leaves nothing that nobody knows of.
    with (place / _RECORD).open("a", encoding="utf-8") as file:
        file.write(f"{path}\n")
    return ControlGroup(path)


def remove_groups(place: Path, *, patience_s: float = 1.0) -> bool:
    """Remove the groups that the bots of a folder have left; tell whether that was possible."""
    try:
        lines = (place / _RECORD).read_text(encoding="utf-8").splitlines()
    except OSError:
        return True
    left = [line for line in lines if not _removed(Path(line), patience_s)]
    return not left


def _kill(path: Path) -> None:
    # Older kernels have no such file; then the end of the namespace ends them.
    with contextlib.suppress(OSError):
        (path / "cgroup.kill").write_text("1")


def _removed(path: Path, patience_s: float) -> bool:
    until = time.monotonic() + patience_s
    while True:
        try:
            path.rmdir()
        except FileNotFoundError:
            return True
        except OSError:
            if time.monotonic() >= until:
                return False
        else:
            return True
        _kill(path)
        _wait_for_news(path)


def _wait_for_news(path: Path) -> None:
    """Wait until something has changed, such as the last process's end, but not for long."""
    with contextlib.suppress(OSError), (path / "cgroup.events").open("rb") as file:
        changes = select.poll()
        changes.register(file, select.POLLPRI)
        changes.poll(_NEWS_MS)
