"""How does one bot's call come in?

A server that listens on one socket and takes one call. Everything said is bytes here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import grpc

from arena.errors import PlatformError
from arena.wire.messages import METHOD, SERVICE

_HARD_LIMIT = 4 << 20
"""A message above this is not even read: gRPC ends the call, and tells the bot why."""
_OPTIONS = (
    ("grpc.max_receive_message_length", _HARD_LIMIT),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_concurrent_streams", 2),
)

# grpc has no types of its own: contexts and servers are Any.


class Line:
    """The line to one bot; an async context manager that listens while it is open."""

    def __init__(self, socket: Path, on_close: Callable[[], None]) -> None:
        """Say where to listen, out of everybody else's reach, and whom to tell of the end."""
        self.socket = socket
        self._on_close = on_close
        self._call: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._over = asyncio.Event()
        self.is_closed = False
        """Whether the call is at its end."""
        self._server = grpc.aio.server(options=_OPTIONS, maximum_concurrent_rpcs=4)
        handler = grpc.stream_stream_rpc_method_handler(self._take_call)
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler(SERVICE, {METHOD: handler}),)
        )

    async def __aenter__(self) -> Self:
        """Begin to listen."""
        try:
            self._server.add_insecure_port(f"unix:{self.socket}")
        except RuntimeError:
            # gRPC does not say why.
            raise PlatformError(
                f"no socket can be made in {self.socket.parent.parent}: is the disk full?"
            ) from None
        await self._server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Hang up and stop listening."""
        # A call that is merely cancelled, as the loop ends, is an error that gRPC logs.
        self.hang_up()
        await self._server.stop(None)

    def hang_up(self) -> None:
        """End the call when all that was said is sent."""
        self._over.set()

    async def _take_call(self, _: object, context: Any) -> None:
        if self._call.done():
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "a bot has one call")
        self._call.set_result(context)
        try:
            # gRPC cancels this when the bot is gone, or the server is.
            await self._over.wait()
        finally:
            self.is_closed = True
            self._on_close()

    async def first_message(self, ended: asyncio.Event) -> bytes | None:
        """Wait for the call and what is said first; None if the bot ended before that."""
        ending = asyncio.create_task(ended.wait())
        try:
            await asyncio.wait((self._call, ending), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ending.cancel()
        if not self._call.done():
            return None
        return await self.hear()

    async def hear(self) -> bytes | None:
        """Wait for the next message; None if the bot has hung up."""
        heard = await self._call.result().read()
        return None if heard is grpc.aio.EOF else heard

    async def say(self, message: bytes) -> bool:
        """Send a message; False if the bot has hung up."""
        if self.is_closed:
            return False
        try:
            await self._call.result().write(message)
        except grpc.aio.BaseError:
            return False
        return True
