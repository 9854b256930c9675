"""Attacks by two bots through the files that all bots see.

None of these files is writable. But the kernel keeps parts of files in memory, caches names that
were looked up, and stores times and hints, and all of that is shared by all cages.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import struct
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from .common import Contained, call, check_result, facts, libc
from .pairs import Channel

LARGE = "large.bin"
"""A file that the host adds to the bots' environment."""
PAGE = mmap.PAGESIZE
_FAR = 16 * PAGE
"""The kernel reads a little ahead, but not as far as this."""
_MADVPAGEOUT = 21
_AT_FDCWD = -100
_UTIME_NOW = (1 << 30) - 1
_F_GET_RW_HINT, _F_SET_RW_HINT = 1035, 1036
_HINT_NONE, _HINT_LONG = 1, 4
_FIGETBSZ = 2
_FUTEX_WAIT, _FUTEX_WAKE = 0, 1
_MANY = 100_000


def large_file() -> Path:
    """Return a shared file that fills many pages and that no program needs."""
    paths = [Path(folder, LARGE) for folder in (facts().environment, sys.prefix)]
    return next(path for path in paths if path.exists())


@contextlib.contextmanager
def map_large_file() -> Iterator[tuple[int, int]]:
    """Map that file, and yield its address and size."""
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    with large_file().open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        address = libc.mmap(None, size, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    if address == ctypes.c_void_p(-1).value:
        check_result(-1)
    try:
        yield address, size
    finally:
        libc.munmap(address, size)


class _Reading(Channel):
    """One bot reads a page or not; before each bit the host makes the kernel evict it."""

    def send(self, bit: bool) -> None:
        if bit:
            with large_file().open("rb", buffering=0) as file:
                os.pread(file.fileno(), 1, _FAR)


class WithoutWaiting(_Reading):
    """Learn by preadv2 whether the other bot has read a page."""

    def receive(self) -> bool:
        with large_file().open("rb", buffering=0) as file:
            try:
                os.preadv(file.fileno(), [bytearray(1)], _FAR, os.RWF_NOWAIT)
            except BlockingIOError:
                return False
        return True


def forgotten() -> str:
    """Make the kernel evict a shared file; the host sees whether it has."""
    with large_file().open("rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return "asked for"


def paged_out() -> str:
    """Make the kernel evict it through its mapping."""
    with map_large_file() as (address, size):
        # Only mapped pages are evicted.
        ctypes.string_at(address, size)
        check_result(libc.madvise(ctypes.c_void_p(address), ctypes.c_size_t(size), _MADVPAGEOUT))
    return "asked for"


class Hinted(Channel):
    """Set a hint on a file about the lifetime of its data."""

    def send(self, bit: bool) -> None:
        with large_file().open("rb") as file:
            hint = struct.pack("Q", _HINT_LONG if bit else _HINT_NONE)
            fcntl.fcntl(file, _F_SET_RW_HINT, hint)

    def receive(self) -> bool:
        with large_file().open("rb") as file:
            found = fcntl.fcntl(file, _F_GET_RW_HINT, struct.pack("Q", 0))
        return found == struct.pack("Q", _HINT_LONG)

    def reset(self) -> None:
        self.send(False)


def asked() -> str:
    """Ask a file system about a file: some report which parts are in memory."""
    with large_file().open("rb") as file:
        found = fcntl.ioctl(file, _FIGETBSZ, bytes(4))
    return f"blocks of {struct.unpack('i', found)[0]}"


class _Touching(Channel):
    """One bot changes the time of a file or not, and the other compares."""

    path = ""
    before = 0

    def prepare(self) -> None:
        self.before = os.stat(self.path).st_mtime_ns

    def send(self, bit: bool) -> None:
        before = os.stat(self.path).st_mtime_ns
        # The kernel's clock for files ticks slowly.
        for _ in range(_MANY if bit else 0):
            self.touch()
            if os.stat(self.path).st_mtime_ns != before:
                break

    def touch(self) -> None:
        os.utime(self.path)

    def receive(self) -> bool:
        return os.stat(self.path).st_mtime_ns != self.before


class TouchedDevice(_Touching):
    """Change the time of a device that every user may write to."""

    path = "/dev/null"


class TouchedInWords(_Touching):
    """Change it to the present by an explicit argument (UTIME_NOW)."""

    path = "/dev/null"

    def touch(self) -> None:
        times = struct.pack("4l", 0, _UTIME_NOW, 0, _UTIME_NOW)
        check_result(libc.utimensat(_AT_FDCWD, self.path.encode(), times, 0))


class TouchedFile(_Touching):
    """Change the time of a file that belongs to the bots' user."""

    def __init__(self) -> None:
        self.path = str(large_file())


class OpenedToAll(Channel):
    """Change the mode of a file that belongs to the bots' user."""

    def send(self, bit: bool) -> None:
        large_file().chmod(0o666 if bit else 0o644)

    def receive(self) -> bool:
        return bool(large_file().stat().st_mode & 0o022)

    def reset(self) -> None:
        self.send(False)


class ReadTime(_Reading):
    """Learn by the access time of a file whether the other bot has read it."""

    before = 0

    def prepare(self) -> None:
        self.before = large_file().stat().st_atime_ns

    def receive(self) -> bool:
        return large_file().stat().st_atime_ns != self.before


class Woken(Channel):
    """Wait on a page of a file, and be woken by the other bot."""

    def __init__(self) -> None:
        self.mapping = map_large_file()
        self.address, _ = self.mapping.__enter__()
        self.value = struct.unpack("i", ctypes.string_at(self.address, 4))[0]
        self.woken = threading.Event()

    def prepare(self) -> None:
        self.woken.clear()
        self.thread = threading.Thread(target=self.wait, daemon=True)
        self.thread.start()

    def wait(self) -> None:
        call("futex", self.address, _FUTEX_WAIT, self.value, None)
        self.woken.set()

    def wakes(self) -> bool:
        return call("futex", self.address, _FUTEX_WAKE, 1) == 1

    def send(self, bit: bool) -> None:
        # Until the other bot is waiting.
        if bit and not any(self.wakes() for _ in range(_MANY)):
            raise Contained("no one waits")

    def receive(self) -> bool:
        by_itself = False
        for _ in range(_MANY):
            by_itself |= not self.woken.is_set() and self.wakes()
            if self.woken.wait(0.01 if by_itself else 0):
                self.thread.join()
                return not by_itself
        raise Contained("no one can be woken")
