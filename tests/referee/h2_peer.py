"""Another implementation of HTTP/2, h2, as a client and as a judge of frames."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes

from arena.wire import http2
from tests.referee.raw_bot import REQUEST, message


class H2Bot:
    """A bot that makes its call with h2, which raises an error if the referee breaks HTTP/2."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Use a connection."""
        self._reader, self._writer = reader, writer
        self._received = b""
        self.h2 = H2Connection(H2Configuration(header_encoding=None))

    async def call(self, *, window: int) -> None:
        """Make the call; the referee may send `window` bytes at first."""
        self.h2.initiate_connection()
        self.h2.update_settings({SettingCodes.INITIAL_WINDOW_SIZE: window})
        self.h2.send_headers(1, list(REQUEST.items()))
        await self._flush()

    async def send(self, content: bytes, *, piece: int, padding: int | None) -> None:
        """Send a message in pieces, as far as the windows allow."""
        left = message(content)
        while left:
            window = min(self.h2.local_flow_control_window(1), self.h2.max_outbound_frame_size)
            if padding is not None and window <= padding + 1:
                # The referee allows what the message needs, and not more.
                padding = None
            overhead = 0 if padding is None else padding + 1
            size = min(len(left), piece, window - overhead)
            if size <= 0:
                await self._take()
                continue
            self.h2.send_data(1, left[:size], pad_length=padding)
            left = left[size:]
            await self._flush()

    async def receive(self) -> bytes:
        """Wait for a message."""
        while True:
            if len(self._received) >= http2.PREFIX.size:
                end = http2.PREFIX.size + http2.PREFIX.unpack_from(self._received)[1]
                if len(self._received) >= end:
                    found, self._received = self._received[:end], self._received[end:]
                    return found[http2.PREFIX.size :]
            await self._take()

    async def _take(self) -> None:
        received = await self._reader.read(1 << 16)
        assert received, "the referee has closed the connection"
        for event in self.h2.receive_data(received):
            if isinstance(event, DataReceived):
                self._received += event.data
                self.h2.acknowledge_received_data(event.flow_controlled_length, 1)
        await self._flush()

    async def _flush(self) -> None:
        self._writer.write(self.h2.data_to_send())
        await self._writer.drain()


@asynccontextmanager
async def h2_bot(socket: Path) -> AsyncIterator[H2Bot]:
    """Connect to the referee with h2."""
    reader, writer = await asyncio.open_unix_connection(socket)
    try:
        yield H2Bot(reader, writer)
    finally:
        writer.close()


def h2_refuses(sent: bytes) -> bool:
    """Return whether h2 refuses the bytes of a client, as a server that answers nothing."""
    server = H2Connection(H2Configuration(client_side=False, header_encoding=None))
    server.initiate_connection()
    server.clear_outbound_data_buffer()
    try:
        server.receive_data(sent)
    except ProtocolError:
        return True
    # It resets a stream that the client has closed, instead of closing the connection.
    return any(frame[3] == http2.RST_STREAM for frame in _frames(server.data_to_send()))


def _frames(sent: bytes) -> list[bytes]:
    found = []
    while sent:
        end = http2.HEAD.size + int.from_bytes(sent[:3])
        found.append(sent[:end])
        sent = sent[end:]
    return found
