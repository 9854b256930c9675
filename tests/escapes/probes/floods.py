"""Attacks that flood the referee."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from collections.abc import Iterator

from arena.sdk.call import Call, _request_headers
from arena.wire import http2

from .common import MIB, Contained, facts, until_refused

_PRINTED = MIB // 2
_CONNECTIONS = 600
_STREAMS = 40
_MESSAGES = 400
_MESSAGE = b"x" * (100 << 10)
_PATIENCE_S = 0.6
_REFUSED_S = 2.5
"""A refusal comes within this time, even on a busy machine."""
_PLAY = "/arena.wire.v1.Arena/Play"


def _address() -> str:
    return os.environ["ARENA_SOCKET"]


def _hello() -> bytes:
    return bytes.fromhex(facts().hello)


def printing() -> str:
    """Print much; the host sees how much of it is kept."""
    print("x" * _PRINTED)
    return "printed"


def connections() -> str:
    """Connect repeatedly."""
    kept = []

    def connect() -> None:
        kept.append(socket.socket(socket.AF_UNIX))
        kept[-1].settimeout(_PATIENCE_S)
        kept[-1].connect(_address())

    count = until_refused(_CONNECTIONS, connect)
    if count < _CONNECTIONS:
        raise Contained(f"{count} connections")
    return f"{count} connections at once"


def streams() -> str:
    """Open many streams and leave them open."""
    numbers = range(1, 2 * _STREAMS, 2)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(_address())
        connection.sendall(http2.PREFACE + http2.settings_frame({}))
        for number in numbers:
            head = http2.frame(http2.HEADERS, http2.END_HEADERS, number, _request_headers(_PLAY))
            message = http2.PREFIX.pack(0, len(_hello())) + _hello()
            connection.sendall(head + http2.frame(http2.DATA, 0, number, message))
        connection.settimeout(_REFUSED_S)
        received = b""
        with contextlib.suppress(TimeoutError):
            while more := connection.recv(1 << 16):
                received += more
    refused = set(_ended_streams(received)) & set(numbers)
    if not refused:
        return f"{_STREAMS} streams at once"
    raise Contained(f"{len(refused)} of {_STREAMS} streams were refused")


def _ended_streams(received: bytes) -> Iterator[int]:
    while len(received) >= http2.HEAD.size:
        high, low, kind, flags, stream = http2.HEAD.unpack_from(received)
        is_end = kind in (http2.HEADERS, http2.DATA) and flags & http2.END_STREAM
        if kind == http2.RST_STREAM or is_end:
            yield stream
        received = received[http2.HEAD.size + (high << 8 | low) :]


def messages() -> str:
    """Send many unsolicited messages."""
    sent = 0
    call = Call(_address(), _PLAY)
    call.write(_hello())

    def flood() -> None:
        nonlocal sent
        for _ in range(_MESSAGES):
            call.write(_MESSAGE)
            sent += 1

    thread = threading.Thread(target=flood, daemon=True)
    thread.start()
    before = -1
    # As long as messages are accepted.
    while sent not in (before, _MESSAGES) and thread.is_alive():
        before = sent
        thread.join(_PATIENCE_S)
    if sent < _MESSAGES:
        raise Contained(f"{sent * len(_MESSAGE) // MIB} MiB of {_MESSAGES * len(_MESSAGE) // MIB}")
    return f"{sent * len(_MESSAGE) // MIB} MiB were taken"
