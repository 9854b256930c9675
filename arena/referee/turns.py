"""Whose turn it is to think, when more bots have something to decide than there are cores.

The bot with the most decisions waiting goes first: a message costs about the same however many it
carries, so the more of them are answered together the better. Meanwhile more comes in for the
others. Now and then the oldest match goes first, so that a long one does not outlast all others.
Nobody waits forever: whoever has been passed over often enough goes next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

OLDEST_EVERY = 4
"""Every so many turns one is for the oldest match."""
PATIENCE = 32
"""How many turns of others, at most, a bot waits for."""


class HasTag(Protocol):
    """A match, by whose tag one can tell when it began."""

    tag: int


class HasMatch(Protocol):
    """A decision that is wanted."""

    @property
    def match(self) -> HasTag:
        """Where it is wanted."""


class HasRequests(Protocol):
    """What waits for a process."""

    @property
    def requests(self) -> Sequence[HasMatch]:
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
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            else:
                self.end()
            raise

    def end(self) -> None:
        """End a turn, and let the next one think."""
        # Whoever is cancelled stays in the list until it notices.
        waiting = [each for each in self._waiting if not each.turn.cancelled()]
        if not waiting:
            self._free += 1
            return
        self._given += 1
        chosen = waiting[0]
        if self._given - chosen.since <= PATIENCE:
            is_for_oldest = self._given % OLDEST_EVERY == 0
            chosen = min(waiting, key=_oldest) if is_for_oldest else max(waiting, key=_size)
        self._waiting.remove(chosen)
        chosen.turn.set_result(None)


def _size(waiting: _Waiting) -> int:
    return len(waiting.desk.requests)


def _oldest(waiting: _Waiting) -> float:
    return min((pending.match.tag for pending in waiting.desk.requests), default=inf)
