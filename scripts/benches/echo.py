"""The far end of a bare gRPC stream: whatever it hears, it says again."""

from __future__ import annotations

import asyncio
import os

import grpc


async def main() -> None:
    """Echo until the other side hangs up."""
    channel = grpc.aio.insecure_channel(f"unix:{os.environ['ARENA_SOCKET']}")
    call = channel.stream_stream("/arena.wire.v1.Arena/Play")()
    await call.write(b"hello")
    while (heard := await call.read()) is not grpc.aio.EOF:
        await call.write(heard)


if __name__ == "__main__":
    asyncio.run(main())
    os._exit(0)
