"""Bots that wait, and are checked together.

A worker may keep hundreds of bots, of which a few run. A timer for each idle bot would cost several
times as much as to see that it is still idle, so all of an event loop share one.
"""

from __future__ import annotations

import asyncio
from typing import Protocol
from weakref import WeakKeyDictionary

CHECK_S = 0.05
"""The interval between two checks."""


class IdleBot(Protocol):
    """A bot that did not run between its last two checks."""

    def is_idle(self) -> bool:
        """Return whether it has not run since the last check."""

    def check_limits(self) -> None:
        """Check all its limits, and continue to do so."""


class IdleBots:
    """The idle bots of one event loop."""

    def __init__(self) -> None:
        """Start without bots."""
        self._bots: dict[IdleBot, None] = {}
        self._is_scheduled = False

    def add(self, bot: IdleBot) -> None:
        """Check from now on whether the bot is still idle; if not, it is removed."""
        self._bots[bot] = None
        self._schedule()

    def remove(self, bot: IdleBot) -> None:
        """Stop checking a bot, if it is idle."""
        self._bots.pop(bot, None)

    def _schedule(self) -> None:
        if self._bots and not self._is_scheduled:
            self._is_scheduled = True
            asyncio.get_running_loop().call_later(CHECK_S, self._check)

    def _check(self) -> None:
        self._is_scheduled = False
        for bot in [bot for bot in self._bots if not bot.is_idle()]:
            self.remove(bot)
            bot.check_limits()
        self._schedule()


_BY_LOOP: WeakKeyDictionary[asyncio.AbstractEventLoop, IdleBots] = WeakKeyDictionary()


def idle_bots(loop: asyncio.AbstractEventLoop) -> IdleBots:
    """Return the idle bots of an event loop."""
    return _BY_LOOP.setdefault(loop, IdleBots())
