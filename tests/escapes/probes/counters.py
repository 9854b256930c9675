"""Attacks by two bots through what the kernel counts for all bots or for their user."""

from __future__ import annotations

import os
import resource
import signal
import socket
import struct
import threading

from .common import call, facts
from .pairs import Channel

_SO_COOKIE = 57
_COOKIES, INODES = 4096, 1024
"""How many socket cookies and inode numbers a processor reserves at once."""
_FEW = 1000


class Cookies(Channel):
    """Get socket cookies, and see how many were given out in between."""

    before = 0

    def number(self) -> int:
        with socket.socket(socket.AF_UNIX) as one:
            found = one.getsockopt(socket.SOL_SOCKET, _SO_COOKIE, 8)
        return struct.unpack("Q", found)[0]  # type: ignore[no-any-return]

    def latest(self) -> int:
        """Return a new number, not one from a processor's reserve."""
        return max(self.number() for _ in range(2 * _COOKIES))

    def prepare(self) -> None:
        self.before = self.latest()

    def send(self, bit: bool) -> None:
        for _ in range(6 * _COOKIES if bit else 0):
            self.number()

    def receive(self) -> bool:
        return self.latest() - self.before > 5 * _COOKIES


def number_of_a_pipe() -> int:
    """Create a pipe and return its number."""
    ends = os.pipe()
    found = os.fstat(ends[0]).st_ino
    for end in ends:
        os.close(end)
    return found


class Inodes(Channel):
    """Create pipes, and see by their numbers how many were created in between."""

    before = 0

    def latest(self) -> int:
        return max(number_of_a_pipe() for _ in range(2 * INODES))

    def prepare(self) -> None:
        self.before = self.latest()

    def send(self, bit: bool) -> None:
        for _ in range(12 * INODES if bit else 0):
            for end in os.pipe():
                os.close(end)

    def receive(self) -> bool:
        return self.latest() - self.before > 7 * INODES


class Pending(Channel):
    """Keep signals pending until the user of both bots may have no more."""

    def __init__(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
        # The lower the limit, the sooner the receiver notices that it is reached.
        hard = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
        resource.setrlimit(resource.RLIMIT_SIGPENDING, (min(_FEW, hard), hard))

    def queued(self) -> bool:
        described = struct.pack("iii116x", signal.SIGRTMIN, 0, -1)
        try:
            call("rt_sigqueueinfo", os.getpid(), signal.SIGRTMIN, described)
        except BlockingIOError:
            return False
        return True

    def send(self, bit: bool) -> None:
        while bit and self.queued():
            pass

    def receive(self) -> bool:
        received = not self.queued()
        self.reset()
        return received

    def reset(self) -> None:
        while signal.sigtimedwait([signal.SIGRTMIN], 0):
            pass


class InFlight(Channel):
    """Send descriptors that are not received, until their user may send no more."""

    kept: tuple[socket.socket, ...] = ()

    def sent(self, count: int) -> bool:
        self.kept = (*self.kept, *socket.socketpair())
        try:
            socket.send_fds(self.kept[-1], [b"x"], [0] * count)
        except OSError as error:
            if error.errno is None or "references" not in str(error.strerror):
                raise
            return False
        return True

    def send(self, bit: bool) -> None:
        for _ in range(2000 if bit else 0):
            if not self.sent(253):
                break

    def receive(self) -> bool:
        received = not self.sent(1)
        self.reset()
        return received

    def reset(self) -> None:
        for end in self.kept:
            end.close()
        self.kept = ()


class Pipes(Channel):
    """Create pipes until new ones of the same user get smaller."""

    kept: list[int]

    def __init__(self) -> None:
        self.kept = []

    def capacity(self) -> int:
        read, write = os.pipe()
        os.set_blocking(write, False)
        capacity = os.write(write, bytes(1 << 16))
        os.close(read)
        os.close(write)
        return capacity

    def send(self, bit: bool) -> None:
        try:
            for _ in range(1040 if bit else 0):
                self.kept += os.pipe()
        except OSError:
            if len(self.kept) < 2:
                raise

    def receive(self) -> bool:
        return self.capacity() < 1 << 16

    def reset(self) -> None:
        for end in self.kept:
            os.close(end)
        self.kept = []


class Numbers(Channel):
    """Start threads, and see by their ids how many were started in between."""

    before = 0

    def number(self) -> int:
        thread = threading.Thread(target=int)
        thread.start()
        thread.join()
        assert thread.native_id is not None
        return thread.native_id

    def prepare(self) -> None:
        self.before = self.number()

    def send(self, bit: bool) -> None:
        for _ in range(400 if bit else 0):
            self.number()

    def receive(self) -> bool:
        # The numbers wrap around.
        return not 0 <= self.number() - self.before <= 200


class Names(Channel):
    """Listen on an abstract socket, and see whether the other does."""

    server: socket.socket | None = None

    def address(self) -> str:
        return f"\0pair-{facts().secret}"

    def send(self, bit: bool) -> None:
        self.server = socket.socket(socket.AF_UNIX)
        if bit:
            self.server.bind(self.address())
            self.server.listen()

    def receive(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(self.address())
            except ConnectionRefusedError:
                return False
        return True

    def reset(self) -> None:
        if self.server:
            self.server.close()
