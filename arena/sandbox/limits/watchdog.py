"""Enforce the limits of a running bot.

The kernel itself enforces some limits (see the cages). What it does not count, or would refuse
without telling us, is checked twenty times a second: memory, CPU time, threads and the
contents of /tmp. A bot that exceeds a limit is ended, and the figure is recorded.

A bot that has not run since the last check cannot have used more, so nothing but its CPU time
is looked at. A worker may keep hundreds of bots, of which a few run. A timer for each idle bot
would cost several times as much as seeing that it is still idle, so all of an event loop share one.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable
from weakref import WeakKeyDictionary

from arena.sandbox.bot_process import BotProcess
from arena.sandbox.limits.gauge import Gauge, oom_kills, waited_s
from arena.sandbox.packages.cache import is_intact
from arena.sandbox.packages.environments import Environment
from arena.sandbox.tempdir import TempDir
from arena.submission.limits import Limits

CHECK_S = 0.05
"""The interval between two checks."""
_CLOSE_CHECK_S = 0.01
"""Interval for a bot that uses more than half of its memory."""
_MIN_PAUSE_RATIO = 20
"""The minimum pause between two checks, as a multiple of the time that a check takes."""
_MIB = 1 << 20


class WatchedProcess(BotProcess):
    """A bot's process that is ended when it exceeds a limit."""

    temp_dir: TempDir | None = None
    """The folder that contains its copy; it must exist as long as the bot runs."""
    environment: Environment | None = None
    """Its Python environment; it must also exist as long as the bot runs."""

    def __init__(
        self, popen: subprocess.Popen[bytes], on_exit: Callable[[], None], limits: Limits
    ) -> None:
        """Watch a process that has just been started."""
        super().__init__(popen, on_exit, keep_bytes=limits.stderr_kib << 10)
        self._limits = limits
        self._gauge: Gauge | None = None
        """Open once the bot's pid is known."""
        self._over: str | None = None
        self._oom_kills = oom_kills()
        self._matches = 0
        self._last_cpu_s: float | None = None
        """Its CPU time before the last check of all limits."""
        self._is_frozen = False
        self._timer = self._loop.call_later(CHECK_S, self._check_unless_idle)
        self._idle_bots = _IDLE_BOTS.setdefault(self._loop, _IdleBots())

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

    def outside_end(self) -> str | None:
        """Say that it was ended by SIGKILL, which neither a bot nor a limit sends unnoticed."""
        if self._over or self.exit_code != -signal.SIGKILL:
            return None
        why = ", perhaps by the kernel for want of memory" if oom_kills() > self._oom_kills else ""
        return f"a bot was ended by SIGKILL from outside{why}"

    def add_matches(self, count: int) -> None:
        """Count matches that it starts: each one allows it more CPU time."""
        self._matches += count

    def waited_s(self) -> float | None:
        """Return how long its threads were ready to run but had no processor."""
        pid = self.bot_pid()
        return waited_s(pid) if pid else 0.0

    def tmp_folder(self) -> int | None:
        """Return a descriptor of the bot's /tmp, if it has one."""
        return None

    def freeze(self) -> None:
        """Stop it until `thaw`; the system call filter ensures that only we can continue it."""
        self._is_frozen = True
        super().freeze()

    def thaw(self) -> None:
        """Let it run again."""
        self._is_frozen = False
        super().thaw()

    def check_limits(self) -> None:
        """End it if it exceeds a limit; otherwise check again soon."""
        self._timer.cancel()
        started_s = time.thread_time()
        if self._is_frozen:
            # Its pid may have been unknown until now.
            super().freeze()
        memory = self._measure_memory()
        self._over = self._find_excess(memory)
        if self._over:
            self.end()
            return
        soon_s = _CLOSE_CHECK_S if memory > self._limits.memory_mib * _MIB / 2 else CHECK_S
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
        before, self._last_cpu_s = self._last_cpu_s, self.cpu_s() if self._gauge else None
        return before is not None and before == self._last_cpu_s

    def _measure_memory(self) -> int:
        """Return the memory that it uses now, and remember the peak."""
        if self._gauge is None and (pid := self.bot_pid()):
            # A process that has just ended is reported elsewhere.
            with contextlib.suppress(OSError):
                self._gauge = Gauge(pid)
        used = self._gauge.memory() if self._gauge else 0
        self._peak_memory = max(used, self._peak_memory or 0)
        return used

    def _find_excess(self, memory: int) -> str | None:
        """Return the limit that it exceeds, if any."""
        limits = self._limits
        if memory > limits.memory_mib * _MIB:
            return f"memory {_round_up_to_mib(memory)} MiB of {limits.memory_mib}"
        allowed_s = limits.cpu_s * max(1, self._matches)
        if self.cpu_s() > allowed_s:
            return f"CPU time {self._cpu_s:.1f} s of {allowed_s}"
        threads = self._gauge.threads() if self._gauge else 0
        if threads > limits.threads:
            return f"threads {threads} of {limits.threads}"
        with contextlib.suppress(OSError):
            return self._tmp_excess()
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
        if self._gauge:
            self._gauge.close()
            self._gauge = None
        super()._close()


def _round_up_to_mib(size: int) -> int:
    return -(-size // _MIB)


class _IdleBots:
    """The bots of one event loop that did not run between their last two checks."""

    def __init__(self) -> None:
        self._bots: dict[WatchedProcess, None] = {}
        self._is_scheduled = False

    def add(self, bot: WatchedProcess) -> None:
        """Check from now on whether the bot is still idle; if not, it is removed."""
        self._bots[bot] = None
        self._schedule()

    def remove(self, bot: WatchedProcess) -> None:
        """Stop checking a bot, if it is idle."""
        self._bots.pop(bot, None)

    def _schedule(self) -> None:
        if self._bots and not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_later(CHECK_S, self._check)

    def _check(self) -> None:
        self._is_scheduled = False
        for bot in [bot for bot in self._bots if not bot.is_idle()]:
            self.remove(bot)
            bot.check_limits()
        self._schedule()


_IDLE_BOTS: WeakKeyDictionary[asyncio.AbstractEventLoop, _IdleBots] = WeakKeyDictionary()
