"""A stream to a caged program that is not a bot, to measure the transport alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

from remote_play import bot

from arena.referee.players.connection import Connection, listen
from arena.sandbox.bot_process import Process
from arena.sandbox.select import AUTO, select_cage
from arena.sandbox.tempdir import temp_dir


class BareStream(NamedTuple):
    """The connection to a program, and its process."""

    connection: Connection
    process: Process


@asynccontextmanager
async def bare_stream(program: str) -> AsyncIterator[BareStream]:
    """Start a program of this folder in a cage, and wait for its first message."""
    with temp_dir() as folder:
        async with listen(folder / "referee.sock", lambda: None) as connection:
            process = select_cage(AUTO).launcher(bot(program), {})(connection.socket, lambda: None)
            try:
                await connection.first_message(asyncio.Event())
                yield BareStream(connection, process)
            finally:
                process.kill()
