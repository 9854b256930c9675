"""Run a bot on the user's terminal, for debugging."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from arena.sandbox.bot_process import ChildProcess


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
