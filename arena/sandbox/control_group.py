"""A control group for each bot that may start processes; no process can leave it.

The kernel lists the processes of a group, adds up their processor time even if no parent waits for
them, and freezes or kills them all at once. Only version 2 is used: none of this needs controllers,
so no setting of another group has to be changed.
"""

from __future__ import annotations

import contextlib
import os
import select
import time
from itertools import count
from pathlib import Path

_RECORD = "control-groups"
"""A file in a bot's temporary folder that lists its groups, to clean up after a killed referee."""
_JOIN = 'echo 0 >"$0" && exec "$@"'
"""A shell script; 0 stands for the process that writes it."""
_NUMBERS = count(1)
_MAX_BYTES = 1 << 16
_CHANGE_MS = 5


class ControlGroup:
    """A control group that is created and removed by this process."""

    def __init__(self, path: Path) -> None:
        """Create the group."""
        self.path = path
        path.mkdir()
        self._files: dict[str, int] = {}

    def join_command(self) -> list[str]:
        """Return a command prefix that starts a program in the group."""
        return ["sh", "-c", _JOIN, str(self.path / "cgroup.procs")]

    def pids(self) -> list[int]:
        """List its processes."""
        return [int(pid) for pid in self._read("cgroup.procs").split()]

    def cpu_s(self) -> float:
        """Return the processor time of all its processes, ended ones included."""
        words = self._read("cpu.stat").split()
        return int(words[words.index(b"usage_usec") + 1]) / 1e6

    def freeze(self) -> None:
        """Freeze all its processes, including any started meanwhile; no signal wakes them."""
        self._write("cgroup.freeze", b"1")

    def thaw(self) -> None:
        """Let its processes run again."""
        self._write("cgroup.freeze", b"0")

    def is_frozen(self) -> bool:
        """Return whether all its processes have stopped, which takes the kernel a moment."""
        return b"frozen 1" in self._read("cgroup.events")

    def kill(self) -> None:
        """Kill all its processes."""
        _kill(self.path)

    def remove(self, timeout_s: float) -> bool:
        """Kill its processes and remove it; return False if they do not end within `timeout_s`."""
        for file in self._files.values():
            os.close(file)
        self._files = {}
        return _remove(self.path, timeout_s)

    def _read(self, name: str) -> bytes:
        return os.pread(self._file(name, os.O_RDONLY), _MAX_BYTES, 0)

    def _write(self, name: str, text: bytes) -> None:
        os.pwrite(self._file(name, os.O_WRONLY), text, 0)

    def _file(self, name: str, mode: int) -> int:
        if name not in self._files:
            self._files[name] = os.open(self.path / name, mode | os.O_CLOEXEC)
        return self._files[name]


def make_group(folder: Path, parent: Path) -> ControlGroup:
    """Create a group below `parent` for the bot in a temporary folder."""
    path = parent / f"{folder.name}-{next(_NUMBERS)}"
    # Recorded first: a process that is killed in between leaves no unknown group behind.
    with (folder / _RECORD).open("a", encoding="utf-8") as file:
        file.write(f"{path}\n")
    return ControlGroup(path)


def remove_groups(folder: Path, *, timeout_s: float = 1.0) -> bool:
    """Remove the groups of the bots in a folder; return whether all were removed."""
    try:
        lines = (folder / _RECORD).read_text(encoding="utf-8").splitlines()
    except OSError:
        return True
    left = [line for line in lines if not _remove(Path(line), timeout_s)]
    return not left


def _kill(path: Path) -> None:
    # Older kernels have no such file; there, the end of the namespace ends the processes.
    with contextlib.suppress(OSError):
        (path / "cgroup.kill").write_text("1")


def _remove(path: Path, timeout_s: float) -> bool:
    until = time.monotonic() + timeout_s
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
        _wait_for_change(path)


def _wait_for_change(path: Path) -> None:
    """Wait briefly for a change, such as the end of the last process."""
    with contextlib.suppress(OSError), (path / "cgroup.events").open("rb") as file:
        changes = select.poll()
        changes.register(file, select.POLLPRI)
        changes.poll(_CHANGE_MS)
