"""A bot that writes HTTP/2 frames itself, byte by byte if it must."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import hpack

from arena.wire import http2
from arena.wire.envelope import METHOD, SERVICE

REQUEST: dict[bytes | str, bytes | str] = {
    ":method": "POST",
    ":scheme": "http",
    ":path": f"/{SERVICE}/{METHOD}",
    ":authority": "localhost",
    "te": "trailers",
    "content-type": "application/grpc",
}


class Frame(NamedTuple):
    """A frame from the referee."""

    kind: int
    flags: int
    stream: int
    payload: bytes


def message(content: bytes) -> bytes:
    """Encode a message with its gRPC prefix."""
    return http2.PREFIX.pack(0, len(content)) + content


def data(payload: bytes, flags: int = 0, stream: int = 1) -> bytes:
    """Encode a frame of data."""
    return http2.frame(http2.DATA, flags, stream, payload)


def headers() -> bytes:
    """Encode the headers of a call, with Huffman coding."""
    return hpack.Encoder().encode(REQUEST)


def opening() -> bytes:
    """Encode everything up to the first message."""
    settings = http2.frame(http2.SETTINGS, 0, 0)
    return http2.PREFACE + settings + call(headers())


def call(block: bytes, *, stream: int = 1) -> bytes:
    """Encode the headers of a call as a frame."""
    return http2.frame(http2.HEADERS, http2.END_HEADERS, stream, block)


class RawBot:
    """The bot's end of a socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Use a connection."""
        self._reader, self._writer = reader, writer

    async def send(self, sent: bytes, step: int = 1 << 20) -> None:
        """Send bytes, in pieces of a size; it is not an error if the referee has closed."""
        for at in range(0, len(sent), step):
            try:
                self._writer.write(sent[at : at + step])
                await self._writer.drain()
            except ConnectionError:
                return
            if step < len(sent):
                # Let the referee read the piece.
                await asyncio.sleep(0)
                await asyncio.sleep(0)

    async def take(self) -> Frame | None:
        """Read a frame; None if the referee has closed the connection."""
        try:
            head = await self._reader.readexactly(http2.HEAD.size)
            high, low, kind, flags, stream = http2.HEAD.unpack(head)
            payload = await self._reader.readexactly(high << 8 | low)
        except (asyncio.IncompleteReadError, ConnectionError):
            return None
        return Frame(kind, flags, stream, payload)

    async def take_kind(self, kind: int, stream: int | None = None) -> Frame:
        """Read frames until one has this type, and if given this stream."""
        while (found := await self.take()) is not None:
            if found.kind == kind and stream in (None, found.stream):
                return found
        raise AssertionError(f"the connection was closed before a frame of type {kind}")

    async def take_rest(self) -> list[Frame]:
        """Read all frames until the referee closes the connection."""
        frames = []
        while (found := await self.take()) is not None:
            frames.append(found)
        return frames

    def end(self) -> None:
        """Close the connection."""
        self._writer.close()


@asynccontextmanager
async def connect(socket: Path) -> AsyncIterator[RawBot]:
    """Connect to the referee."""
    bot = RawBot(*await asyncio.open_unix_connection(socket))
    try:
        yield bot
    finally:
        bot.end()
