"""What HTTP/2 demands of a client's frames and headers, whatever came before (RFC 9113).

Not checked are `host` and `content-length`, which calls of gRPC do not need.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from arena.errors import ArenaError
from arena.wire import http2


class Http2Error(ArenaError):
    """The bot broke HTTP/2 or exceeded a limit, so its connection is closed."""

    def __init__(self, code: int, reason: str) -> None:
        """Remember the error code that the bot is sent."""
        super().__init__(reason)
        self.code = code


class _FrameRule(NamedTuple):
    name: str
    streams: range
    """The streams on which a client may send such frames."""
    sizes: range


_CONNECTION, _CALLS = range(1), range(1, http2.STREAM_BITS + 1, 2)
_EVERY = range(http2.STREAM_BITS + 1)
_ANY_SIZE = range(http2.DEFAULT_FRAME + 1)
_FRAMES = {
    http2.HEADERS: _FrameRule("HEADERS", _CALLS, _ANY_SIZE),
    http2.PRIORITY: _FrameRule("PRIORITY", _EVERY[1:], range(5, 6)),
    http2.RST_STREAM: _FrameRule("RST_STREAM", _CALLS, range(4, 5)),
    http2.SETTINGS: _FrameRule("SETTINGS", _CONNECTION, _ANY_SIZE[:: http2.SETTING.size]),
    http2.PUSH_PROMISE: _FrameRule("PUSH_PROMISE", range(0), _ANY_SIZE),
    http2.PING: _FrameRule("PING", _CONNECTION, range(8, 9)),
    http2.GOAWAY: _FrameRule("GOAWAY", _CONNECTION, _ANY_SIZE[8:]),
    http2.WINDOW_UPDATE: _FrameRule("WINDOW_UPDATE", _EVERY, range(4, 5)),
    http2.CONTINUATION: _FrameRule("CONTINUATION", _CALLS, _ANY_SIZE),
}
"""All frames but DATA, which are checked where they are counted."""
_SETTINGS = {
    http2.ENABLE_PUSH: ("ENABLE_PUSH", range(2), http2.PROTOCOL_ERROR),
    http2.INITIAL_WINDOW_SIZE: ("INITIAL_WINDOW_SIZE", _EVERY, http2.FLOW_CONTROL_ERROR),
    http2.MAX_FRAME_SIZE: (
        "MAX_FRAME_SIZE",
        range(http2.DEFAULT_FRAME, http2.LARGEST_FRAME + 1),
        http2.PROTOCOL_ERROR,
    ),
}
"""The name of each setting that is limited, its values, and the error for others."""
_REQUIRED = (b":method", b":scheme", b":path")
_PSEUDO = {*_REQUIRED, b":authority"}
_OF_HTTP1 = (b"connection", b"keep-alive", b"proxy-connection", b"transfer-encoding", b"upgrade")
_NAME = re.compile(rb":?[!-9;-@\[-~]+")
"""Names are in lower case; only those of pseudo-headers have a colon, at the start."""
_VALUE = re.compile(rb"(?![ \t])[^\0\r\n]*(?<![ \t])")


def check_frame(kind: int, flags: int, stream: int, size: int) -> None:
    """Refuse a frame that a client may not send; unknown types are allowed."""
    rule = _FRAMES.get(kind)
    if rule is None:
        return
    if stream not in rule.streams:
        raise Http2Error(http2.PROTOCOL_ERROR, f"a client sends no {rule.name} on stream {stream}")
    is_acknowledgement = kind == http2.SETTINGS and flags & http2.ACK
    if size not in rule.sizes or (is_acknowledgement and size):
        raise Http2Error(http2.FRAME_SIZE_ERROR, f"{rule.name} of {size} bytes")


def check_setting(number: int, value: int) -> None:
    """Refuse a value that a setting cannot have; unknown settings are allowed."""
    if number in _SETTINGS:
        name, values, error = _SETTINGS[number]
        if value not in values:
            raise Http2Error(error, f"the setting {name} is {value}")


def unpadded(payload: memoryview, flags: int) -> memoryview:
    """Return the payload of a frame without its padding."""
    if not flags & http2.PADDED:
        return payload
    if not payload or payload[0] >= len(payload):
        raise Http2Error(http2.PROTOCOL_ERROR, "the padding is longer than the frame")
    return payload[1 : len(payload) - payload[0]]


def without_priority(payload: memoryview, flags: int) -> memoryview:
    """Return the payload of HEADERS without a priority."""
    if not flags & http2.HAS_PRIORITY:
        return payload
    if len(payload) < 5:
        raise Http2Error(http2.FRAME_SIZE_ERROR, "HEADERS without room for their priority")
    return payload[5:]


def checked_request(fields: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """Return the headers of a request, or refuse them; of equal names the last one counts."""
    found: dict[bytes, bytes] = {}
    for name, value in fields:
        _check_field(name, value)
        if name.startswith(b":"):
            is_in_place = name not in found and found.keys() <= _PSEUDO
            if name not in _PSEUDO or not is_in_place:
                raise _malformed(f"{name.decode()} must not be there")
        found[name] = value
    for name in _REQUIRED:
        if not found.get(name):
            raise _malformed(f"{name.decode()} is missing")
    return found


def check_trailers(fields: Iterable[tuple[bytes, bytes]]) -> None:
    """Refuse headers that cannot end a request."""
    for name, value in fields:
        _check_field(name, value)
        if name.startswith(b":"):
            raise _malformed(f"{name.decode()} after the request")


def _check_field(name: bytes, value: bytes) -> None:
    if not _NAME.fullmatch(name):
        raise _malformed(f"{name!r} is not the name of a header")
    if not _VALUE.fullmatch(value):
        raise _malformed(f"{name.decode()} has an invalid value")
    if name in _OF_HTTP1 or (name == b"te" and value != b"trailers"):
        raise _malformed(f"{name.decode()} is not for HTTP/2")


def _malformed(what: str) -> Http2Error:
    # A server may close the connection for an error of one stream (RFC 9113, 5.4.1).
    return Http2Error(http2.PROTOCOL_ERROR, f"invalid headers: {what}")
