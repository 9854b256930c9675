"""How is a bot's process started, watched, listened to and ended?"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from arena.records import STDERR_BYTES

_CHUNK = 64 * 1024
_PF_EXITING = 4
"""Among the flags of a process (proc(5)): it is on its way out, and closes what it has open."""
_PAUSE_S = 0.02
"""A pause after each chunk: a bot that floods its output waits, not the referee."""


class Process(Protocol):
    """What the referee needs of a running bot."""

    def printed(self) -> bytes:
        """Return the last that it printed, on stdout and stderr together."""

    def is_ending(self) -> bool:
        """Tell whether it has ended, or is about to and cannot be kept from it."""

    def how_it_ended(self) -> str:
        """Say with which exit code or signal it ended."""

    def over_limit(self) -> str | None:
        """Say which limit it was ended for, with the figures: "memory 731 MiB of 512"."""

    def cpu_s(self) -> float:
        """Return the processor time that it has used, all its threads and processes together."""

    def began(self, matches: int) -> None:
        """Count matches that it has sat down to: each allows it more processor time."""

    def freeze(self) -> None:
        """Stop it from running until `thaw`."""

    def thaw(self) -> None:
        """Let it run again."""

    def kill(self) -> None:
        """End it, and leave nothing of it behind."""


class BotProcess:
    """A bot that runs as a process of this machine."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        on_exit: Callable[[], None],
        *,
        kept: int = STDERR_BYTES,
    ) -> None:
        """Watch a process that has just been started; `on_exit` is called once, when it ends.

        Of what it prints the last `kept` bytes are remembered.
        """
        self._kept = kept
        self._popen = popen
        self._on_exit = on_exit
        self._loop = asyncio.get_running_loop()
        self._printed = bytearray()
        self._cpu_s = 0.0
        assert popen.stdout is not None
        self._output = popen.stdout.fileno()
        os.set_blocking(self._output, False)
        self._loop.add_reader(self._output, self._listen)
        self._pidfd = os.pidfd_open(popen.pid)
        self._loop.add_reader(self._pidfd, self._exited)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    def bot_pid(self) -> int | None:
        """Return the id of the bot's own first process, once it is known."""
        return self.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not been seen to end."""
        return self._popen.returncode is None

    def is_ending(self) -> bool:
        """Tell whether it has ended, or is about to and cannot be kept from it."""
        pid = self.bot_pid()
        if pid is None or not self.is_running:
            return not self.is_running
        try:
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="latin-1")
        except OSError:
            return True
        state, *numbers = stat.rpartition(")")[2].split()
        return state in "ZX" or bool(int(numbers[5]) & _PF_EXITING)

    def how_it_ended(self) -> str:
        """Say with which exit code or signal it ended."""
        code = self._popen.returncode
        if code is None:
            return "is still running"
        if code >= 0:
            return f"ended with exit code {code}"
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"

    def printed(self) -> bytes:
        """Return the last that it printed, on stdout and stderr together."""
        if self._output >= 0:
            self._listen()
        return bytes(self._printed)

    def over_limit(self) -> str | None:
        """Say nothing: a plain process has no limits."""
        return None

    def cpu_s(self) -> float:
        """Return the processor time that it has used: what was last known if it has ended."""
        if self.is_running:
            with contextlib.suppress(OSError):
                self._cpu_s = time.clock_gettime(cpu_clock(self.pid))
        return self._cpu_s

    def began(self, matches: int) -> None:
        """Ignore it: a plain process may use what processor time it likes."""

    def freeze(self) -> None:
        """Stop it from running until `thaw`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it run again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self.is_running:
            signal.pidfd_send_signal(self._pidfd, number)

    def kill(self) -> None:
        """End it and everything in its process group, and forget it; may be called again."""
        if self._popen.returncode is None:
            self.end()
            self._popen.wait()
        self._close()

    def end(self) -> None:
        """Kill what runs; that it has ended is heard of as if it had by itself."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)

    def _listen(self) -> None:
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return
        if not data:
            self._stop_listening()
            return
        self._printed += data
        del self._printed[: -self._kept]
        self._loop.remove_reader(self._output)
        self._loop.call_later(_PAUSE_S, self._listen_again)

    def _listen_again(self) -> None:
        if self._output >= 0:
            self._loop.add_reader(self._output, self._listen)

    def _stop_listening(self) -> None:
        if self._output >= 0:
            self._loop.remove_reader(self._output)
            self._output = -1

    def _exited(self) -> None:
        # Its group ends with it; until it is waited for, nobody else can have its number.
        self.end()
        self._popen.wait()
        # Whatever it left in the pipe is its last words.
        self.printed()
        self._close()
        self._on_exit()

    def _close(self) -> None:
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1
            self._stop_listening()
            assert self._popen.stdout is not None
            self._popen.stdout.close()


def cpu_clock(pid: int) -> int:
    """Return the clock that counts the processor time of a process (clock_getcpuclockid(3))."""
    return (~pid << 3) | 2


def start(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, with one pipe for all that it prints."""
    return subprocess.Popen(
        command,
        cwd=folder,
        env=dict(environment or {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=pass_fds,
    )
