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
"""Among the flags of a thread (proc(5)): it is on its way out, and closes what it has open."""
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

    def lost(self) -> str | None:
        """Say what it needs of this machine and no longer has: then it is not to blame."""

    def cpu_s(self) -> float:
        """Return the processor time that it has used, all its threads and processes together."""

    def waited_s(self) -> float | None:
        """Return for how long it was ready to run and had no processor; None if nobody looks.

        A process of which nobody knows that is never said to sleep.
        """

    def began(self, matches: int) -> None:
        """Count matches that it has sat down to: each allows it more processor time."""

    def freeze(self) -> None:
        """Stop it from running until `thaw`."""

    def thaw(self) -> None:
        """Let it run again."""

    def kill(self) -> None:
        """End it, and leave nothing of it behind."""


Launch = Callable[[Path, Callable[[], None]], Process]
"""Start the bot's process, given its socket and what to call when it ends."""


class Child:
    """A process that this one has started, until its end has been heard of."""

    def __init__(self, popen: subprocess.Popen[bytes], on_exit: Callable[[], None]) -> None:
        """Wait for the end of a process that has just been started; then `on_exit` is called."""
        self._popen = popen
        self._on_exit = on_exit
        self._loop = asyncio.get_running_loop()
        self._pidfd = os.pidfd_open(popen.pid)
        self._loop.add_reader(self._pidfd, self._exited)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def is_running(self) -> bool:
        """Whether it has not been seen to end."""
        return self._popen.returncode is None

    def waited_s(self) -> float | None:
        """Return None: a process without a cage may have somebody to wait for."""
        return None

    def is_ending(self) -> bool:
        """Tell whether it has ended."""
        return not self.is_running

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

    def over_limit(self) -> str | None:
        """Say nothing: it has no limits."""
        return None

    def lost(self) -> str | None:
        """Say nothing: it is given nothing that could be taken away."""
        return None

    def began(self, matches: int) -> None:
        """Ignore it: it may use what processor time it likes."""

    def kill(self) -> None:
        """End it, and forget it; may be called again."""
        if self.is_running:
            self.end()
            self._popen.wait()
        self._close()

    def end(self) -> None:
        """Kill what runs; that it has ended is heard of as if it had by itself."""
        self._popen.kill()

    def _exited(self) -> None:
        self.kill()
        self._on_exit()

    def _close(self) -> None:
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1


class BotProcess(Child):
    """A bot that runs by itself, and whose output is kept."""

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
        super().__init__(popen, on_exit)
        self._kept = kept
        self._printed = bytearray()
        self._cpu_s = 0.0
        assert popen.stdout is not None
        self._output = popen.stdout.fileno()
        os.set_blocking(self._output, False)
        self._loop.add_reader(self._output, self._listen)

    def bot_pid(self) -> int | None:
        """Return the id of the bot's own first process, once it is known."""
        return self.pid

    def is_ending(self) -> bool:
        """Tell whether it has ended, or is about to and cannot be kept from it."""
        pid = self.bot_pid()
        if pid is None or not self.is_running:
            return not self.is_running
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except OSError:
            return True
        # All of them: a main thread may end, and leave the process to the others for ever.
        return all(_is_ending(f"/proc/{pid}/task/{thread}/stat") for thread in threads)

    def printed(self) -> bytes:
        """Return the last that it printed, on stdout and stderr together."""
        if self._output >= 0:
            self._read()
        return bytes(self._printed)

    def cpu_s(self) -> float:
        """Return the processor time that it has used: what was last known if it has ended."""
        if self.is_running:
            with contextlib.suppress(OSError):
                self._cpu_s = time.clock_gettime(cpu_clock(self.pid))
        return self._cpu_s

    def freeze(self) -> None:
        """Stop it from running until `thaw`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it run again."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self.is_running:
            signal.pidfd_send_signal(self._pidfd, number)

    def end(self) -> None:
        """Kill it and everything in its process group."""
        # Until it is waited for, nobody else can have its number.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _listen(self) -> None:
        if self._read():
            self._loop.remove_reader(self._output)
            self._loop.call_later(_PAUSE_S, self._listen_again)

    def _listen_again(self) -> None:
        if self._output >= 0:
            self._loop.add_reader(self._output, self._listen)

    def _read(self) -> bool:
        """Take what it has printed since; tell whether there was any."""
        try:
            data = os.read(self._output, _CHUNK)
        except BlockingIOError:
            return False
        if not data:
            self._stop_listening()
        self._printed += data
        del self._printed[: -self._kept]
        return bool(data)

    def _stop_listening(self) -> None:
        self._loop.remove_reader(self._output)
        self._output = -1

    def _close(self) -> None:
        super()._close()
        # Whatever it left in the pipe is its last words.
        self.printed()
        if self._output >= 0:
            self._stop_listening()
        assert self._popen.stdout is not None
        self._popen.stdout.close()


def _is_ending(stat: str) -> bool:
    """Tell from the file of a thread whether it has ended or is on its way out."""
    try:
        with open(stat, encoding="latin-1") as file:
            state, *numbers = file.read().rpartition(")")[2].split()
    except OSError:
        return True
    return state in "ZX" or bool(int(numbers[5]) & _PF_EXITING)


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
