"""Can two bots reach each other through what the kernel counts for all bots or for their user?"""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import signal
import socket
import struct
import threading
from typing import NoReturn

from .kit import MIB, Contained, call, facts
from .pairs import Channel, take_part

_SHARED_RAM = 6
"""The place of a number among those of sysinfo(2): memory that is shared, or a file in memory."""
_SO_COOKIE = 57
_COOKIES, _INODES = 4096, 1024
"""So many numbers of sockets and of pipes a processor takes at once, to give them out later."""
_FEW = 1000
_SETVAL, _GETVAL, _RMID = 16, 12, 0
_HELD_BY_FILES = 12 * MIB


def free_memory() -> NoReturn:
    """Use memory, and see how much of it the whole machine uses."""

    class FreeMemory(Channel):
        before = 0
        held: mmap.mmap | None = None

        def listen(self) -> None:
            self.before = self.used()

        def used(self) -> int:
            numbers = bytes(112)
            call("sysinfo", numbers)
            found: int = struct.unpack_from("l6Q", numbers)[_SHARED_RAM]
            return found

        def say(self, bit: bool) -> None:
            if not bit:
                return
            try:
                self.held = mmap.mmap(-1, _HELD_BY_FILES)
                self.held.write(bytes(_HELD_BY_FILES))
            except OSError:
                with open("/tmp/held", "wb") as file:
                    file.write(bytes(_HELD_BY_FILES))

        def hear(self) -> bool:
            return self.used() - self.before > _HELD_BY_FILES // 2

        def rest(self) -> None:
            self.held = None
            with contextlib.suppress(OSError):
                os.unlink("/tmp/held")

    take_part(FreeMemory())


def cookies() -> NoReturn:
    """Number sockets, and see how many were numbered meanwhile."""

    class Cookies(Channel):
        before = 0

        def number(self) -> int:
            with socket.socket(socket.AF_UNIX) as one:
                found = one.getsockopt(socket.SOL_SOCKET, _SO_COOKIE, 8)
            return struct.unpack("Q", found)[0]  # type: ignore[no-any-return]

        def latest(self) -> int:
            """Return a number that is new, not left over from a processor's own supply."""
            return max(self.number() for _ in range(2 * _COOKIES))

        def listen(self) -> None:
            self.before = self.latest()

        def say(self, bit: bool) -> None:
            for _ in range(6 * _COOKIES if bit else 0):
                self.number()

        def hear(self) -> bool:
            return self.latest() - self.before > 5 * _COOKIES

    take_part(Cookies())


def inodes() -> NoReturn:
    """Make pipes, and see by the number of a pipe how many were made meanwhile."""

    class Inodes(Channel):
        before = 0

        def number(self) -> int:
            ends = os.pipe()
            found = os.fstat(ends[0]).st_ino
            for end in ends:
                os.close(end)
            return found

        def latest(self) -> int:
            return max(self.number() for _ in range(2 * _INODES))

        def listen(self) -> None:
            self.before = self.latest()

        def say(self, bit: bool) -> None:
            for _ in range(12 * _INODES if bit else 0):
                for end in os.pipe():
                    os.close(end)

        def hear(self) -> bool:
            return self.latest() - self.before > 7 * _INODES

    take_part(Inodes())


def pending_signals() -> NoReturn:
    """Keep signals waiting, until the user as whom both run may have no more of them."""

    class Pending(Channel):
        def __init__(self) -> None:
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGRTMIN])
            # Whoever may have few sees soonest that there are many.
            hard = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
            resource.setrlimit(resource.RLIMIT_SIGPENDING, (min(_FEW, hard), hard))

        def queued(self) -> bool:
            described = struct.pack("iii116x", signal.SIGRTMIN, 0, -1)
            try:
                call("rt_sigqueueinfo", os.getpid(), signal.SIGRTMIN, described)
            except BlockingIOError:
                return False
            return True

        def say(self, bit: bool) -> None:
            while bit and self.queued():
                pass

        def hear(self) -> bool:
            heard = not self.queued()
            self.rest()
            return heard

        def rest(self) -> None:
            while signal.sigtimedwait([signal.SIGRTMIN], 0):
                pass

    take_part(Pending())


def descriptors_in_flight() -> NoReturn:
    """Send descriptors that nobody takes, until their user may send no more."""

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

        def say(self, bit: bool) -> None:
            for _ in range(2000 if bit else 0):
                if not self.sent(253):
                    break

        def hear(self) -> bool:
            heard = not self.sent(1)
            self.rest()
            return heard

        def rest(self) -> None:
            for end in self.kept:
                end.close()
            self.kept = ()

    take_part(InFlight())


def pipe_buffers() -> NoReturn:
    """Make pipes, until those of their user get smaller."""

    class Pipes(Channel):
        kept: list[int]

        def __init__(self) -> None:
            self.kept = []

        def room(self) -> int:
            read, write = os.pipe()
            os.set_blocking(write, False)
            room = os.write(write, bytes(1 << 16))
            os.close(read)
            os.close(write)
            return room

        def say(self, bit: bool) -> None:
            try:
                for _ in range(1040 if bit else 0):
                    self.kept += os.pipe()
            except OSError:
                if len(self.kept) < 2:
                    raise

        def hear(self) -> bool:
            return self.room() < 1 << 16

        def rest(self) -> None:
            for end in self.kept:
                os.close(end)
            self.kept = []

    take_part(Pipes())


def process_numbers() -> NoReturn:
    """Start threads, and see by the number of a thread how many were started meanwhile."""

    class Numbers(Channel):
        before = 0

        def number(self) -> int:
            thread = threading.Thread(target=int)
            thread.start()
            thread.join()
            assert thread.native_id is not None
            return thread.native_id

        def listen(self) -> None:
            self.before = self.number()

        def say(self, bit: bool) -> None:
            for _ in range(400 if bit else 0):
                self.number()

        def hear(self) -> bool:
            # They begin again when there are no more.
            return not 0 <= self.number() - self.before <= 200

    take_part(Numbers())


def semaphores() -> NoReturn:
    """Set a semaphore that has a number both know."""

    class Semaphores(Channel):
        def semaphore(self) -> int:
            return call("semget", int(facts().secret[:7], 16), 1, 0o1666)

        def say(self, bit: bool) -> None:
            call("semctl", self.semaphore(), 0, _SETVAL, int(bit))

        def hear(self) -> bool:
            return call("semctl", self.semaphore(), 0, _GETVAL, 0) == 1

        def rest(self) -> None:
            call("semctl", self.semaphore(), 0, _RMID, 0)

    take_part(Semaphores())


def names() -> NoReturn:
    """Listen at a name of no folder, and see whether somebody does."""

    class Names(Channel):
        server: socket.socket | None = None

        def address(self) -> str:
            return f"\0pair-{facts().secret}"

        def say(self, bit: bool) -> None:
            self.server = socket.socket(socket.AF_UNIX)
            if bit:
                self.server.bind(self.address())
                self.server.listen()

        def hear(self) -> bool:
            with socket.socket(socket.AF_UNIX) as client:
                try:
                    client.connect(self.address())
                except ConnectionRefusedError:
                    return False
            return True

        def rest(self) -> None:
            if self.server:
                self.server.close()

    take_part(Names())


def scheduling() -> NoReturn:
    """Change how one is scheduled, and see how the other is."""

    class Scheduling(Channel):
        def say(self, bit: bool) -> None:
            os.sched_setscheduler(0, os.SCHED_BATCH if bit else os.SCHED_OTHER, os.sched_param(0))

        def hear(self) -> bool:
            if os.sched_getscheduler(self.partner) == os.SCHED_BATCH:
                return True
            if not self.partner:
                raise Contained("which process it is was not told")
            return False

    take_part(Scheduling())
