"""Which bot thinks next when more bots have requests than there are cores, and which may start.

The bot with the most waiting requests goes first: a message costs about the same whatever it
carries, so large batches are cheaper, and requests for the others accumulate meanwhile. Every few
turns the oldest match goes first, so that a long match does not outlast all others. No bot starves:
one that has been passed over often enough goes next.

A machine that starts hundreds of bots at once lets all of them wait for a core, until the last ones
have no time left to say Hello. So only a few start at once. A bot that takes long to start keeps
the others waiting for a moment only.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol

OLDEST_EVERY = 4
"""One turn in this many goes to the oldest match."""
PATIENCE = 32
"""Maximum number of turns of other bots that a bot waits for."""
_STARTS_PER_CORE = 2
"""Bots that start at once on each core: one may wait for the disk while the other computes."""
_START_PATIENCE_S = 1.0
"""A bot that has not started after this time no longer keeps others from starting."""


class HasTag(Protocol):
    """A match; matches that began later have higher tags."""

    tag: int


class HasMatch(Protocol):
    """A request for a decision."""

    @property
    def match(self) -> HasTag:
        """The match of the request."""


class HasRequests(Protocol):
    """A mailbox with waiting requests."""

    @property
    def requests(self) -> Sequence[HasMatch]:
        """The waiting requests."""


@dataclass(slots=True, eq=False)
class _Waiting:
    mailbox: HasRequests
    since: int
    """Number of turns given when it began to wait."""
    turn: asyncio.Future[None]


class Turns:
    """Limits how many bots think at the same time."""

    def __init__(self, cores: int) -> None:
        """Allow one bot for each core."""
        self._free = cores
        self._given = 0
        self._waiting: list[_Waiting] = []
        """The longest wait first."""

    async def take(self, mailbox: HasRequests) -> None:
        """Wait for a turn; call `end` afterwards."""
        if self._free:
            self._free -= 1
            return
        waiting = _Waiting(mailbox, self._given, asyncio.get_running_loop().create_future())
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
        """End a turn and start the next one."""
        # A cancelled waiter stays in the list until its task runs.
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
    return len(waiting.mailbox.requests)


def _oldest(waiting: _Waiting) -> float:
    return min((pending.match.tag for pending in waiting.mailbox.requests), default=inf)


class Starts:
    """Limits how many bots start at the same time."""

    def __init__(self, cores: int, *, patience_s: float = _START_PATIENCE_S) -> None:
        """Allow a few bots for each core."""
        self._slots = asyncio.Semaphore(_STARTS_PER_CORE * cores)
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
