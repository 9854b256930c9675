"""Attacks by two bots through what the kernel counts for all bots or for their user."""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import signal
import socket
import struct
import threading
from collections.abc import Callable
from typing import NoReturn

from .common import MIB, Contained, call, facts
from .pairs import Channel, take_part

_SHARED_RAM = 6
"""The index of a figure of sysinfo(2): shared memory and files in memory."""
_SO_COOKIE = 57
_COOKIES, INODES = 4096, 1024
"""How many socket cookies and inode numbers a processor reserves at once."""
_FEW = 1000
_PIDFD_THREAD, _MANY_THREADS = os.O_EXCL, 2000
_SETVAL, _GETVAL, _RMID = 16, 12, 0
_HELD_BY_FILES = 12 * MIB


def free_memory() -> NoReturn:
    """Use memory, and read how much the whole machine uses."""

    class FreeMemory(Channel):
        before = 0
        held: mmap.mmap | None = None

        def prepare(self) -> None:
            self.before = self.used()

        def used(self) -> int:
            numbers = bytes(112)
            call("sysinfo", numbers)
            found: int = struct.unpack_from("l6Q", numbers)[_SHARED_RAM]
            return found

        def send(self, bit: bool) -> None:
            if not bit:
                return
            try:
                self.held = mmap.mmap(-1, _HELD_BY_FILES)
                self.held.write(bytes(_HELD_BY_FILES))
            except OSError:
                with open("/tmp/held", "wb") as file:
                    file.write(bytes(_HELD_BY_FILES))

        def receive(self) -> bool:
            return self.used() - self.before > _HELD_BY_FILES // 2

        def reset(self) -> None:
            self.held = None
            with contextlib.suppress(OSError):
                os.unlink("/tmp/held")

    take_part(FreeMemory())


def cookies() -> NoReturn:
    """Get socket cookies, and see how many were given out in between."""

    class Cookies(Channel):
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

    take_part(Cookies())


def number_of_a_pipe() -> int:
    """Create a pipe and return its number."""
    ends = os.pipe()
    found = os.fstat(ends[0]).st_ino
    for end in ends:
        os.close(end)
    return found


def inodes() -> NoReturn:
    """Create pipes, and see by their numbers how many were created in between."""

    class Inodes(Channel):
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

    take_part(Inodes())


def process_descriptors() -> NoReturn:
    """Start threads, and see by a descriptor of a new one how many the machine has started."""

    class ProcessDescriptors(Channel):
        before = 0

        def number(self) -> int:
            found = []

            def look() -> None:
                descriptor = call("pidfd_open", threading.get_native_id(), _PIDFD_THREAD)
                found.append(os.fstat(descriptor).st_ino)
                os.close(descriptor)

            self.run(look)
            if not found:
                raise Contained("there is no such descriptor")
            return found[0]

        def run(self, work: Callable[[], None]) -> None:
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()

        def prepare(self) -> None:
            threading.excepthook = lambda _: None
            self.before = self.number()

        def send(self, bit: bool) -> None:
            for _ in range(_MANY_THREADS if bit else 0):
                self.run(lambda: None)

        def receive(self) -> bool:
            return self.number() - self.before > _MANY_THREADS

    take_part(ProcessDescriptors())


def pending_signals() -> NoReturn:
    """Keep signals pending until the user of both bots may have no more."""

    class Pending(Channel):
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

    take_part(Pending())


def descriptors_in_flight() -> NoReturn:
    """Send descriptors that are not received, until their user may send no more."""

    class InFlight(Channel):
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

    take_part(InFlight())


def pipe_buffers() -> NoReturn:
    """Create pipes until new ones of the same user get smaller."""

    class Pipes(Channel):
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

    take_part(Pipes())


def process_numbers() -> NoReturn:
    """Start threads, and see by their ids how many were started in between."""

    class Numbers(Channel):
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

    take_part(Numbers())


def semaphores() -> NoReturn:
    """Set a semaphore whose key both know."""

    class Semaphores(Channel):
        def semaphore(self) -> int:
            return call("semget", int(facts().secret[:7], 16), 1, 0o1666)

        def send(self, bit: bool) -> None:
            call("semctl", self.semaphore(), 0, _SETVAL, int(bit))

        def receive(self) -> bool:
            return call("semctl", self.semaphore(), 0, _GETVAL, 0) == 1

        def reset(self) -> None:
            call("semctl", self.semaphore(), 0, _RMID, 0)

    take_part(Semaphores())


def names() -> NoReturn:
    """Listen on an abstract socket, and see whether the other does."""

    class Names(Channel):
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

    take_part(Names())


def scheduling() -> NoReturn:
    """Change the scheduling of one bot, and read it from the other."""

    class Scheduling(Channel):
        def send(self, bit: bool) -> None:
            os.sched_setscheduler(0, os.SCHED_BATCH if bit else os.SCHED_OTHER, os.sched_param(0))

        def receive(self) -> bool:
            if os.sched_getscheduler(self.partner) == os.SCHED_BATCH:
                return True
            if not self.partner:
                raise Contained("the partner's pid is unknown")
            return False

    take_part(Scheduling())
