"""The connection to one bot: a server that listens on one socket and accepts one call.

Messages are plain bytes here. There are two drivers: our own, in this process's event loop, and
grpcio's, which has threads and is the reference. A bot cannot tell them apart.
"""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Self

from arena.errors import ArenaError, PlatformError

HARD_LIMIT = 4 << 20
"""Larger messages are not read: the call ends, and the bot is told why."""
ONE_CALL = "a bot may make only one call"
DRIVER = "ARENA_GRPC"
"""The environment variable that chooses a driver."""


class Driver(Enum):
    """Which implementation of gRPC the referee uses."""

    OWN = "own"
    GRPCIO = "grpcio"


class Connection(ABC):
    """An async context manager that listens while it is open."""

    def __init__(self, socket: Path, on_close: Callable[[], None]) -> None:
        """Listen on `socket`, which no other bot may reach; call `on_close` when the call ends."""
        self.socket = socket
        self._on_close = on_close
        self._called: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done as soon as the bot has made its call."""
        self.is_closed = False
        """Whether the call has ended."""
        self.violation = ""
        """What the bot did, if its call or its connection was refused or ended for that."""
        self.failure: Exception | None = None
        """Our mistake, if the connection was closed for that."""

    @abstractmethod
    async def __aenter__(self) -> Self:
        """Start listening."""

    @abstractmethod
    async def __aexit__(self, *_: object) -> None:
        """End the call and stop listening."""

    async def first_message(self, ended: asyncio.Event) -> bytes | None:
        """Wait for the call and its first message; None if the bot ended before that."""
        ending = asyncio.create_task(ended.wait())
        try:
            await asyncio.wait((self._called, ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending.cancel()
        if not self._called.done():
            return None
        return await self.receive()

    @abstractmethod
    async def receive(self) -> bytes | None:
        """Wait for the next message; None if the bot has closed the call."""

    @abstractmethod
    async def send(self, message: bytes) -> bool:
        """Send a message; return False if the bot has closed the call."""

    @abstractmethod
    def close(self) -> None:
        """End the call once all messages are sent."""

    def _end_call(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self._on_close()

    def _cannot_listen(self) -> PlatformError:
        return PlatformError(
            f"cannot create a socket in {self.socket.parent.parent}: is the disk full?"
        )


def chosen_driver() -> Driver:
    """Return the driver that the environment asks for; our own if it asks for none."""
    wanted = os.environ.get(DRIVER) or Driver.OWN.value
    try:
        return Driver(wanted)
    except ValueError:
        names = " or ".join(driver.value for driver in Driver)
        raise ArenaError(f"{DRIVER} is {wanted!r}: it must be {names}") from None


def listen(socket: Path, on_close: Callable[[], None], driver: Driver | None = None) -> Connection:
    """Return a connection that listens on `socket` while it is open."""
    # Only one of the two is imported: grpcio takes long to import.
    if (driver or chosen_driver()) is Driver.OWN:
        from arena.referee.players.own_connection import OwnConnection

        return OwnConnection(socket, on_close)
    from arena.referee.players.grpcio_connection import GrpcioConnection

    return GrpcioConnection(socket, on_close)
