"""Which bots of this process talk over the real socket, and pass for a process of their own?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from arena.wire.v1.match_pb2 import Decision, Decisions, FromBot, FromReferee, Hello

GOOD_HELLO = FromBot(hello=Hello(protocol=1, games=["meow"], wants_legal_actions=True))


def good_answer(*requests: Any) -> FromBot:
    """Answer requests with their first legal actions."""
    decisions = [
        Decision(match=asked.match, number=asked.number, action=asked.legal_actions[0])
        for asked in requests
    ]
    return FromBot(decisions=Decisions(decisions=decisions))


class Actor:
    """A bot that plays properly, unless its subclass knows better; it never ends."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self.on_exit: Callable[[], None] = lambda: None
        """To be called when it ends, as a process."""

    def launch(self, socket: Path, on_exit: Callable[[], None]) -> Actor:
        """Begin to talk; as a process, it is this object."""
        self.on_exit = on_exit
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
        await call.write(GOOD_HELLO.SerializeToString())
        while True:
            heard = await call.read()
            if heard is grpc.aio.EOF:
                return
            await self.answer(call, FromReferee.FromString(heard))

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer all that a message asks."""
        if message.requests:
            await call.write(good_answer(*message.requests).SerializeToString())

    def printed(self) -> bytes:
        """It prints nothing."""
        return b""

    def is_ending(self) -> bool:
        """It never ends."""
        return False

    def how_it_ended(self) -> str:
        """It has no end of its own."""
        return "is still running"

    def over_limit(self) -> str | None:
        """It has no limits."""
        return None

    def lost(self) -> str | None:
        """It needs nothing."""
        return None

    def cpu_s(self) -> float:
        """It uses no processor time."""
        return 0.0

    def waited_s(self) -> float | None:
        """Nobody looks."""
        return None

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
