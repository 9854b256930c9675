"""Does a running bot keep to its limits?

The kernel refuses some things by itself (see the cages). What it does not count, or would refuse
without a word to us, is looked at twenty times a second: memory, processor time, processes and what
lies in /tmp. A bot found over a limit is ended, and the figure is remembered.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

from arena.limits import Limits
from arena.sandbox.places import Place
from arena.sandbox.process import BotProcess, cpu_clock

_LOOK_S = 0.05
_CLOSE_LOOK_S = 0.01
"""How soon to look again at a bot that uses more than half of its memory."""
_ROUNDS = 5
"""How often to look for processes that were started while others were signalled."""
_MIB = 1 << 20
_PAGE = resource.getpagesize()


class WatchedProcess(BotProcess):
    """A bot that is ended when it goes over a limit."""

    home: Place | None = None
    """The place of its folder, which must last as long as it does."""

    def __init__(
        self, popen: subprocess.Popen[bytes], on_exit: Callable[[], None], limits: Limits
    ) -> None:
        """Begin to watch a process that has just been started."""
        super().__init__(popen, on_exit, kept=limits.stderr_kib << 10)
        self._limits = limits
        self._over: str | None = None
        self._matches = 0
        self._statm = -1
        self._watch = self._loop.call_later(_LOOK_S, self._look)

    def root_pid(self) -> int:
        """Return the process that all of the bot's descend from, even those left by a parent."""
        return self.pid

    def over_limit(self) -> str | None:
        """Say which limit it was ended for, with the figures."""
        return self._over

    def began(self, matches: int) -> None:
        """Count matches that it has sat down to: each allows it more processor time."""
        self._matches += matches

    def cpu_s(self) -> float:
        """Return the processor time that all its processes have used, as last known."""
        pid = self.bot_pid()
        if pid is not None and self.is_running:
            with contextlib.suppress(OSError):
                used = time.clock_gettime(cpu_clock(pid))
                if self._limits.processes:
                    used += sum(sum(_cpu_s(other)) for other in self._others(pid))
                    used += sum(_cpu_s(parent)[1] for parent in {pid, self.root_pid()})
                self._cpu_s = max(self._cpu_s, used)
        return self._cpu_s

    def tmp_folder(self) -> int | None:
        """Return a descriptor of the bot's own /tmp, if it has one."""
        return None

    def _signal(self, number: signal.Signals) -> None:
        pid = self.bot_pid()
        if pid is None or not self.is_running:
            return
        sent: set[int] = set()
        for _ in range(_ROUNDS):
            pids = {pid, *self._others(pid)} - sent
            for each in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(each, number)
            sent |= pids

    def _others(self, pid: int) -> list[int]:
        """List the bot's processes beside its first."""
        if not self._limits.processes:
            return []
        return [other for other in _descendants(self.root_pid()) if other != pid]

    def _look(self) -> None:
        over = None
        soon = _LOOK_S
        pid = self.bot_pid()
        if pid is not None:
            try:
                used = self._memory(pid)
                if used > self._limits.memory_mib * _MIB / 2:
                    soon = _CLOSE_LOOK_S
                over = self._found(pid, used)
            except OSError:
                # It has just ended, and will be heard of.
                pass
        if over:
            self._over = over
            self.end()
        else:
            self._watch = self._loop.call_later(soon, self._look)

    def _found(self, pid: int, used: int) -> str | None:
        """Say what it has too much of."""
        limits = self._limits
        if used > limits.memory_mib * _MIB:
            return f"memory {_rounded_up(used)} MiB of {limits.memory_mib}"
        allowed_s = limits.cpu_s * max(1, self._matches)
        if self.cpu_s() > allowed_s:
            return f"processor time {self._cpu_s:.1f} s of {allowed_s}"
        count = len(self._others(pid))
        if count > limits.processes:
            return f"processes {count} of {limits.processes}"
        tmp = self.tmp_folder()
        if tmp is not None:
            # One descriptor for both figures: the folder may be moved meanwhile.
            status = os.fstatvfs(tmp)
            size = (status.f_blocks - status.f_bfree) * status.f_frsize
            files = status.f_files - status.f_ffree - 1
            if size > limits.tmp_mib * _MIB:
                return f"/tmp {_rounded_up(size)} MiB of {limits.tmp_mib}"
            if files > limits.tmp_files:
                return f"/tmp {files} files of {limits.tmp_files}"
        return None

    def _memory(self, pid: int) -> int:
        if self._statm < 0:
            self._statm = os.open(f"/proc/{pid}/statm", os.O_RDONLY | os.O_CLOEXEC)
        used = _resident(os.pread(self._statm, 256, 0))
        for other in self._others(pid):
            with contextlib.suppress(OSError), open(f"/proc/{other}/statm", "rb") as file:
                used += _resident(file.read())
        return used

    def _close(self) -> None:
        self._watch.cancel()
        if self._statm >= 0:
            os.close(self._statm)
            self._statm = -1
        super()._close()


def _resident(statm: bytes) -> int:
    return int(statm.split()[1]) * _PAGE


def _rounded_up(size: int) -> int:
    return -(-size // _MIB)


def _descendants(pid: int) -> Iterator[int]:
    """List the processes that a process has started, and those that these have."""
    for task in _listed(f"/proc/{pid}/task"):
        for child in map(int, _read(f"/proc/{pid}/task/{task}/children").split()):
            yield child
            yield from _descendants(child)


def _cpu_s(pid: int) -> tuple[float, float]:
    """Return what a process has used, and what those have that it has started and waited for."""
    # The name in brackets may hold anything; the figures follow it.
    words = _read(f"/proc/{pid}/stat").rpartition(b")")[2].split()[11:15]
    own, system, waited_for, system_waited_for = map(int, words or [b"0"] * 4)
    tick_s = 1 / os.sysconf("SC_CLK_TCK")
    return (own + system) * tick_s, (waited_for + system_waited_for) * tick_s


def _read(path: str) -> bytes:
    """Read a file of a process; it is empty if that has ended."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _listed(path: str) -> list[str]:
    """List a folder of a process; it is empty if that has ended."""
    try:
        return os.listdir(path)
    except OSError:
        return []
