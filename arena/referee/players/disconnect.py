"""Explain a lost connection: the bot crashed, hung up, or was ended for exceeding a limit."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress

from arena.records import SeatEnding
from arena.referee.model import Breakage
from arena.referee.players.connection import Connection
from arena.sandbox.bot_process import Process
from arena.text import plain

_CRASH_WINDOW_S = 2.0
"""A bot whose process begins to end within this time has crashed; otherwise it hung up."""
_EXIT_LIMIT_S = 60.0
"""Time limit for a process that is ending: how long that takes is up to the machine."""
_CAUSE_CHARACTERS = 120
"""Characters of a cause that are shown."""
_EXPLAINED = re.compile(r"ended with exit code [1-9]|was ended by SIGABRT")
"""Exits before which programs say why; before other signals, the last line is about something
else."""
_GO_TRACE = re.compile(r"^goroutine \d+ \[.*", re.MULTILINE | re.DOTALL)
"""What Go prints after `panic: index out of range`."""
_THROWN_IN_NODE = re.compile(r"^(?:Uncaught )?(\w*Error\b.*)$(?=(?s:.*)^Node\.js v)", re.MULTILINE)
"""The error that ended a program in JavaScript: properties of it may follow its trace."""
_TRACE_LINE = re.compile(r"\s+at |Node\.js v|note: |\W*$")
"""Lines that JavaScript and Rust print after an error, and lines without a word."""


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
    outside = process.outside_end()
    if outside:
        return Breakage(SeatEnding.CRASHED, outside, is_machine_fault=True)
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


def crash_sentence(how: str, when: str, printed: bytes) -> str:
    """Say how a bot ended, after the cause if its output shows one.

    `how` is the description of its exit. The text of a cause comes from the bot.
    """
    exit_text = f"it {how} {when}"
    cause = cause_in(printed) if _EXPLAINED.match(how) else ""
    return f"{cause} ({exit_text})" if cause else exit_text


def cause_in(printed: bytes) -> str:
    """Return the last line with a message, such as `ValueError: no idea`; empty if there is none.

    Other languages than Python print the message before the trace.
    """
    text = _GO_TRACE.sub("", printed.decode(errors="replace"))
    if thrown := _THROWN_IN_NODE.search(text):
        return _shorten(plain(thrown[1].strip()))
    for line in reversed(text.splitlines()):
        if not _TRACE_LINE.match(line):
            return _shorten(plain(line.strip()))
    return ""


def _shorten(line: str) -> str:
    return line if len(line) <= _CAUSE_CHARACTERS else f"{line[: _CAUSE_CHARACTERS - 1]}…"
