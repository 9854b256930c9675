"""One HTTP/2 connection of a bot: what its frames mean."""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Mapping
from socket import socket as Socket
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from hpack import Decoder, HPACKError

from arena.referee.players.frame_socket import FRAME_COST, FrameSocket
from arena.referee.players.http2_rules import (
    Http2Error,
    check_frame,
    check_setting,
    check_trailers,
    checked_request,
    unpadded,
    without_priority,
)
from arena.wire import http2

if TYPE_CHECKING:
    from arena.referee.players.own_connection import OwnConnection

_HEADER_BYTES = 8 << 10
"""Limit of a call's headers, before and after they are decompressed."""
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
_REMEMBERED_RESETS = 16
"""A bot that keeps to two streams may still send on one or two that were reset."""
_PLAIN = "".join(map(chr, range(0x20, 0x7F))).replace("%", "")
"""The characters that `grpc-message` may contain as they are."""
_MESSAGE_HEAD = struct.Struct(">HBBBLBL")
"""A frame header and a message prefix."""


class Status(NamedTuple):
    """How a call ends: a status code of gRPC, and a sentence for the bot."""

    code: int
    sentence: str = ""


class Http2Connection(FrameSocket):
    """The server's end of one connection; it is open until `close` is called."""

    def __init__(self, socket: Socket, handler: OwnConnection) -> None:
        """Read from a socket that does not block; `handler` handles its call."""
        super().__init__(socket, handler)
        self._decoder = Decoder(max_header_list_size=_HEADER_BYTES)
        self._headers = bytearray()
        self._headers_of = 0
        """The stream whose headers are incomplete, 0 if there is none."""
        self._headers_flags = 0
        self._stream = 0
        """The stream of the call, 0 if there is none on this connection."""
        self._has_input = False
        """Whether the bot may still send messages."""
        self._resets: deque[int] = deque(maxlen=_REMEMBERED_RESETS)
        """Streams on which the bot may still send something, because it does not know better."""
        self._stream_window = self._connection_window = http2.DEFAULT_WINDOW
        """Bytes that may still be sent."""
        self._initial_window = http2.DEFAULT_WINDOW
        self._frame_limit = http2.DEFAULT_FRAME
        self._unacknowledged = 0
        """Bytes received since the connection's window was last extended."""
        self._write(_OPENING)

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
        if size <= 0 or self.is_full:
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
        self._spend(-size)

    def _reset(self, stream: int) -> None:
        """Tell the bot to send nothing more on a stream."""
        self._resets.append(stream)
        self._write(http2.frame(http2.RST_STREAM, 0, stream, http2.UINT32.pack(http2.NO_ERROR)))

    def _on_close(self) -> None:
        if self._stream:
            self._has_input = False
            self._handler.lose_call()

    def _on_writable(self) -> None:
        if self._stream:
            self._handler.send_more()

    def _handle(self, kind: int, flags: int, stream: int, payload: memoryview) -> None:
        if self._headers_of and (kind, stream) != (http2.CONTINUATION, self._headers_of):
            raise Http2Error(http2.PROTOCOL_ERROR, "headers are interrupted")
        if kind == http2.DATA:
            self._take_data(flags, stream, payload)
            return
        self._spend(FRAME_COST + len(payload))
        check_frame(kind, flags, stream, len(payload))
        if kind in (http2.HEADERS, http2.CONTINUATION):
            self._take_headers(kind, flags, stream, payload)
        elif kind == http2.WINDOW_UPDATE:
            self._extend_send_window(stream, *http2.UINT32.unpack(payload))
        elif kind == http2.RST_STREAM:
            self._check_is_opened(stream)
            if stream == self._stream:
                self._on_close()
        elif kind == http2.SETTINGS and not flags & http2.ACK:
            for name, value in http2.SETTING.iter_unpack(payload):
                self._apply_setting(name, value)
            self._write(http2.frame(http2.SETTINGS, http2.ACK, 0))
            self._on_writable()
        elif kind == http2.PING and not flags & http2.ACK:
            self._write(http2.frame(http2.PING, http2.ACK, 0, bytes(payload)))
        # Nothing else concerns a server: other frames are ignored.

    def _take_data(self, flags: int, stream: int, payload: memoryview) -> None:
        size = len(payload)
        self._unacknowledged += size
        if self._unacknowledged >= _ACKNOWLEDGE_BYTES:
            self._write(http2.window_update(0, self._unacknowledged))
            self._unacknowledged = 0
        data = unpadded(payload, flags)
        if stream != self._stream or not self._has_input:
            self._spend(FRAME_COST + size)
            self._check_was_reset(stream)
            return
        # Padding and small pieces cost more than they bring.
        self._spend(FRAME_COST - len(data))
        self._handler.take_data(data, size)
        if flags & http2.END_STREAM:
            self._end_input()

    def _check_is_opened(self, stream: int) -> None:
        if stream > self._last_stream or not stream % 2:
            raise Http2Error(http2.PROTOCOL_ERROR, f"stream {stream} was never opened")

    def _check_was_reset(self, stream: int) -> None:
        """Allow what the bot may have sent before it knew that a call was refused or is over."""
        self._check_is_opened(stream)
        if stream not in self._resets:
            raise Http2Error(http2.STREAM_CLOSED, f"stream {stream} had ended")

    def _end_input(self) -> None:
        if self._has_input:
            self._has_input = False
            self._handler.end_input()

    def _take_headers(self, kind: int, flags: int, stream: int, payload: memoryview) -> None:
        self._spend(_HEADER_COST * len(payload))
        if kind == http2.HEADERS:
            self._headers_of, self._headers_flags = stream, flags
            payload = without_priority(unpadded(payload, flags), flags)
        elif not self._headers_of:
            raise Http2Error(http2.PROTOCOL_ERROR, "nothing is continued")
        self._headers += payload
        if len(self._headers) > _HEADER_BYTES:
            raise Http2Error(http2.ENHANCE_YOUR_CALM, "the headers are too long")
        if flags & http2.END_HEADERS:
            self._end_headers()

    def _end_headers(self) -> None:
        """Handle complete headers, which open or end a call."""
        try:
            # All headers must be decoded, because later ones refer to them.
            fields = self._decoder.decode(bytes(self._headers), raw=True)
        except HPACKError:
            raise Http2Error(http2.COMPRESSION_ERROR, "the headers cannot be decoded") from None
        stream, self._headers_of = self._headers_of, 0
        self._headers.clear()
        is_last = bool(self._headers_flags & http2.END_STREAM)
        if stream > self._last_stream:
            self._last_stream = stream
            self._open_call(stream, checked_request(fields), is_last=is_last)
        elif stream != self._stream or not self._has_input:
            self._check_was_reset(stream)
        elif not is_last:
            raise Http2Error(http2.PROTOCOL_ERROR, "headers within a call")
        else:
            check_trailers(fields)
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

    def _apply_setting(self, number: int, value: int) -> None:
        check_setting(number, value)
        if number == http2.INITIAL_WINDOW_SIZE:
            self._stream_window += value - self._initial_window
            self._initial_window = value
            self._check_windows()
        elif number == http2.MAX_FRAME_SIZE:
            self._frame_limit = value

    def _extend_send_window(self, stream: int, size: int) -> None:
        size &= http2.STREAM_BITS
        if not size:
            raise Http2Error(http2.PROTOCOL_ERROR, "WINDOW_UPDATE of nothing")
        if stream == 0:
            self._connection_window += size
        elif stream == self._stream:
            self._stream_window += size
        else:
            self._check_is_opened(stream)
        self._check_windows()
        self._on_writable()

    def _check_windows(self) -> None:
        if max(self._connection_window, self._stream_window) > http2.LARGEST_WINDOW:
            raise Http2Error(http2.FLOW_CONTROL_ERROR, "a window is too large")


def _trailers(status: Status) -> bytes:
    code = http2.literal(b"grpc-status", str(status.code).encode())
    return code + http2.literal(b"grpc-message", quote(status.sentence, safe=_PLAIN).encode())
