"""How does a bot run on the user's own terminal?"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path


class TerminalProcess:
    """A process that has this one's terminal: it can be typed to, and what it prints is seen."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        on_exit: Callable[[], None],
    ) -> None:
        """Start it; `on_exit` is called once, when it ends."""
        self._popen = subprocess.Popen(command, cwd=folder, env=dict(environment))
        # Ctrl-C is typed to it, and heard by both.
        self._on_interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._on_exit = on_exit
        self._loop = asyncio.get_running_loop()
        self._pidfd = os.pidfd_open(self._popen.pid)
        self._loop.add_reader(self._pidfd, self._exited)

    def printed(self) -> bytes:
        """Return nothing: it was seen."""
        return b""

    def is_ending(self) -> bool:
        """Tell whether it has ended."""
        return self._popen.returncode is not None

    def how_it_ended(self) -> str:
        """Say with which exit code it ended."""
        return f"ended with exit code {self._popen.returncode}"

    def over_limit(self) -> None:
        """Say nothing: it has no limits."""

    def cpu_s(self) -> float:
        """Return nothing: who types cannot be timed."""
        return 0.0

    def began(self, matches: int) -> None:
        """Ignore it: it has no limits."""

    def freeze(self) -> None:
        """Ignore it: a debugger must listen."""

    def thaw(self) -> None:
        """Ignore it."""

    def kill(self) -> None:
        """End it, and forget it."""
        if self._popen.returncode is None:
            self._popen.kill()
            self._popen.wait()
        self._close()

    def _exited(self) -> None:
        self._popen.wait()
        self._close()
        self._on_exit()

    def _close(self) -> None:
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1
            signal.signal(signal.SIGINT, self._on_interrupt)
