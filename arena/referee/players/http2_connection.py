"""One HTTP/2 connection of a bot: its frames, and how many of them it may send.

A bot may send anything. Whatever breaks HTTP/2 closes the connection, and so do frames without
messages, once there are too many of them: what a bot can cost the referee is bounded.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Mapping
from socket import socket as Socket
from typing import NamedTuple, Protocol

from hpack import Decoder, HPACKError

from arena.errors import ArenaError
from arena.wire import http2

_BUFFER_BYTES = http2.HEAD.size + http2.DEFAULT_FRAME
"""Bytes read at once: the largest frame."""
_PING_BYTES = 8
_HEADER_BYTES = 8 << 10
"""Limit of a call's headers, before and after they are decompressed."""
_ALLOWANCE = 1 << 17
"""How much a bot may cost the referee before its next message, in bytes."""
_ALLOWANCE_S = 10.0
"""After this time the allowance is renewed even without a message, for example for pings."""
_FRAME_COST = 128
"""The cost of a frame, or of reading the socket, before its content counts."""
_HEADER_COST = 4
"""The cost of a byte of headers."""
_ACKNOWLEDGE_BYTES = 1 << 30
"""Received bytes after which the connection's window is extended."""
_OPENING = (
    http2.settings_frame(
        {http2.MAX_CONCURRENT_STREAMS: 2, http2.MAX_HEADER_LIST_SIZE: _HEADER_BYTES}
    )
    # Only the window of the call limits what a bot may send.
    + http2.window_update(0, http2.LARGEST_WINDOW - http2.DEFAULT_WINDOW)
)
_ANSWER = b"\x88" + http2.CONTENT_TYPE + http2.literal(b"grpc-accept-encoding", b"identity")
"""The headers of an answer: `:status` 200, and that messages must not be compressed."""
_MESSAGE_HEAD = struct.Struct(">HBBBLBL")
"""A frame header and a message prefix."""
_NO_ERROR, _PROTOCOL_ERROR, _FLOW_CONTROL_ERROR, _FRAME_SIZE_ERROR = 0, 1, 3, 6
_COMPRESSION_ERROR, _ENHANCE_YOUR_CALM = 9, 11


class Http2Error(ArenaError):
    """The bot broke HTTP/2 or exceeded a limit, so its connection is closed."""

    def __init__(self, code: int, reason: str) -> None:
        """Remember the error code that the bot is sent."""
        super().__init__(reason)
        self.code = code


class Status(NamedTuple):
    """How a call ends: a status code of gRPC, and a sentence for the bot."""

    code: int
    sentence: str = ""


class CallHandler(Protocol):
    """What handles the one call, whichever connection it comes from."""

    def accept(self, connection: Http2Connection, headers: Mapping[bytes, bytes]) -> Status | None:
        """Take a call, or return why it is refused."""

    def take_data(self, data: memoryview, size: int) -> None:
        """Take a piece of a message, which used up `size` bytes of the call's window."""

    def end_input(self) -> None:
        """Note that the bot sends no more messages."""

    def lose_call(self) -> None:
        """Note that the call is over."""

    def send_more(self) -> None:
        """Continue to send: there may be space again."""


class Http2Connection:
    """The server's end of one connection; it is open until `close` is called."""

    def __init__(self, socket: Socket, handler: CallHandler) -> None:
        """Read from a socket that does not block."""
        self._socket = socket
        self._handler = handler
        self._loop = asyncio.get_running_loop()
        self._view = memoryview(bytearray(_BUFFER_BYTES))
        self._filled = 0
        """Number of bytes in the buffer that are not yet a complete frame."""
        self._unwritten = bytearray()
        """Bytes that the socket does not accept yet."""
        self._is_broken = False
        """Whether the bot no longer reads; what it has sent before is still read."""
        self._has_preface = False
        self._is_closed = False
        self._decoder = Decoder(max_header_list_size=_HEADER_BYTES)
        self._headers = bytearray()
        self._headers_of = 0
        """The stream whose headers are incomplete, 0 if there is none."""
        self._headers_flags = 0
        self._last_stream = 0
        self._stream = 0
        """The stream of the call, 0 if there is none on this connection."""
        self._has_input = False
        """Whether the bot may still send messages."""
        self._stream_window = self._connection_window = http2.DEFAULT_WINDOW
        """Bytes that may still be sent."""
        self._initial_window = http2.DEFAULT_WINDOW
        self._frame_limit = http2.DEFAULT_FRAME
        self._unacknowledged = 0
        """Bytes received since the connection's window was last extended."""
        self._allowance = _ALLOWANCE
        self._renewal = 0.0
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
        self._lose_call()

    def renew_allowance(self) -> None:
        """Note that the bot has sent a message that was wanted."""
        self._allowance = _ALLOWANCE

    def extend_window(self, size: int) -> None:
        """Let the bot send more."""
        self._write(http2.window_update(self._stream, size))

    def send_message(self, message: bytes) -> bool:
        """Send a whole message; return False, and send nothing, if a window is too small."""
        size = http2.PREFIX.size + len(message)
        if size > self._sendable():
            return False
        self._use_window(size)
        head = _MESSAGE_HEAD.pack(
            size >> 8, size & 0xFF, http2.DATA, 0, self._stream, 0, len(message)
        )
        self._write(head + message)
        return True

    def send_part(self, unsent: bytearray) -> bool:
        """Send as much as one frame may hold, and remove it; return False if that is nothing."""
        size = min(len(unsent), self._sendable())
        if size <= 0 or self._unwritten:
            return False
        self._use_window(size)
        self._write(http2.frame(http2.DATA, 0, self._stream, bytes(unsent[:size])))
        del unsent[:size]
        return True

    def finish(self, status: Status) -> None:
        """End the call; messages that were sent still arrive."""
        flags = http2.END_HEADERS | http2.END_STREAM
        self._write(http2.frame(http2.HEADERS, flags, self._stream, _trailers(status)))
        if self._has_input:
            self._reset(self._stream)
            self._has_input = False

    def _sendable(self) -> int:
        return min(self._stream_window, self._connection_window, self._frame_limit)

    def _use_window(self, size: int) -> None:
        self._stream_window -= size
        self._connection_window -= size
        # The bot may extend its windows, little by little.
        self._allowance += size

    def _reset(self, stream: int) -> None:
        """Tell the bot to send nothing more on a stream."""
        self._write(http2.frame(http2.RST_STREAM, 0, stream, http2.UINT32.pack(_NO_ERROR)))

    def _lose_call(self) -> None:
        if self._stream:
            self._has_input = False
            self._handler.lose_call()

    def _write(self, data: bytes) -> None:
        if self._is_closed or self._is_broken:
            return
        if self._unwritten:
            self._unwritten += data
            return
        sent = self._send(data)
        if sent < len(data):
            self._unwritten += data[sent:]
            self._loop.add_writer(self._socket, self._write_more)

    def _write_more(self) -> None:
        del self._unwritten[: self._send(self._unwritten)]
        if not self._unwritten:
            self._loop.remove_writer(self._socket)
            if self._stream:
                self._handler.send_more()

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
        try:
            self._spend(_FRAME_COST)
            self._take_bytes(self._filled + size)
        except Http2Error as error:
            self._fail(error)
        except struct.error:
            self._fail(Http2Error(_FRAME_SIZE_ERROR, "a frame has the wrong size"))

    def _fail(self, error: Http2Error) -> None:
        """Tell the bot what it did, and close the connection."""
        details = http2.UINT32.pack(self._last_stream) + http2.UINT32.pack(error.code)
        self._write(http2.frame(http2.GOAWAY, 0, 0, details + str(error).encode()))
        self.close()

    def _take_bytes(self, end: int) -> None:
        """Handle the complete frames in the buffer, and keep the rest."""
        at = 0 if self._has_preface else self._take_preface(end)
        view, head = self._view, http2.HEAD
        while end - at >= head.size:
            high, low, kind, flags, stream = head.unpack_from(view, at)
            size = high << 8 | low
            if size > http2.DEFAULT_FRAME:
                raise Http2Error(_FRAME_SIZE_ERROR, "a frame is too large")
            start, stop = at + head.size, at + head.size + size
            if stop > end:
                break
            self._handle(kind, flags, stream & http2.STREAM_BITS, view[start:stop])
            at = stop
        self._filled = end - at
        if at and self._filled:
            view[: self._filled] = view[at:end]

    def _take_preface(self, end: int) -> int:
        size = len(http2.PREFACE)
        if bytes(self._view[: min(end, size)]) != http2.PREFACE[:end]:
            raise Http2Error(_PROTOCOL_ERROR, "this is not HTTP/2")
        if end < size:
            return 0
        self._has_preface = True
        self._write(_OPENING)
        return size

    def _spend(self, cost: int) -> None:
        self._allowance -= cost
        if self._allowance < 0:
            now = self._loop.time()
            if now < self._renewal:
                raise Http2Error(_ENHANCE_YOUR_CALM, "too many frames without a message")
            self._renewal = now + _ALLOWANCE_S
            self._allowance = _ALLOWANCE

    def _handle(self, kind: int, flags: int, stream: int, payload: memoryview) -> None:
        if self._headers_of and (kind, stream) != (http2.CONTINUATION, self._headers_of):
            raise Http2Error(_PROTOCOL_ERROR, "headers are interrupted")
        if kind == http2.DATA:
            self._take_data(flags, stream, payload)
            return
        self._spend(_FRAME_COST + len(payload))
        if kind in (http2.HEADERS, http2.CONTINUATION):
            self._take_headers(kind, flags, stream, payload)
        elif kind == http2.WINDOW_UPDATE:
            self._extend_send_window(stream, *http2.UINT32.unpack(payload))
        elif kind == http2.RST_STREAM:
            http2.UINT32.unpack(payload)
            if stream == self._stream:
                self._lose_call()
        elif stream == 0:
            self._handle_connection_frame(kind, flags, payload)
        # Nothing else concerns a server: other frames are ignored.

    def _handle_connection_frame(self, kind: int, flags: int, payload: memoryview) -> None:
        if kind == http2.SETTINGS and not flags & http2.ACK:
            for name, value in http2.SETTING.iter_unpack(payload):
                self._apply_setting(name, value)
            self._write(http2.frame(http2.SETTINGS, http2.ACK, 0))
            self._send_more()
        elif kind == http2.PING and not flags & http2.ACK:
            if len(payload) != _PING_BYTES:
                raise Http2Error(_FRAME_SIZE_ERROR, "a ping has eight bytes")
            self._write(http2.frame(http2.PING, http2.ACK, 0, bytes(payload)))

    def _take_data(self, flags: int, stream: int, payload: memoryview) -> None:
        size = len(payload)
        self._unacknowledged += size
        if self._unacknowledged >= _ACKNOWLEDGE_BYTES:
            self._write(http2.window_update(0, self._unacknowledged))
            self._unacknowledged = 0
        if stream != self._stream or not self._has_input:
            # A call that was refused, or is over.
            self._spend(_FRAME_COST + size)
            if not 0 < stream <= self._last_stream:
                raise Http2Error(_PROTOCOL_ERROR, "data without a call")
            return
        data = _unpadded(payload, flags)
        # Padding and small pieces cost more than they bring.
        self._spend(_FRAME_COST - len(data))
        self._handler.take_data(data, size)
        if flags & http2.END_STREAM:
            self._end_input()

    def _end_input(self) -> None:
        if self._has_input:
            self._has_input = False
            self._handler.end_input()

    def _take_headers(self, kind: int, flags: int, stream: int, payload: memoryview) -> None:
        self._spend(_HEADER_COST * len(payload))
        if kind == http2.HEADERS:
            if not stream % 2:
                raise Http2Error(_PROTOCOL_ERROR, "clients have odd streams")
            self._headers_of, self._headers_flags = stream, flags
            payload = _unpadded(payload, flags)
            payload = payload[5 if flags & http2.HAS_PRIORITY else 0 :]
        elif not self._headers_of:
            raise Http2Error(_PROTOCOL_ERROR, "nothing is continued")
        self._headers += payload
        if len(self._headers) > _HEADER_BYTES:
            raise Http2Error(_ENHANCE_YOUR_CALM, "the headers are too long")
        if flags & http2.END_HEADERS:
            self._end_headers()

    def _end_headers(self) -> None:
        """Handle complete headers: those that open a call, or that end one."""
        try:
            # All headers must be decoded, because later ones refer to them.
            headers = dict(self._decoder.decode(bytes(self._headers), raw=True))
        except HPACKError:
            raise Http2Error(_COMPRESSION_ERROR, "the headers cannot be decoded") from None
        stream, self._headers_of = self._headers_of, 0
        self._headers.clear()
        is_last = bool(self._headers_flags & http2.END_STREAM)
        if stream > self._last_stream:
            self._last_stream = stream
            self._open_call(stream, headers, is_last=is_last)
        elif stream == self._stream and is_last:
            self._end_input()

    def _open_call(self, stream: int, headers: Mapping[bytes, bytes], *, is_last: bool) -> None:
        refusal = self._handler.accept(self, headers)
        if refusal:
            flags = http2.END_HEADERS | http2.END_STREAM
            self._write(http2.frame(http2.HEADERS, flags, stream, _ANSWER + _trailers(refusal)))
            if not is_last:
                self._reset(stream)
            return
        self._stream, self._has_input = stream, True
        self._stream_window = self._initial_window
        self._write(http2.frame(http2.HEADERS, http2.END_HEADERS, stream, _ANSWER))
        if is_last:
            self._end_input()

    def _apply_setting(self, name: int, value: int) -> None:
        if name == http2.INITIAL_WINDOW_SIZE:
            self._stream_window += value - self._initial_window
            self._initial_window = value
            if max(value, self._stream_window) > http2.LARGEST_WINDOW:
                raise Http2Error(_FLOW_CONTROL_ERROR, "a window is too large")
        elif name == http2.MAX_FRAME_SIZE:
            if not http2.DEFAULT_FRAME <= value <= http2.LARGEST_FRAME:
                raise Http2Error(_PROTOCOL_ERROR, "no such frame size is allowed")
            self._frame_limit = value

    def _extend_send_window(self, stream: int, size: int) -> None:
        size &= http2.STREAM_BITS
        if stream == 0:
            self._connection_window += size
        elif stream == self._stream:
            self._stream_window += size
        if max(self._connection_window, self._stream_window) > http2.LARGEST_WINDOW:
            raise Http2Error(_FLOW_CONTROL_ERROR, "a window is too large")
        self._send_more()

    def _send_more(self) -> None:
        if self._stream:
            self._handler.send_more()


def _unpadded(payload: memoryview, flags: int) -> memoryview:
    if not flags & http2.PADDED:
        return payload
    if not payload or payload[0] >= len(payload):
        raise Http2Error(_PROTOCOL_ERROR, "the padding is longer than the frame")
    return payload[1 : len(payload) - payload[0]]


def _trailers(status: Status) -> bytes:
    code = http2.literal(b"grpc-status", str(status.code).encode())
    return code + http2.literal(b"grpc-message", status.sentence.encode())
