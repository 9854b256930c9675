"""What a bot prints while it plays: show it at once, and keep it with the decision it made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from arena.records import OUTPUT_BYTES
from arena.sandbox.bot_process import Process

OnOutput = Callable[[bytes], None]
"""Called with everything that a bot prints, as it is read."""
_POLL_S = 0.1
"""How often a bot that is thinking is asked for new output."""


def ignore_output(data: bytes) -> None:
    """Show nothing: the output is only kept."""


class OutputReader:
    """Reads the output of one process."""

    def __init__(self, process: Process, on_output: OnOutput) -> None:
        """Read the output of `process`; report it to `on_output`."""
        self._process = process
        self._on_output = on_output
        self._untaken = bytearray()

    def poll(self) -> None:
        """Read and report what is new."""
        new = self._process.take_output()
        if new:
            self._untaken += new[: OUTPUT_BYTES - len(self._untaken)]
            self._on_output(new)

    async def keep_polling(self) -> None:
        """Report output even while the bot is thinking; runs until it is cancelled."""
        while True:
            await asyncio.sleep(_POLL_S)
            self.poll()

    def take(self) -> bytes:
        """Return the beginning of what was printed since the last call, as much as a record keeps.

        Called when an answer has arrived: what was printed before it is in the pipe.
        """
        self.poll()
        taken = bytes(self._untaken)
        self._untaken.clear()
        return taken
