"""The client of a bare gRPC stream: it returns every message."""

from __future__ import annotations

import asyncio
import os

import grpc


async def main() -> None:
    """Echo until the server ends the call."""
    channel = grpc.aio.insecure_channel(f"unix:{os.environ['ARENA_SOCKET']}")
    call = channel.stream_stream("/arena.wire.v1.Arena/Play")()
    await call.write(b"hello")
    while (message := await call.read()) is not grpc.aio.EOF:
        await call.write(message)


if __name__ == "__main__":
    asyncio.run(main())
    os._exit(0)
