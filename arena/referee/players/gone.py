"""How did a bot go that is gone: did it crash, hang up, or was it ended for going too far?"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from arena.records import SeatEnding
from arena.referee.desk import Breakage
from arena.sandbox.process import Process

_LAST_WORDS_S = 2.0
"""A bot that hung up and begins to end within this time has crashed; otherwise it is rude."""
_DEATH_S = 60.0
"""How long an end that has begun may take: that is the machine's doing, not the bot's."""


async def gone(process: Process, ended: asyncio.Event, when: str) -> Breakage:
    """Wait until it is clear how a bot went that does not talk any more."""
    if await _ends(process, ended):
        breakage = Breakage(SeatEnding.CRASHED, f"it {process.how_it_ended()} {when}")
    else:
        breakage = Breakage(SeatEnding.HUNG_UP, f"it closed the conversation {when}")
    over = process.over_limit()
    if over:
        return Breakage(SeatEnding.OVER_LIMIT, f"it went over a limit: {over}")
    return breakage


async def _ends(process: Process, ended: asyncio.Event) -> bool:
    """Tell whether the process ends, too."""
    if await _has_ended_in(_LAST_WORDS_S, ended):
        return True
    return process.is_ending() and await _has_ended_in(_DEATH_S, ended)


async def _has_ended_in(limit_s: float, ended: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            await ended.wait()
    return ended.is_set()
