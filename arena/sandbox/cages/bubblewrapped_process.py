"""A bot in bubblewrap, and the processes around it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from collections.abc import Callable

from arena.sandbox.limits.watchdog import WatchedProcess
from arena.submission.limits import Limits

_STATUS_S = 5.0
"""Timeout for bubblewrap to report its child, which takes milliseconds."""
_POLL_MS = 1
_END_MS = 5000
"""How long the processes of a killed cage may take to end."""


class BubblewrappedProcess(WatchedProcess):
    """A bot in bubblewrap; the started process is bubblewrap itself, which waits for the bot."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        on_exit: Callable[[], None],
        limits: Limits,
        status_fd: int,
    ) -> None:
        """Start watching; bubblewrap reports its child on `status_fd`."""
        self._status_fd = status_fd
        self._init_fd = -1
        """A pidfd of the first process in the cage; all others end with it."""
        self._init_pid = 0
        self._bot_pid: int | None = None
        self._tmp = -1
        self._was_built = False
        """Whether the cage was built; known only after it has ended."""
        super().__init__(popen, on_exit, limits)

    @property
    def exit_code(self) -> int | None:
        """Its exit code, or the signal that ended it as a negative number; None if it runs."""
        code = self._popen.returncode
        # Like a shell, bubblewrap reports a signal as an exit code above 128.
        return 128 - code if code and 128 < code <= 128 + signal.SIGRTMAX else code

    def machine_fault(self) -> str | None:
        """Describe what was removed while it ran, or that its cage could not be built."""
        fault = super().machine_fault()
        if fault or self.is_running or self.over_limit() or self._was_built or self.outside_end():
            return fault
        output = self.printed().decode(errors="replace").rstrip().rpartition("\n")[2]
        return f"the cage of a bot could not be built: {output or self.describe_exit()}"

    def bot_pid(self) -> int | None:
        """Return the pid of the bot itself, once it is known."""
        if self._bot_pid is None and self._find_init(0):
            # It has not started yet or has already ended; a later check will show which.
            with contextlib.suppress(OSError, IndexError):
                task = f"/proc/{self._init_pid}/task/{self._init_pid}/children"
                with open(task, "rb") as file:
                    self._bot_pid = int(file.read().split()[0])
        return self._bot_pid

    def tmp_folder(self) -> int | None:
        """Return a descriptor of the bot's own /tmp."""
        if self._tmp < 0 and self.bot_pid() is not None:
            # Not by the bot's own pid: once its first thread has ended, it shows no root.
            root = f"/proc/{self._init_pid}/root/tmp"
            self._tmp = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        return self._tmp if self._tmp >= 0 else None

    def end(self) -> None:
        """Kill the first process in the cage, which ends all others, then bubblewrap."""
        # Killing only bubblewrap in its first milliseconds would leave the bot running.
        if self._find_init(_STATUS_S):
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._init_fd, signal.SIGKILL)
        super().end()
        if self._init_fd >= 0:
            # bubblewrap may be gone before the bot, which runs until the kernel has ended them all.
            ended = select.poll()
            ended.register(self._init_fd, select.POLLIN)
            ended.poll()

    def _find_init(self, timeout_s: float) -> bool:
        """Find the first process in the cage, waiting up to `timeout_s` for it."""
        until = time.monotonic() + timeout_s
        has_ended = False
        while not self._init_pid and self._status_fd >= 0:
            line, newline, _ = os.pread(self._status_fd, 4096, 0).partition(b"\n")
            if newline:
                self._init_pid = json.loads(line)["child-pid"]
                with contextlib.suppress(ProcessLookupError):
                    self._init_fd = os.pidfd_open(self._init_pid)
            elif has_ended or time.monotonic() >= until:
                break
            else:
                # Not select(2), which cannot handle descriptors above 1023.
                end = select.poll()
                end.register(self._pidfd, select.POLLIN)
                has_ended = bool(end.poll(_POLL_MS))
        return self._init_fd >= 0

    def _close(self) -> None:
        super()._close()
        if self._init_fd >= 0 and not self.is_running:
            # Bubblewrap may have ended a moment before the others, which end before the first one.
            end = select.poll()
            end.register(self._init_fd, select.POLLIN)
            end.poll(_END_MS)
        if self._status_fd >= 0 and not self.is_running:
            # bubblewrap reports an exit code only for a program that it has started.
            self._was_built = b'"exit-code"' in os.pread(self._status_fd, 4096, 0)
        for name in ("_status_fd", "_init_fd", "_tmp"):
            if getattr(self, name) >= 0:
                os.close(getattr(self, name))
                setattr(self, name, -1)
