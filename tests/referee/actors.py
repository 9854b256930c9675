"""Which bots of this process talk over the real socket, and pass for a process of their own?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc


class Actor:
    """A bot that talks as its subclass says; as a process, it never ends and costs nothing."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []

    def launch(self, socket: Path, on_exit: Callable[[], None]) -> Actor:
        """Begin to talk; as a process, it is this object."""
        self._tasks.append(asyncio.create_task(self._talk(socket)))
        return self

    async def _talk(self, socket: Path) -> None:
        async with grpc.aio.insecure_channel(f"unix:{socket}") as channel:
            call = channel.stream_stream("/arena.wire.v1.Arena/Play")()
            try:
                await self.converse(call)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.BaseError):
                return

    async def converse(self, call: Any) -> None:
        """Say and hear everything."""
        raise NotImplementedError

    def printed(self) -> bytes:
        """It prints nothing."""
        return b""

    def how_it_ended(self) -> str:
        """It has no end of its own."""
        return "is still running"

    def over_limit(self) -> str | None:
        """It has no limits."""
        return None

    def cpu_s(self) -> float:
        """It uses no processor time."""
        return 0.0

    def began(self, matches: int) -> None:
        """It need not be counted."""

    def freeze(self) -> None:
        """It cannot be stopped."""

    def thaw(self) -> None:
        """It was not stopped."""

    def kill(self) -> None:
        """Stop talking."""
        for task in self._tasks:
            task.cancel()
