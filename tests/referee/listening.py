"""A connection of the referee for tests, without a bot's process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from arena.referee.players.connection import Connection, Driver, listen
from arena.sandbox.tempdir import temp_dir

PATIENCE_S = 300.0
"""Much longer than anything here takes, even on a busy machine."""


class Referee:
    """A connection, and how often its end was reported."""

    connection: Connection
    closed = 0

    def on_close(self) -> None:
        """Count."""
        self.closed += 1

    async def first(self) -> bytes | None:
        """Wait for the first message of a bot that does not end."""
        return await self.connection.first_message(asyncio.Event())


@asynccontextmanager
async def referee(driver: Driver) -> AsyncIterator[Referee]:
    """Listen, and fail if the event loop reports an error."""
    errors: list[dict[str, Any]] = []

    def note(_: object, context: dict[str, Any]) -> None:
        # Our driver has callbacks only. What tasks report is grpc's, and so is what its poller says
        # of event loops that were faster, or are closed.
        handle = repr(context.get("handle", "PollerCompletionQueue"))
        if driver is Driver.OWN and "PollerCompletionQueue" not in handle:
            errors.append(context)

    asyncio.get_running_loop().set_exception_handler(note)
    made = Referee()
    with temp_dir() as folder:
        async with (
            asyncio.timeout(PATIENCE_S),
            listen(folder / "s", made.on_close, driver) as connection,
        ):
            made.connection = connection
            yield made
    assert errors == [], errors


def run(test: Coroutine[Any, Any, None]) -> None:
    """Run a test."""
    asyncio.run(test)
