"""Does a bot start and say hello, and if not, why?"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable

from arena.errors import PlatformError
from arena.records import SeatEnding
from arena.referee.desk import Breakage
from arena.referee.players.gone import gone
from arena.referee.players.hearing import Nonsense, evidence, hello_in
from arena.referee.players.line import Line
from arena.sandbox.process import Launch, Process
from arena.wire.v1.match_pb2 import Hello

_BUSY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EIO)
"""What is the machine's doing, and not that of a bot's program."""


def started(launch: Launch, line: Line, on_exit: Callable[[], None]) -> Process | Breakage:
    """Start a bot's process; a program that is none is the bot's fault."""
    try:
        return launch(line.socket, on_exit)
    except OSError as error:
        if error.errno in _BUSY:
            raise PlatformError(f"no bot can be started: {error.strerror}") from None
        # Without the path, which is another one every time.
        return Breakage(SeatEnding.NO_HELLO, f"the system cannot start it: {error.strerror}")


async def greeted(
    line: Line, process: Process, ended: asyncio.Event, *, limit_s: float
) -> Hello | Breakage:
    """Wait until a bot that was started says hello."""
    try:
        async with asyncio.timeout(limit_s):
            heard = await line.first_message(ended)
    except TimeoutError:
        return Breakage(SeatEnding.NO_HELLO, f"it did not say hello within {limit_s:g} s")
    if heard is None:
        return await gone(process, ended, "before it said hello")
    hello = hello_in(heard)
    if isinstance(hello, Nonsense):
        return Breakage(hello.ending, hello.sentence, reply=evidence(heard))
    return hello
