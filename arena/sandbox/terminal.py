"""How does a bot run on the user's own terminal?"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from arena.sandbox.process import Child


class TerminalProcess(Child):
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
        popen = subprocess.Popen(command, cwd=folder, env=dict(environment))
        # Ctrl-C is typed to it, and heard by both.
        self._on_interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        super().__init__(popen, on_exit)

    def printed(self) -> bytes:
        """Return nothing: it was seen."""
        return b""

    def cpu_s(self) -> float:
        """Return nothing: who types cannot be timed."""
        return 0.0

    def freeze(self) -> None:
        """Ignore it: a debugger must listen."""

    def thaw(self) -> None:
        """Ignore it."""

    def _close(self) -> None:
        if self._pidfd >= 0:
            signal.signal(signal.SIGINT, self._on_interrupt)
        super()._close()
