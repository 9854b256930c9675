"""The connection to one bot with grpcio's server: the fallback, and the reference."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import grpc

from arena.referee.players.connection import HARD_LIMIT, ONE_CALL, Connection
from arena.wire.envelope import METHOD, SERVICE

_OPTIONS = (
    ("grpc.max_receive_message_length", HARD_LIMIT),
    ("grpc.max_send_message_length", -1),
    ("grpc.max_concurrent_streams", 2),
    # Only messages that are not compressed.
    ("grpc.compression_enabled_algorithms_bitset", 1),
)

# grpc is not typed: contexts and servers are Any.


class GrpcioConnection(Connection):
    """A connection served by `grpc.aio`, with its threads."""

    def __init__(self, socket: Path, on_close: Callable[[], None]) -> None:
        """Listen on `socket`; call `on_close` when the call ends."""
        super().__init__(socket, on_close)
        self._context: Any = None
        self._over = asyncio.Event()
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
            raise self._cannot_listen() from None
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
        if self._context is not None:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, ONE_CALL)
        self._context = context
        self._called.set_result(None)
        try:
            # gRPC cancels this when the bot or the server ends.
            await self._over.wait()
        finally:
            self._end_call()

    async def receive(self) -> bytes | None:
        """Wait for the next message; None if the bot has closed the call."""
        received = await self._context.read()
        return None if received is grpc.aio.EOF else received

    async def send(self, message: bytes) -> bool:
        """Send a message; return False if the bot has closed the call."""
        if self.is_closed:
            return False
        try:
            await self._context.write(message)
        except grpc.aio.BaseError:
            return False
        return True
