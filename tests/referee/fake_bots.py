"""Fake bots: they run in this process, use the real socket, and stand in for a process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from arena.sandbox.bot_process import Process
from arena.wire.v1.match_pb2 import Decision, Decisions, FromBot, FromReferee, Hello

GOOD_HELLO = FromBot(hello=Hello(protocol=1, games=["meow"], wants_legal_actions=True))


def good_answer(*requests: Any) -> FromBot:
    """Answer requests with their first legal actions."""
    decisions = [
        Decision(match=asked.match, number=asked.number, action=asked.legal_actions[0])
        for asked in requests
    ]
    return FromBot(decisions=Decisions(decisions=decisions))


class FakeBot(Process):
    """A bot that plays properly unless a subclass changes that; it ends after Goodbye."""

    def __init__(self) -> None:
        self._tasks: list[asyncio.Task[None]] = []
        self.on_exit: Callable[[], None] = lambda: None
        """Called when it ends, as for a process."""

    def launch(self, socket: Path, on_exit: Callable[[], None]) -> FakeBot:
        """Connect to the socket; this object takes the role of the process."""
        self.on_exit = on_exit
        self._tasks.append(asyncio.create_task(self._connect(socket)))
        return self

    async def _connect(self, socket: Path) -> None:
        async with grpc.aio.insecure_channel(f"unix:{socket}") as channel:
            call = channel.stream_stream("/arena.wire.v1.Arena/Play")()
            try:
                await self.converse(call)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.BaseError):
                return

    async def converse(self, call: Any) -> None:
        """Send and receive all messages."""
        await call.write(GOOD_HELLO.SerializeToString())
        while True:
            data = await call.read()
            if data is grpc.aio.EOF:
                return
            message = FromReferee.FromString(data)
            await self.answer(call, message)
            self.end_after_goodbye(message)

    def end_after_goodbye(self, message: FromReferee) -> None:
        """End if this is the last message, so that the referee need not wait."""
        if message.HasField("goodbye"):
            self.on_exit()

    async def answer(self, call: Any, message: FromReferee) -> None:
        """Answer all requests of a message."""
        if message.requests:
            await call.write(good_answer(*message.requests).SerializeToString())

    def is_ending(self) -> bool:
        """Return False: it never ends."""
        return False

    def describe_exit(self) -> str:
        """Return a placeholder: it never ends."""
        return "is still running"

    def kill(self) -> None:
        """Close the connection."""
        for task in self._tasks:
            task.cancel()
