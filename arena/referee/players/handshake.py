"""Start a bot and wait for its Hello."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable

from arena.errors import PlatformError
from arena.records import SeatEnding
from arena.referee.model import Breakage
from arena.referee.players.connection import Connection
from arena.referee.players.decode import Nonsense, decode_hello, evidence
from arena.referee.players.disconnect import explain_disconnect
from arena.sandbox.bot_process import Launch, Process
from arena.wire.envelope import WireHello

_BUSY = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ENOSPC, errno.EIO)
"""Errors caused by the machine, not by the bot's program."""


def start_bot(
    launch: Launch, connection: Connection, on_exit: Callable[[], None]
) -> Process | Breakage:
    """Start the process of a bot; a program that cannot be run is the bot's fault."""
    try:
        return launch(connection.socket, on_exit)
    except OSError as error:
        if error.errno in _BUSY:
            raise PlatformError(f"cannot start a bot: {error.strerror}") from None
        # Without the path, which differs every time.
        return Breakage(SeatEnding.NO_HELLO, f"the system cannot start it: {error.strerror}")


async def await_hello(
    connection: Connection, process: Process, ended: asyncio.Event, *, limit_s: float
) -> WireHello | Breakage:
    """Wait for the Hello of a bot that was started."""
    try:
        async with asyncio.timeout(limit_s):
            received = await connection.first_message(ended)
    except TimeoutError:
        reason = f": {connection.violation}" if connection.violation else ""
        return Breakage(SeatEnding.NO_HELLO, f"it sent no Hello within {limit_s:g} s{reason}")
    if received is None:
        return await explain_disconnect(connection, process, ended, "before it sent Hello")
    hello = decode_hello(received)
    if isinstance(hello, Nonsense):
        return Breakage(hello.ending, hello.sentence, reply=evidence(received))
    return hello
