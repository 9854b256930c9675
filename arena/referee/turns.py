"""Whose turn it is to think, when more bots have something to decide than there are cores.

The bot with the most decisions waiting goes first: a message costs about the same however many it
carries, so the more of them are answered together the better. Meanwhile more comes in for the
others. Nobody waits forever: whoever has been passed over often enough goes next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

PATIENCE = 32
"""How many turns of others, at most, a bot waits for."""


class HasRequests(Protocol):
    """What waits for a process."""

    @property
    def requests(self) -> Sequence[object]:
        """The decisions that are wanted of it."""


@dataclass(slots=True, eq=False)
class _Waiting:
    desk: HasRequests
    since: int
    """How many turns had been given when it began to wait."""
    turn: asyncio.Future[None]


class Turns:
    """Lets so many bots think at once."""

    def __init__(self, cores: int) -> None:
        """Begin with nobody thinking."""
        self._free = cores
        self._given = 0
        self._waiting: list[_Waiting] = []
        """Who has waited for longest is first."""

    async def take(self, desk: HasRequests) -> None:
        """Wait for a turn; `end` must follow."""
        if self._free:
            self._free -= 1
            return
        waiting = _Waiting(desk, self._given, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting.turn.done() and not waiting.turn.cancelled():
                self.end()
            else:
                self._waiting.remove(waiting)
            raise

    def end(self) -> None:
        """End a turn, and let the next one think."""
        if not self._waiting:
            self._free += 1
            return
        self._given += 1
        chosen = self._waiting[0]
        if self._given - chosen.since <= PATIENCE:
            chosen = max(self._waiting, key=lambda each: len(each.desk.requests))
        self._waiting.remove(chosen)
        chosen.turn.set_result(None)
