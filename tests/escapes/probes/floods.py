"""Attacks that flood the referee."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from typing import Any

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
    """Connect again and again."""
    kept = []

    def connect() -> None:
        kept.append(socket.socket(socket.AF_UNIX))
        kept[-1].settimeout(_PATIENCE_S)
        kept[-1].connect(_address())

    count = until_refused(_CONNECTIONS, connect)
    if count < _CONNECTIONS:
        raise Contained(f"{count} connections")
    return f"{count} connections at once"


def _channel() -> Any:
    # Imported only where needed, because it is slow; it has no types.
    import grpc

    return grpc.insecure_channel(f"unix:{_address()}")


def streams() -> str:
    """Open many streams and leave them open."""
    import grpc

    channel = _channel()
    ends = [_endless() for _ in range(_STREAMS)]
    calls = [channel.stream_stream(_PLAY)(end) for end in ends]
    deadline = time.monotonic() + _REFUSED_S
    while time.monotonic() < deadline and sum(call.done() for call in calls) < _STREAMS - 1:
        time.sleep(0.02)
    codes = [call.code() if call.done() else None for call in calls]
    opened = codes.count(None)
    if opened == _STREAMS:
        return f"{opened} streams at once"
    refused = codes.count(grpc.StatusCode.RESOURCE_EXHAUSTED)
    raise Contained(f"{refused} of {_STREAMS} streams were refused")


def _endless() -> Iterator[bytes]:
    yield _hello()
    time.sleep(2 * _REFUSED_S)


def messages() -> str:
    """Send many unsolicited messages."""
    sent = 0
    is_connected = False

    def flood() -> Iterator[bytes]:
        nonlocal is_connected, sent
        yield _hello()
        is_connected = True
        for _ in range(_MESSAGES):
            yield _MESSAGE
            sent += 1

    call = _channel().stream_stream(_PLAY)(flood())
    # As long as messages are accepted.
    while sent < _MESSAGES and not call.done():
        before, was_connected = sent, is_connected
        time.sleep(_PATIENCE_S)
        if was_connected and sent == before:
            break
    if sent < _MESSAGES:
        raise Contained(f"{sent * len(_MESSAGE) // MIB} MiB of {_MESSAGES * len(_MESSAGE) // MIB}")
    return f"{sent * len(_MESSAGE) // MIB} MiB were taken"
