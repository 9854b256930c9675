"""The connection to one bot: a server that listens on one socket and accepts one call.

Messages are plain bytes here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import grpc

from arena.errors import PlatformError
from arena.wire.envelope import METHOD, SERVICE

_HARD_LIMIT = 4 << 20
"""Larger messages are not read: gRPC ends the call and reports the reason to the bot."""
_OPTIONS = (
    ("grpc.max_receive_message_length", _HARD_LIMIT),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_concurrent_streams", 2),
)

# grpc is not typed: contexts and servers are Any.


class Connection:
    """An async context manager that listens while it is open."""

    def __init__(self, socket: Path, on_close: Callable[[], None]) -> None:
        """Listen on `socket`, which no other bot may reach; call `on_close` when the call ends."""
        self.socket = socket
        self._on_close = on_close
        self._call: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._over = asyncio.Event()
        self.is_closed = False
        """Whether the call has ended."""
        self._server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=4)
        handler = grpc.stream_stream_rpc_method_handler(self._take_call)
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, {METHOD: handler}),)
        )

    async def __aenter__(self) -> Self:
        """Start listening."""
        try:
            self._server.add_insecure_port(f"unix:{self.socket}")
        except RuntimeError:
            # gRPC does not say why.
            raise PlatformError(
                f"cannot create a socket in {self.socket.parent.parent}: is the disk full?"
            ) from None
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """End the call and stop listening."""
        # gRPC logs an error for a call that is cancelled when the loop ends.
        self.close()
        await self._server.stop(None)

    def close(self) -> None:
        """End the call once all messages are sent."""
        self._over.set()

    async def _take_call(self, _: object, context: Any) -> None:
        if self._call.done():
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "a bot may make only one call")
        self._call.set_result(context)
        try:
            # gRPC cancels this when the bot or the server ends.
            await self._over.wait()
        finally:
            self.is_closed = True
            self._on_close()

    async def first_message(self, ended: asyncio.Event) -> bytes | None:
        """Wait for the call and its first message; None if the bot ended before that."""
        ending = asyncio.create_task(ended.wait())
        try:
            await asyncio.wait((self._call, ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending.cancel()
        if not self._call.done():
            return None
        return await self.receive()

    async def receive(self) -> bytes | None:
        """Wait for the next message; None if the bot has closed the call."""
        received = await self._call.result().read()
        return None if received is grpc.aio.EOF else received

    async def send(self, message: bytes) -> bool:
        """Send a message; return False if the bot has closed the call."""
        if self.is_closed:
            return False
        try:
            await self._call.result().write(message)
        except grpc.aio.BaseError:
            return False
        return True
