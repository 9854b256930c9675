"""A bot's process: start it, read its output, freeze it and end it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

from arena.records import PRINTED_BYTES
from arena.sandbox.limits.gauge import cpu_clock, peak_memory

_CHUNK = 64 * 1024
_PF_EXITING = 4
"""A flag of a thread (proc(5)): it is exiting and closes its files."""
_PAUSE_S = 0.02
"""A pause after each chunk, so that a bot that floods its output slows itself, not the referee."""


class Process(ABC):
    """A running bot, as the referee uses it; what a kind does not measure has no limit."""

    def printed(self) -> bytes:
        """Return its latest output, stdout and stderr together."""
        return b""

    def take_output(self) -> bytes:
        """Return what it has printed since the last call, or the end of it if it is much."""
        return b""

    @abstractmethod
    def is_ending(self) -> bool:
        """Return whether it has ended or is already exiting."""

    @abstractmethod
    def describe_exit(self) -> str:
        """Describe the exit code or signal with which it ended."""

    def over_limit(self) -> str | None:
        """Return the limit for which it was ended, with figures: "memory 731 MiB of 512"."""
        return None

    def machine_fault(self) -> str | None:
        """Describe what the machine took away from it; then the bot is not at fault."""
        return None

    def outside_end(self) -> str | None:
        """Say that something outside the cage ended it, if that is certain: no bot is at fault."""
        return None

    def cpu_s(self) -> float:
        """Return the CPU time used by all its threads."""
        return 0.0

    def peak_memory(self) -> int | None:
        """Return the most memory that it has had in use, in bytes; None if this is not measured."""
        return None

    def waited_s(self) -> float | None:
        """Return how long it was ready to run but had no processor; None if this is not measured.

        A process for which it is not measured is never reported as sleeping.
        """
        return None

    def add_matches(self, count: int) -> None:  # noqa: B027  # most kinds need not count
        """Count matches that it starts: each one allows it more CPU time."""

    def freeze(self) -> None:  # noqa: B027  # a debugger must keep running
        """Stop it from running until `thaw`."""

    def thaw(self) -> None:  # noqa: B027  # as above
        """Let it run again."""

    def print_stack(self) -> None:  # noqa: B027  # the debugger shows it
        """Make it print where it is; a program that cannot, such as one in C++, ends."""

    @abstractmethod
    def kill(self) -> None:
        """End it and clean up everything that belongs to it."""


Launch = Callable[[Path, Callable[[], None]], Process]
"""Start the bot's process, given its socket and a function to call when it ends."""


class ChildProcess(Process):
    """A child process of this one, until it has been waited for."""

    def __init__(self, popen: subprocess.Popen[bytes], on_exit: Callable[[], None]) -> None:
        """Watch a process that has just been started; call `on_exit` when it ends."""
        self._popen = popen
        self._on_exit = on_exit
        self._loop = asyncio.get_running_loop()
        self._pidfd = os.pidfd_open(popen.pid)
        self._loop.add_reader(self._pidfd, self._on_process_exit)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def is_running(self) -> bool:
        """Whether it is not known to have ended."""
        return self._popen.returncode is None

    @property
    def exit_code(self) -> int | None:
        """Its exit code, or the signal that ended it as a negative number; None if it runs."""
        return self._popen.returncode

    def is_ending(self) -> bool:
        """Return whether it has ended."""
        return not self.is_running

    def describe_exit(self) -> str:
        """Describe the exit code or signal with which it ended."""
        return describe_exit(self.exit_code)

    def kill(self) -> None:
        """End it and clean up; may be called more than once."""
        if self.is_running:
            self.end()
            self._popen.wait()
        self._close()

    def end(self) -> None:
        """Kill it; its exit is reported as if it had ended by itself."""
        self._popen.kill()

    def _on_process_exit(self) -> None:
        self.kill()
        self._on_exit()

    def _close(self) -> None:
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1


class BotProcess(ChildProcess):
    """A bot's process whose latest output is kept."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        on_exit: Callable[[], None],
        *,
        keep_bytes: int = PRINTED_BYTES,
    ) -> None:
        """Watch a process that has just been started; call `on_exit` once, when it ends.

        The last `keep_bytes` bytes of its output are kept.
        """
        super().__init__(popen, on_exit)
        assert popen.stdout is not None
        self._output = _Output(popen.stdout, keep_bytes)
        self._cpu_s = 0.0
        self._peak_memory: int | None = None

    def bot_pid(self) -> int | None:
        """Return the pid of the bot itself, once it is known."""
        return self.pid

    def is_ending(self) -> bool:
        """Return whether it has ended or is already exiting."""
        pid = self.bot_pid()
        if pid is None or not self.is_running:
            return not self.is_running
        try:
            threads = os.listdir(f"/proc/{pid}/task")
        except OSError:
            return True
        # All threads: the main thread may end while others keep running indefinitely.
        return all(_is_ending(f"/proc/{pid}/task/{thread}/stat") for thread in threads)

    def printed(self) -> bytes:
        """Return its latest output, stdout and stderr together."""
        self._output.read()
        return bytes(self._output.latest)

    def take_output(self) -> bytes:
        """Return what it has printed since the last call, or the end of it if it is much."""
        self._output.read()
        taken = bytes(self._output.untaken)
        self._output.untaken.clear()
        return taken

    def cpu_s(self) -> float:
        """Return the CPU time that it has used; after its end, the last known value."""
        if self.is_running and (pid := self.bot_pid()):
            with contextlib.suppress(OSError):
                self._cpu_s = time.clock_gettime(cpu_clock(pid))
        return self._cpu_s

    def peak_memory(self) -> int | None:
        """Return its peak memory as the kernel counts it; after its end, the last known value."""
        if self.is_running and (pid := self.bot_pid()):
            self._peak_memory = max(self._peak_memory or 0, peak_memory(pid)) or None
        return self._peak_memory

    def freeze(self) -> None:
        """Stop it from running until `thaw`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it run again."""
        self._signal(signal.SIGCONT)

    def print_stack(self) -> None:
        """Make it print where it is."""
        # The SDK has a handler for it.
        self._signal(signal.SIGUSR2)

    def _signal(self, number: signal.Signals) -> None:
        if self.is_running and (pid := self.bot_pid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def end(self) -> None:
        """Kill it and everything in its process group."""
        # Its pid cannot be reused until it is waited for.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def _close(self) -> None:
        super()._close()
        self._output.close()


class _Output:
    """What a process prints, read from a pipe as it arrives."""

    def __init__(self, pipe: IO[bytes], keep_bytes: int) -> None:
        self._pipe = pipe
        self._keep_bytes = keep_bytes
        self.latest = bytearray()
        self.untaken = bytearray()
        self._loop = asyncio.get_running_loop()
        os.set_blocking(pipe.fileno(), False)
        self._is_open = True
        self._loop.add_reader(pipe, self._on_output)

    def read(self) -> bool:
        """Read what is new; return whether there was anything."""
        data = b""
        if self._is_open:
            try:
                data = os.read(self._pipe.fileno(), _CHUNK)
            except BlockingIOError:
                return False
            if not data:
                self._stop_reading()
        for kept in (self.latest, self.untaken):
            kept += data
            del kept[: -self._keep_bytes]
        return bool(data)

    def close(self) -> None:
        """Read what is left in the pipe, and close it."""
        self.read()
        self._stop_reading()
        self._pipe.close()

    def _on_output(self) -> None:
        if self.read():
            self._loop.remove_reader(self._pipe)
            self._loop.call_later(_PAUSE_S, self._resume_reading)

    def _resume_reading(self) -> None:
        if self._is_open:
            self._loop.add_reader(self._pipe, self._on_output)

    def _stop_reading(self) -> None:
        if self._is_open:
            self._loop.remove_reader(self._pipe)
            self._is_open = False


def _is_ending(stat: str) -> bool:
    """Return whether a thread has ended or is exiting, given its stat file."""
    try:
        with open(stat, encoding="latin-1") as file:
            state, *numbers = file.read().rpartition(")")[2].split()
    except OSError:
        return True
    return state in "ZX" or bool(int(numbers[5]) & _PF_EXITING)


def describe_exit(code: int | None) -> str:
    """Describe the exit code of a process, or the signal that ended it if it is negative."""
    if code is None:
        return "is still running"
    if code >= 0:
        return f"ended with exit code {code}"
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"


def start_process(
    command: Sequence[str],
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    pass_fds: Sequence[int] = (),
) -> subprocess.Popen[bytes]:
    """Start a program in its own session, with one pipe for all its output."""
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


class TerminalProcess(ChildProcess):
    """A process that shares this one's terminal for input and output."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        on_exit: Callable[[], None],
    ) -> None:
        """Start it; call `on_exit` once, when it ends."""
        popen = subprocess.Popen(command, cwd=folder, env=dict(environment))
        # Ctrl-C is meant for the bot, but the terminal sends it to both.
        self._on_interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        super().__init__(popen, on_exit)

    def _close(self) -> None:
        if self._pidfd >= 0:
            signal.signal(signal.SIGINT, self._on_interrupt)
        super()._close()
