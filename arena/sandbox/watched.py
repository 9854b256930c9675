"""Does a running bot keep to its limits?

The kernel refuses some things by itself (see the cages). What it does not count, or would refuse
without a word to us, is looked at twenty times a second: memory, processor time, processes, threads
and what lies in /tmp. A bot found over a limit is ended, and the figure is remembered.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable

from arena.limits import Limits
from arena.sandbox.cache import is_whole
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.environments import Environment
from arena.sandbox.places import Place
from arena.sandbox.process import BotProcess
from arena.sandbox.processes import (
    Gauge,
    GroupedProcesses,
    OneProcess,
    Processes,
    ProcessTree,
)
from arena.sandbox.schedstat import waited_s

_LOOK_S = 0.05
_CLOSE_LOOK_S = 0.01
"""How soon to look again at a bot that uses more than half of its memory, or can hide its time."""
_SHARE = 20
"""So many times as long as a look takes passes at least until the next."""
_END_S = 0.1
"""Processes that were killed end within milliseconds, unless they had very much memory."""
_MIB = 1 << 20


class WatchedProcess(BotProcess):
    """A bot that is ended when it goes over a limit."""

    home: Place | None = None
    """The place of its folder, which must last as long as it does."""
    environment: Environment | None = None
    """Its Python, which must, too."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        on_exit: Callable[[], None],
        limits: Limits,
        group: ControlGroup | None = None,
    ) -> None:
        """Begin to watch a process that has just been started, in a group of its own if any."""
        super().__init__(popen, on_exit, kept=limits.stderr_kib << 10)
        self._limits = limits
        self._group = group
        self._processes: Processes | None = None
        self._gauges: dict[int, Gauge] = {}
        self._over: str | None = None
        self._matches = 0
        self._is_frozen = False
        self._is_close = False
        """Whether it is close to its limit of memory."""
        self._watch = self._loop.call_later(_LOOK_S, self._look)

    def root_pid(self) -> int:
        """Return the process that all of the bot's descend from, even those left by a parent."""
        return self.pid

    def over_limit(self) -> str | None:
        """Say which limit it was ended for, with the figures."""
        return self._over

    def lost(self) -> str | None:
        """Say whether its folder or its Python has been removed under it."""
        if self.home and not self.home.path.is_dir():
            return f"the folder of a bot, {self.home.path}, has been removed while it played"
        if self.environment and not is_whole(self.environment.root):
            return (
                f"the Python of the bots, {self.environment.root}, has lost files while they "
                "played: leave the cache folder alone until an event is over"
            )
        return None

    def began(self, matches: int) -> None:
        """Count matches that it has sat down to: each allows it more processor time."""
        self._matches += matches

    def cpu_s(self) -> float:
        """Return the processor time that all its processes have used, as last known."""
        if self.is_running and (processes := self.processes()):
            with contextlib.suppress(OSError):
                self._cpu_s = max(self._cpu_s, processes.cpu_s())
        return self._cpu_s

    def waited_s(self) -> float | None:
        """Return for how long its threads were ready to run and had no processor."""
        processes = self.processes()
        return sum(map(waited_s, processes.pids())) if processes else 0.0

    def processes(self) -> Processes | None:
        """Return what it consists of, once its first process is known."""
        if self._processes is None:
            pid = self.bot_pid()
            if pid is None:
                return None
            if self._group:
                own = {self.pid, self.root_pid()} - {pid}
                self._processes = GroupedProcesses(self._group, without=own)
            elif self._limits.processes:
                self._processes = ProcessTree(pid, self.root_pid())
            else:
                self._processes = OneProcess(pid)
        return self._processes

    def tmp_folder(self) -> int | None:
        """Return a descriptor of the bot's own /tmp, if it has one."""
        return None

    def freeze(self) -> None:
        """Stop all its processes until `thaw`."""
        self._is_frozen = True
        if self.is_running and (processes := self.processes()):
            processes.freeze()

    def thaw(self) -> None:
        """Let them run again."""
        self._is_frozen = False
        if self.is_running and (processes := self.processes()):
            processes.thaw()

    def end(self) -> None:
        """Kill all its processes."""
        if self._group:
            self._group.kill()
        super().end()

    def _look(self) -> None:
        began_s = time.thread_time()
        processes = self.processes()
        over = self._look_at(processes) if processes else None
        if over:
            self._over = over
            self.end()
            return
        is_close = self._is_close or (processes is not None and processes.is_sampled)
        soon_s = _CLOSE_LOOK_S if is_close and not self._is_frozen else _LOOK_S
        # Whatever makes looking slow must not make the referee slow.
        cost_s = time.thread_time() - began_s
        self._watch = self._loop.call_later(max(soon_s, _SHARE * cost_s), self._look)

    def _look_at(self, processes: Processes) -> str | None:
        """Say what it has too much of."""
        if self._is_frozen:
            # The kernel itself continues stopped processes in some cases, as when a parent ends.
            processes.freeze()
        # One that has just ended will be heard of.
        with contextlib.suppress(OSError):
            over = self._found(self._gauges_of(processes.pids()))
            if over:
                return over
        with contextlib.suppress(OSError):
            return self._found_in_tmp()
        return None

    def _gauges_of(self, pids: list[int]) -> list[Gauge]:
        """Keep one gauge for each process."""
        for pid in self._gauges.keys() - pids:
            self._gauges.pop(pid).close()
        for pid in pids:
            if pid not in self._gauges:
                with contextlib.suppress(OSError):
                    self._gauges[pid] = Gauge(pid)
        return list(self._gauges.values())

    def _found(self, gauges: list[Gauge]) -> str | None:
        """Say what its processes have too much of."""
        limits = self._limits
        used = sum(gauge.memory() for gauge in gauges)
        self._is_close = used > limits.memory_mib * _MIB / 2
        if used > limits.memory_mib * _MIB:
            return f"memory {_rounded_up(used)} MiB of {limits.memory_mib}"
        allowed_s = limits.cpu_s * max(1, self._matches)
        if self.cpu_s() > allowed_s:
            return f"processor time {self._cpu_s:.1f} s of {allowed_s}"
        others = len(gauges) - 1
        if others > limits.processes:
            return f"processes {others} of {limits.processes}"
        # The first thread of each further process is not counted.
        threads = sum(gauge.threads() for gauge in gauges) - max(0, others)
        if threads > limits.threads:
            return f"threads {threads} of {limits.threads}"
        return None

    def _found_in_tmp(self) -> str | None:
        limits = self._limits
        tmp = self.tmp_folder()
        if tmp is None:
            return None
        # One descriptor for both figures: the folder may be moved meanwhile.
        status = os.fstatvfs(tmp)
        size = (status.f_blocks - status.f_bfree) * status.f_frsize
        files = status.f_files - status.f_ffree - 1
        if size > limits.tmp_mib * _MIB:
            return f"/tmp {_rounded_up(size)} MiB of {limits.tmp_mib}"
        if files > limits.tmp_files:
            return f"/tmp {files} files of {limits.tmp_files}"
        return None

    def _close(self) -> None:
        self._watch.cancel()
        self._gauges_of([])
        if self._group:
            # If it is not gone by then, its place is left for a sweep to find.
            self._group.remove(_END_S)
            self._group = None
        super()._close()


def _rounded_up(size: int) -> int:
    return -(-size // _MIB)
