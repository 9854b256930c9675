"""The frames of one HTTP/2 connection of a bot: reading and writing them, and a limit.

A bot may send anything. Whatever breaks HTTP/2 closes the connection, and so do frames without
messages, once there are too many of them. So what a bot can cost the referee is bounded.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from socket import socket as Socket
from typing import TYPE_CHECKING

from arena.referee.players.http2_rules import Http2Error
from arena.wire import http2

if TYPE_CHECKING:
    from arena.referee.players.own_connection import OwnConnection

_BUFFER_BYTES = http2.HEAD.size + http2.DEFAULT_FRAME
"""Bytes read at once: the largest frame."""
_ALLOWANCE = 1 << 17
"""How much a bot may cost the referee before its next message, in bytes."""
_ALLOWANCE_S = 10.0
"""After this time the allowance is renewed even without a message, for example for pings."""
FRAME_COST = 128
"""The cost of a frame, or of reading the socket, before its content counts."""


class FrameSocket(ABC):
    """A socket that reads and writes frames without blocking, until `close` is called."""

    def __init__(self, socket: Socket, handler: OwnConnection) -> None:
        """Read from a socket that does not block; `handler` handles its call."""
        self._socket = socket
        self._handler = handler
        self._loop = asyncio.get_running_loop()
        self._view = memoryview(bytearray(_BUFFER_BYTES))
        self._filled = 0
        """Number of bytes in the buffer that are not yet a complete frame."""
        self._unwritten = bytearray()
        """Bytes that the socket does not accept yet."""
        self._is_reading = False
        self._is_broken = False
        """Whether the bot no longer reads; what it has sent before is still read."""
        self._has_preface = False
        self._is_closed = False
        self._last_stream = 0
        """The last stream that the bot has opened."""
        self._allowance = _ALLOWANCE
        self._renewal = self._loop.time() + _ALLOWANCE_S
        """When the allowance may be renewed."""
        self._loop.add_reader(socket, self._read)

    @property
    def is_full(self) -> bool:
        """Whether the socket accepts no more for now."""
        return bool(self._unwritten)

    def close(self) -> None:
        """Close the connection at once."""
        if self._is_closed:
            return
        self._is_closed = True
        self._loop.remove_reader(self._socket)
        self._loop.remove_writer(self._socket)
        self._socket.close()
        self._on_close()

    def renew_allowance(self) -> None:
        """Note that the bot has sent a message that was wanted."""
        self._allowance = _ALLOWANCE

    @abstractmethod
    def _handle(self, kind: int, flags: int, stream: int, payload: memoryview) -> None:
        """Handle a frame; the payload is only valid meanwhile."""

    @abstractmethod
    def _on_writable(self) -> None:
        """Continue to send: there may be space again."""

    @abstractmethod
    def _on_close(self) -> None:
        """Note that the connection, or the call on it, has ended."""

    def _write(self, data: bytes) -> None:
        if self._is_closed or self._is_broken:
            return
        if self._unwritten or self._is_reading:
            self._unwritten += data
            return
        sent = self._send(data)
        if sent < len(data):
            self._unwritten += data[sent:]
            self._loop.add_writer(self._socket, self._write_more)

    def _write_more(self) -> None:
        """Write what is left; what the socket does not accept is written later."""
        del self._unwritten[: self._send(self._unwritten)]
        if self._unwritten:
            self._loop.add_writer(self._socket, self._write_more)
            return
        self._loop.remove_writer(self._socket)
        self._on_writable()

    def _send(self, data: bytes | bytearray) -> int:
        try:
            return self._socket.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError:
            # Reading from the socket will show its end.
            self._is_broken = True
            return len(data)

    def _read(self) -> None:
        try:
            size = self._socket.recv_into(self._view[self._filled :])
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            size = 0
        if not size:
            self.close()
            return
        # All answers to what was read are written at once.
        self._is_reading = True
        try:
            self._spend(FRAME_COST)
            self._take_bytes(self._filled + size)
        except Http2Error as error:
            self._fail(error)
        except Exception as error:
            # The event loop would only log it, and read on in the middle of a frame.
            self._handler.note_failure(error)
            self.close()
        finally:
            self._is_reading = False
        if self._unwritten and not self._is_closed:
            self._write_more()

    def _fail(self, error: Http2Error) -> None:
        """Tell the bot what it did, and close the connection."""
        self._handler.note_violation(self, str(error))
        details = http2.UINT32.pack(self._last_stream) + http2.UINT32.pack(error.code)
        self._write(http2.frame(http2.GOAWAY, 0, 0, details + str(error).encode()))
        self._send(self._unwritten)
        self.close()

    def _take_bytes(self, end: int) -> None:
        """Handle the complete frames in the buffer, and keep the rest."""
        at = 0 if self._has_preface else self._take_preface(end)
        view, head = self._view, http2.HEAD
        while end - at >= head.size and self._has_preface:
            high, low, kind, flags, stream = head.unpack_from(view, at)
            size = high << 8 | low
            if size > http2.DEFAULT_FRAME:
                raise Http2Error(http2.FRAME_SIZE_ERROR, "a frame is too large")
            start, stop = at + head.size, at + head.size + size
            if stop > end:
                break
            self._handle(kind, flags, stream & http2.STREAM_BITS, view[start:stop])
            at = stop
        self._filled = end - at
        if at and self._filled:
            view[: self._filled] = view[at:end]

    def _take_preface(self, end: int) -> int:
        """Take the preface, once the header of the first frame is there as well."""
        size = len(http2.PREFACE)
        if bytes(self._view[: min(end, size)]) != http2.PREFACE[:end]:
            raise Http2Error(http2.PROTOCOL_ERROR, "this is not HTTP/2")
        if end < size + http2.HEAD.size:
            return 0
        _, _, kind, flags, _ = http2.HEAD.unpack_from(self._view, size)
        if kind != http2.SETTINGS or flags & http2.ACK:
            raise Http2Error(http2.PROTOCOL_ERROR, "its first frame is not SETTINGS")
        self._has_preface = True
        return size

    def _spend(self, cost: int) -> None:
        self._allowance -= cost
        if self._allowance < 0:
            now = self._loop.time()
            if now < self._renewal:
                raise Http2Error(http2.ENHANCE_YOUR_CALM, "too many frames without a message")
            self._renewal = now + _ALLOWANCE_S
            self._allowance = _ALLOWANCE
