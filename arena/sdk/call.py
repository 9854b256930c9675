"""A minimal gRPC client: one bidirectional call over a Unix socket.

A bot makes a single call. Importing grpcio for it would take longer than the rest of a bot's start,
and its threads would cost more than the messages. So the SDK implements the necessary part of
HTTP/2 itself (RFC 9113, and "gRPC over HTTP2"). It respects the referee's flow control, frame sizes
and end of the call, and trusts the referee to keep the rules. Of the headers it reads only the
status of the call.
"""

from __future__ import annotations

import struct

# The module that `socket` extends; importing the rest would take longer than importing this file.
from _socket import AF_UNIX, SOCK_STREAM, socket

from arena.errors import ArenaError
from arena.wire import http2
from arena.wire.fields import Malformed, read_varint

_STREAM = 1
"""The id of a client's first stream; there is no other."""
_WINDOW_UPDATE_BYTES = 1 << 30
"""Received bytes after which the referee's window is extended."""
_GOAWAY = struct.Struct(">LL")
"""The last stream, and the error."""
_READ_BYTES = 1 << 16
"""Larger buffers are mapped into memory again for every read, which takes longer than the read."""


class CallFailed(ArenaError):
    """The referee's side ended the call with an error."""


class Call:
    """A bidirectional call; all methods block."""

    def __init__(self, path: str, method: str) -> None:
        """Connect to the socket at `path` and call `method`, such as `/package.Service/Method`."""
        self._socket = socket(AF_UNIX, SOCK_STREAM)
        self._socket.connect(path)
        self._received = b""
        """Received bytes that are not yet a complete frame."""
        self._data = b""
        """Received data that is not yet a complete message."""
        self._headers = b""
        self._ends_with_headers = False
        self._is_over = False
        self._is_broken = False
        """Whether nothing more can be sent; what the referee has sent can still be read."""
        self._unacknowledged = 0
        """Bytes received since the last window update."""
        self._stream_window = self._connection_window = self._initial_window = http2.DEFAULT_WINDOW
        """Bytes that may still be sent."""
        self._frame_limit = http2.DEFAULT_FRAME
        settings = {
            # Without a table, headers cannot refer to earlier ones.
            http2.HEADER_TABLE_SIZE: 0,
            http2.ENABLE_PUSH: 0,
            http2.INITIAL_WINDOW_SIZE: http2.LARGEST_WINDOW,
            http2.MAX_FRAME_SIZE: http2.LARGEST_FRAME,
        }
        self._socket.sendall(
            http2.PREFACE
            + http2.settings_frame(settings)
            + http2.window_update(0, http2.LARGEST_WINDOW - http2.DEFAULT_WINDOW)
            + http2.frame(http2.HEADERS, http2.END_HEADERS, _STREAM, _request_headers(method))
        )

    def write(self, message: bytes) -> None:
        """Send a message; if the call is over, discard it."""
        left = http2.PREFIX.pack(0, len(message)) + message
        while left and not self._is_over and not self._is_broken:
            size = min(len(left), self._frame_limit, self._stream_window, self._connection_window)
            if size <= 0:
                self._handle_next_frame()
                continue
            self._stream_window -= size
            self._connection_window -= size
            self._send(http2.frame(http2.DATA, 0, _STREAM, left[:size]))
            left = left[size:]

    def read(self) -> bytes | None:
        """Return the next message, or None at the end of the call."""
        while True:
            data = self._data
            if len(data) >= http2.PREFIX.size:
                compressed, size = http2.PREFIX.unpack_from(data)
                if compressed:
                    raise CallFailed("the referee sent a compressed message")
                end = http2.PREFIX.size + size
                if len(data) >= end:
                    self._data = data[end:]
                    return data[http2.PREFIX.size : end]
            if self._is_over:
                return None
            self._handle_next_frame()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _handle_next_frame(self) -> None:
        """Wait for the next frame and handle it."""
        received = self._received
        while len(received) < http2.HEAD.size or len(received) < http2.HEAD.size + _length(
            received
        ):
            more = self._receive()
            if not more:
                self._is_over = True
                return
            received += more
        _, _, kind, flags, stream = http2.HEAD.unpack_from(received)
        end = http2.HEAD.size + _length(received)
        self._received = received[end:]
        payload = received[http2.HEAD.size : end]
        handle = (
            self._handle_stream_frame
            if stream & http2.STREAM_BITS
            else self._handle_connection_frame
        )
        try:
            handle(kind, flags, payload)
        except (struct.error, IndexError, Malformed):
            raise CallFailed("the referee sent an invalid HTTP/2 frame") from None

    def _handle_stream_frame(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == http2.DATA:
            self._acknowledge(len(payload))
            self._data += _unpadded(payload, flags)
            self._is_over = bool(flags & http2.END_STREAM)
        elif kind == http2.WINDOW_UPDATE:
            self._stream_window += http2.UINT32.unpack(payload)[0] & http2.STREAM_BITS
        elif kind in (http2.HEADERS, http2.CONTINUATION):
            if kind == http2.HEADERS:
                self._ends_with_headers = bool(flags & http2.END_STREAM)
                payload = _unpadded(payload, flags)[5 if flags & http2.HAS_PRIORITY else 0 :]
            self._headers += payload
            if flags & http2.END_HEADERS:
                self._is_over = self._ends_with_headers
                headers, self._headers = self._headers, b""
                _check_status(headers)
        elif kind == http2.RST_STREAM:
            self._end(http2.UINT32.unpack(payload)[0], b"")

    def _handle_connection_frame(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == http2.SETTINGS and not flags & http2.ACK:
            self._apply_settings(payload)
            self._send(http2.frame(http2.SETTINGS, http2.ACK, 0))
        elif kind == http2.PING and not flags & http2.ACK:
            self._send(http2.frame(http2.PING, http2.ACK, 0, payload))
        elif kind == http2.WINDOW_UPDATE:
            self._connection_window += http2.UINT32.unpack(payload)[0] & http2.STREAM_BITS
        elif kind == http2.GOAWAY:
            last, error = _GOAWAY.unpack_from(payload)
            # Without an error, one that includes this stream only forbids further calls.
            if error or last & http2.STREAM_BITS < _STREAM:
                self._end(error, payload[_GOAWAY.size :])

    def _end(self, error: int, reason: bytes) -> None:
        """End the call because the referee has ended it without a status."""
        self._is_over = True
        if error != http2.NO_ERROR:
            text = reason.decode(errors="replace") or "it gave no reason"
            raise CallFailed(f"the referee ended the call with HTTP/2 error {error}: {text}")

    def _apply_settings(self, payload: bytes) -> None:
        for name, value in http2.SETTING.iter_unpack(payload):
            if name == http2.INITIAL_WINDOW_SIZE:
                self._stream_window += value - self._initial_window
                self._initial_window = value
            elif name == http2.MAX_FRAME_SIZE:
                self._frame_limit = value

    def _acknowledge(self, size: int) -> None:
        self._unacknowledged += size
        if self._unacknowledged >= _WINDOW_UPDATE_BYTES:
            allowed, self._unacknowledged = self._unacknowledged, 0
            self._send(http2.window_update(0, allowed) + http2.window_update(_STREAM, allowed))

    def _receive(self) -> bytes:
        try:
            return self._socket.recv(_READ_BYTES)
        except ConnectionError:
            return b""

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except ConnectionError:
            self._is_broken = True


def _length(received: bytes) -> int:
    return int.from_bytes(received[:3])


def _unpadded(payload: bytes, flags: int) -> bytes:
    return payload[1 : len(payload) - payload[0]] if flags & http2.PADDED else payload


def _request_headers(method: str) -> bytes:
    """Encode the headers of a call as literals without indexing (RFC 7541, 6.2.2)."""
    static = b"\x83\x86"  # :method POST, :scheme http
    path = b"\x04" + http2.string(method.encode())
    authority = b"\x01" + http2.string(b"localhost")
    return static + path + authority + http2.CONTENT_TYPE + http2.literal(b"te", b"trailers")


def _check_status(headers: bytes) -> None:
    """Raise `CallFailed` if these headers end the call with an error."""
    found = _literals(headers)
    status = found.get(b"grpc-status", b"0")
    if status != b"0":
        # Imported here: only a failing bot needs it.
        from urllib.parse import unquote_to_bytes

        message = unquote_to_bytes(found.get(b"grpc-message", b"")).decode(errors="replace")
        code = status.decode(errors="replace")
        raise CallFailed(f"the referee ended the call with status {code}: {message}")


def _literals(headers: bytes) -> dict[bytes, bytes]:
    """Return the headers with literal names."""
    found = {}
    at = 0
    while at < len(headers):
        first = headers[at]
        if first & 0x80:
            _, at = _integer(headers, at, 7)
            continue
        if first & 0xE0 == 0x20:
            _, at = _integer(headers, at, 5)
            continue
        name_index, at = _integer(headers, at, 6 if first & 0x40 else 4)
        name = b""
        if not name_index:
            name, at = _read_string(headers, at)
        found[name], at = _read_string(headers, at)
    return found


def _read_string(headers: bytes, at: int) -> tuple[bytes, int]:
    """Read a string; return it with the next position."""
    is_coded = headers[at] & 0x80
    size, at = _integer(headers, at, 7)
    text = headers[at : at + size]
    if is_coded:
        # Imported here: our referee does not use it.
        from arena.sdk.huffman import huffman_decoded

        text = huffman_decoded(text)
    return text, at + size


def _integer(headers: bytes, at: int, bits: int) -> tuple[int, int]:
    """Read an integer with a prefix of `bits` bits (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    value = headers[at] & most
    at += 1
    if value < most:
        return value, at
    more, at = read_varint(headers, at)
    return most + more, at
