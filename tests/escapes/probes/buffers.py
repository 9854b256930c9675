"""Attacks that make the kernel hold memory which no limit counts."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import struct
import threading
import time

from .common import (
    MIB,
    Contained,
    call,
    pause,
    shared_file,
    until_refused,
)

_ENOUGH = 96 * MIB
"""More than the buffers of all descriptors that a bot may have."""
_CLOSE_RANGE_UNSHARE = 2
_LOCKS = 2000
_LIFE_S = 4


def _fill(descriptor: int) -> int:
    """Write until the buffer is full, and return how much fitted."""
    os.set_blocking(descriptor, False)
    written = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            written += os.write(descriptor, b"x" * (256 << 10))
    return written


def _claim(written: int, enough: int = _ENOUGH) -> str:
    if written < enough:
        raise Contained(f"held {written // MIB} MiB and no more")
    return f"the kernel holds {written // MIB} MiB"


def pipes() -> str:
    """Fill pipes that were made larger."""
    kept = []
    written = 0

    def fill() -> None:
        nonlocal written
        kept.append(os.pipe())
        with contextlib.suppress(PermissionError):
            fcntl.fcntl(kept[-1][1], fcntl.F_SETPIPE_SZ, MIB)
        written += _fill(kept[-1][1])

    until_refused(400, fill)
    # Even outside a cage, an ordinary user may have at most 64 MiB of this.
    return _claim(written, _ENOUGH // 2)


def pairs() -> str:
    """Fill pairs of sockets that were made larger."""
    kept = []
    written = 0

    def fill() -> None:
        nonlocal written
        for end in socket.socketpair():
            kept.append(end)
            with contextlib.suppress(PermissionError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * MIB)
            if written < _ENOUGH:
                written += _fill(end.fileno())

    until_refused(300, fill)
    return _claim(written)


def _address(number: int = 0) -> bytes:
    # An abstract socket: the only kind where nothing is writable.
    return f"\0probe-{os.getpid()}-{number}".encode()


def backlog() -> str:
    """Connect to itself, send much, and close before it is read."""
    server = socket.socket(socket.AF_UNIX)
    server.bind(_address())
    server.listen(4096)
    written = 0
    while written < _ENOUGH:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(_address())
            written += _fill(client.fileno())
    return _claim(written)


def datagrams() -> str:
    """Send datagrams to itself without reading them."""
    kept: list[socket.socket] = []
    written = 0
    while written < _ENOUGH:
        receiver = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        receiver.bind(_address(len(kept)))
        kept.append(receiver)
        with contextlib.suppress(BlockingIOError):
            while written < _ENOUGH:
                with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
                    sender.setblocking(False)
                    written += sender.sendto(b"x" * (200 << 10), _address(len(kept) - 1))
    return _claim(written)


def descriptors() -> str:
    """Open more files than allowed."""
    count = until_refused(1000, lambda: os.dup(0))
    if count < 1000:
        raise Contained(f"{count} and no more")
    return f"{count} descriptors"


def tables_of_descriptors() -> str:
    """Give each thread its own descriptor table, up to the limit."""
    opened = []
    over = threading.Event()

    def open_many() -> None:
        with contextlib.suppress(OSError):
            call("close_range", 1 << 20, 1 << 20, _CLOSE_RANGE_UNSHARE)
        opened.append(until_refused(200, lambda: os.dup(0)))
        over.wait(_LIFE_S)

    for _ in range(8):
        threading.Thread(target=open_many, daemon=True).start()
    while len(opened) < 8:
        time.sleep(0.01)
    if sum(opened) < 8 * 200:
        raise Contained(f"{sum(opened)} in all")
    return f"{sum(opened)} descriptors in 8 threads"


def locks() -> str:
    """Lock every other byte of a read-only file; the host sees whether it worked."""
    with shared_file("errors.py").open("rb") as file:
        for number in range(_LOCKS):
            lock = struct.pack("hhqqi", fcntl.F_RDLCK, os.SEEK_SET, 2 * number, 1, 0)
            fcntl.fcntl(file, fcntl.F_SETLK, lock)
        pause()
    return f"{_LOCKS} locks"
