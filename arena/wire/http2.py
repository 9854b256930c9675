"""HTTP/2 frames, as far as the two ends of one gRPC call need them (RFC 9113, RFC 7541)."""

from __future__ import annotations

import struct
from collections.abc import Mapping

from arena.wire.fields import varint

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY = range(8)
WINDOW_UPDATE, CONTINUATION = 8, 9
END_STREAM = ACK = 0x1
END_HEADERS, PADDED, HAS_PRIORITY = 0x4, 0x8, 0x20
HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS = 1, 2, 3
INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE, MAX_HEADER_LIST_SIZE = 4, 5, 6
NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR = range(4)
STREAM_CLOSED, FRAME_SIZE_ERROR, COMPRESSION_ERROR, ENHANCE_YOUR_CALM = 5, 6, 9, 11
DEFAULT_WINDOW, DEFAULT_FRAME = 65_535, 16_384
LARGEST_WINDOW, LARGEST_FRAME = 2**31 - 1, 2**24 - 1
STREAM_BITS = 2**31 - 1
"""The highest bit of a stream's id, or of a window, means nothing."""

HEAD = struct.Struct(">HBBBL")
"""Frame header: length in two parts, type, flags, stream."""
PREFIX = struct.Struct(">BL")
"""Message prefix: compressed flag, length."""
SETTING = struct.Struct(">HL")
UINT32 = struct.Struct(">L")


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Encode a frame."""
    size = len(payload)
    return HEAD.pack(size >> 8, size & 0xFF, kind, flags, stream) + payload


def settings_frame(settings: Mapping[int, int]) -> bytes:
    """Encode settings."""
    return frame(SETTINGS, 0, 0, b"".join(SETTING.pack(*each) for each in settings.items()))


def window_update(stream: int, size: int) -> bytes:
    """Encode the permission to send `size` more bytes on a stream, or in all if it is 0."""
    return frame(WINDOW_UPDATE, 0, stream, UINT32.pack(size))


def string(text: bytes) -> bytes:
    """Encode a string of a header, without Huffman coding (RFC 7541, 5.2)."""
    size, most = len(text), 0x7F
    return (bytes([size]) if size < most else bytes([most]) + varint(size - most)) + text


def literal(name: bytes, value: bytes) -> bytes:
    """Encode a header without indexing (RFC 7541, 6.2.2)."""
    return b"\x00" + string(name) + string(value)


CONTENT_TYPE = b"\x0f\x10" + string(b"application/grpc")
"""The header content-type, whose name is in the static table."""
