"""Enforce the limits of a running bot.

The kernel enforces some limits by itself (see the cages). What it does not count, or would refuse
without telling us, is checked twenty times a second: memory, processor time, processes, threads and
the contents of /tmp. A bot that exceeds a limit is ended, and the figure is recorded.

A bot that has not run since the last check cannot have used more, so nothing but its processor time
is looked at.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable

from arena.sandbox.cache import is_intact
from arena.sandbox.control_group import ControlGroup
from arena.sandbox.environments import Environment
from arena.sandbox.idle_bots import CHECK_S, idle_bots
from arena.sandbox.process import BotProcess
from arena.sandbox.processes import (
    Gauge,
    GroupedProcesses,
    OneProcess,
    Processes,
    ProcessTree,
)
from arena.sandbox.schedstat import waited_s
from arena.sandbox.tempdir import TempDir
from arena.submission.limits import Limits

_CLOSE_CHECK_S = 0.01
"""Interval for a bot that uses more than half of its memory, or whose processor time is sampled."""
_MIN_PAUSE_RATIO = 20
"""The minimum pause between two checks, as a multiple of the time that a check takes."""
_GROUP_END_S = 0.1
"""Killed processes end within milliseconds, unless they used a lot of memory."""
_MIB = 1 << 20


class WatchedProcess(BotProcess):
    """A bot's process that is ended when it exceeds a limit."""

    temp_dir: TempDir | None = None
    """The folder that contains its copy; it must exist as long as the bot runs."""
    environment: Environment | None = None
    """Its Python environment; it must also exist as long as the bot runs."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        on_exit: Callable[[], None],
        limits: Limits,
        group: ControlGroup | None = None,
    ) -> None:
        """Watch a process that has just been started, in its own control group if it has one."""
        super().__init__(popen, on_exit, keep_bytes=limits.stderr_kib << 10)
        self._limits = limits
        self._group = group
        self._processes: Processes | None = None
        self._gauges: dict[int, Gauge] = {}
        self._over: str | None = None
        self._matches = 0
        self._last_activity: float | None = None
        """Its activity before the last check of all limits."""
        self._is_frozen = False
        self._is_near_memory_limit = False
        """Whether it uses more than half of its memory."""
        self._timer = self._loop.call_later(CHECK_S, self._check_unless_idle)
        self._idle_bots = idle_bots(self._loop)

    def root_pid(self) -> int:
        """Return the pid of the ancestor of all the bot's processes, orphans included."""
        return self.pid

    def over_limit(self) -> str | None:
        """Return the limit for which it was ended, with figures."""
        return self._over

    def machine_fault(self) -> str | None:
        """Describe whether its folder or its Python was removed while it ran."""
        if self.temp_dir and not self.temp_dir.path.is_dir():
            return f"a bot's folder, {self.temp_dir.path}, was removed while the bot was playing"
        if self.environment and not is_intact(self.environment.root):
            return (
                f"files of the bots' Python, {self.environment.root}, were removed while bots were "
                "playing: do not change the cache folder during an event"
            )
        return None

    def add_matches(self, count: int) -> None:
        """Count matches that it starts: each one allows it more processor time."""
        self._matches += count

    def cpu_s(self) -> float:
        """Return the processor time that all its processes have used, as last measured."""
        if self.is_running and (processes := self.processes()):
            with contextlib.suppress(OSError):
                self._cpu_s = max(self._cpu_s, processes.cpu_s())
        return self._cpu_s

    def peak_memory(self) -> int | None:
        """Return the most memory that a check has found in use by all its processes together."""
        if self._peak_memory is None and self.is_running and (processes := self.processes()):
            # It was too quick for the first check.
            with contextlib.suppress(OSError):
                self._measure_memory(self._gauges_of(processes.pids()))
        return self._peak_memory

    def waited_s(self) -> float | None:
        """Return how long its threads were ready to run but had no processor."""
        processes = self.processes()
        return sum(map(waited_s, processes.pids())) if processes else 0.0

    def processes(self) -> Processes | None:
        """Return its processes, once the first one is known."""
        if self._processes is None:
            pid = self.bot_pid()
            if pid is None:
                return None
            if self._group:
                cage_pids = {self.pid, self.root_pid()} - {pid}
                self._processes = GroupedProcesses(self._group, exclude=cage_pids)
            elif self._limits.processes:
                self._processes = ProcessTree(pid, self.root_pid())
            else:
                self._processes = OneProcess(pid)
        return self._processes

    def tmp_folder(self) -> int | None:
        """Return a descriptor of the bot's /tmp, if it has one."""
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

    def check_limits(self) -> None:
        """End it if it exceeds a limit; otherwise check again soon."""
        started_s = time.thread_time()
        processes = self.processes()
        over = self._find_excess(processes) if processes else None
        if over:
            self._over = over
            self.end()
            return
        is_close = self._is_near_memory_limit or (processes is not None and processes.is_sampled)
        soon_s = _CLOSE_CHECK_S if is_close and not self._is_frozen else CHECK_S
        # A bot that makes checks slow must not slow down the referee.
        cost_s = time.thread_time() - started_s
        self._timer = self._loop.call_later(
            max(soon_s, _MIN_PAUSE_RATIO * cost_s), self._check_unless_idle
        )

    def _check_unless_idle(self) -> None:
        if self.is_idle():
            self._idle_bots.add(self)
        else:
            self.check_limits()

    def is_idle(self) -> bool:
        """Return whether it has not run since the last check."""
        before, self._last_activity = self._last_activity, None
        if self._processes:
            with contextlib.suppress(OSError):
                self._last_activity = self._processes.activity()
        return before is not None and before == self._last_activity

    def _find_excess(self, processes: Processes) -> str | None:
        """Return the limit that it exceeds, if any."""
        if self._is_frozen:
            # The kernel continues stopped processes in some cases, such as when a parent ends.
            processes.freeze()
        # A process that has just ended is reported elsewhere.
        with contextlib.suppress(OSError):
            over = self._process_excess(self._gauges_of(processes.pids()))
            if over:
                return over
        with contextlib.suppress(OSError):
            return self._tmp_excess()
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

    def _measure_memory(self, gauges: list[Gauge]) -> int:
        """Return the memory that its processes use now, and remember the peak."""
        used = sum(gauge.memory() for gauge in gauges)
        self._peak_memory = max(used, self._peak_memory or 0)
        return used

    def _process_excess(self, gauges: list[Gauge]) -> str | None:
        """Return the limit that its processes exceed, if any."""
        limits = self._limits
        used = self._measure_memory(gauges)
        self._is_near_memory_limit = used > limits.memory_mib * _MIB / 2
        if used > limits.memory_mib * _MIB:
            return f"memory {_round_up_to_mib(used)} MiB of {limits.memory_mib}"
        allowed_s = limits.cpu_s * max(1, self._matches)
        if self.cpu_s() > allowed_s:
            return f"processor time {self._cpu_s:.1f} s of {allowed_s}"
        others = len(gauges) - 1
        if others > limits.processes:
            return f"processes {others} of {limits.processes}"
        # The first thread of each additional process is not counted.
        threads = sum(gauge.threads() for gauge in gauges) - max(0, others)
        if threads > limits.threads:
            return f"threads {threads} of {limits.threads}"
        return None

    def _tmp_excess(self) -> str | None:
        limits = self._limits
        tmp = self.tmp_folder()
        if tmp is None:
            return None
        # One descriptor for both figures: the folder may be moved in between.
        status = os.fstatvfs(tmp)
        size = (status.f_blocks - status.f_bfree) * status.f_frsize
        files = status.f_files - status.f_ffree - 1
        if size > limits.tmp_mib * _MIB:
            return f"/tmp {_round_up_to_mib(size)} MiB of {limits.tmp_mib}"
        if files > limits.tmp_files:
            return f"/tmp {files} files of {limits.tmp_files}"
        return None

    def _close(self) -> None:
        self._timer.cancel()
        self._idle_bots.remove(self)
        self._gauges_of([])
        if self._group:
            # If it still exists after that, its temporary folder is left for the next sweep.
            self._group.remove(_GROUP_END_S)
            self._group = None
        super()._close()


def _round_up_to_mib(size: int) -> int:
    return -(-size // _MIB)
