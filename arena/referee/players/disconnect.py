"""Explain a lost connection: the bot crashed, hung up, or was ended for exceeding a limit."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from arena.records import SeatEnding
from arena.referee.model import Breakage
from arena.referee.players.cause import crash_sentence
from arena.referee.players.connection import Connection
from arena.sandbox.bot_process import Process

_CRASH_WINDOW_S = 2.0
"""A bot whose process begins to end within this time has crashed; otherwise it hung up."""
_EXIT_LIMIT_S = 60.0
"""Time limit for a process that is ending: how long that takes is up to the machine."""


async def explain_disconnect(
    connection: Connection, process: Process, ended: asyncio.Event, when: str
) -> Breakage:
    """Wait until it is clear why the connection to a bot was closed; raise if we are to blame."""
    if connection.failure:
        raise connection.failure
    if connection.violation:
        return Breakage(SeatEnding.NONSENSE, connection.violation)
    if await _process_ends(process, ended):
        sentence = crash_sentence(process.describe_exit(), when, process.printed())
        breakage = Breakage(SeatEnding.CRASHED, sentence)
    else:
        breakage = Breakage(SeatEnding.HUNG_UP, f"it closed the connection {when}")
    over = process.over_limit()
    if over:
        return Breakage(SeatEnding.OVER_LIMIT, f"it exceeded a limit: {over}")
    return breakage


async def _process_ends(process: Process, ended: asyncio.Event) -> bool:
    """Return whether the process ends as well."""
    if await _has_ended_in(_CRASH_WINDOW_S, ended):
        return True
    return process.is_ending() and await _has_ended_in(_EXIT_LIMIT_S, ended)


async def _has_ended_in(limit_s: float, ended: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(limit_s):
            await ended.wait()
    return ended.is_set()
