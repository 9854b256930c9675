"""Starts: how many bots start at the same time.

A machine that starts hundreds of bots at once lets all of them wait for a core, until the last ones
have no time left to say Hello. So only a few start at once. A bot that takes long to start keeps
the others waiting for a moment only.
"""

from __future__ import annotations

import asyncio

_PER_CORE = 2
"""Bots that start at once on each core: one may wait for the disk while the other computes."""
_PATIENCE_S = 1.0
"""A bot that has not started after this time no longer keeps others from starting."""


class Starts:
    """Limits how many bots start at the same time."""

    def __init__(self, cores: int, *, patience_s: float = _PATIENCE_S) -> None:
        """Allow a few bots for each core."""
        self._slots = asyncio.Semaphore(_PER_CORE * cores)
        self._patience_s = patience_s

    async def begin(self) -> Start:
        """Wait until a bot may start."""
        await self._slots.acquire()
        return Start(self._slots, self._patience_s)


class Start:
    """The start of a bot, until it is over or has taken too long."""

    def __init__(self, slots: asyncio.Semaphore, patience_s: float) -> None:
        """Keep a slot for some time at most."""
        self._slots: asyncio.Semaphore | None = slots
        self._timer = asyncio.get_running_loop().call_later(patience_s, self.end)

    def end(self) -> None:
        """Let another bot start; calls after the first have no effect."""
        slots, self._slots = self._slots, None
        if slots:
            self._timer.cancel()
            slots.release()
