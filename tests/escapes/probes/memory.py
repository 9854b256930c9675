"""Attacks that use more memory than is allowed."""

from __future__ import annotations

import ctypes
import mmap
import os
import struct
import tempfile
import threading
import time
from typing import NoReturn

from .common import MIB, Contained, call, check_result, libc, pause

_ENOUGH = 320 * MIB
"""Three times the limit of these attacks."""
_STEP = 16 * MIB
_HOARD = 150 * MIB
"""More than the limit of 96 MiB, but not so much that the kernel refuses it by itself."""
_IPC_PRIVATE, _IPC_RMID = 0, 0
_READ_AND_WRITE = mmap.PROT_READ | mmap.PROT_WRITE
_MAP_GROWSDOWN = 0x100

libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


def _in_mib(bytes_: int) -> str:
    return f"{bytes_ // MIB} MiB"


def _touch(memory: mmap.mmap) -> mmap.mmap:
    for offset in range(0, len(memory), mmap.PAGESIZE):
        memory[offset] = 1
    return memory


def one_process() -> str:
    """Allocate a large block and write to it."""
    held: list[bytes] = []
    try:
        while len(held) * _STEP < _ENOUGH:
            held.append(b"x" * _STEP)
    finally:
        pause()
    return _in_mib(len(held) * _STEP)


def many_small() -> str:
    """Allocate very many small blocks."""
    held: list[bytes] = []
    try:
        while len(held) * 1024 < _ENOUGH:
            held.append(b"x" * 1000 + len(held).to_bytes(4, "big"))
    finally:
        pause()
    return _in_mib(len(held) * 1024)


def shared_anonymous() -> str:
    """Map shared memory without a file."""
    return _in_mib(len(_touch(mmap.mmap(-1, _ENOUGH, flags=mmap.MAP_SHARED | mmap.MAP_ANONYMOUS))))


def zero_device() -> str:
    """Map /dev/zero as shared memory."""
    with open("/dev/zero", "r+b") as device:
        return _in_mib(len(_touch(mmap.mmap(device.fileno(), _ENOUGH, flags=mmap.MAP_SHARED))))


def grows_down() -> str:
    """Map a stack that grows."""
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_GROWSDOWN
    return _in_mib(len(_touch(mmap.mmap(-1, _ENOUGH, flags=flags))))


def system_v() -> str:
    """Fill System V segments, which belong to no process."""
    segments = []
    libc.shmat.restype = ctypes.c_void_p
    try:
        for _ in range(4):
            segments.append(call("shmget", _IPC_PRIVATE, _ENOUGH // 4, 0o600))
            address = libc.shmat(segments[-1], None, 0)
            ctypes.memset(address, 1, _ENOUGH // 4)
            check_result(libc.shmdt(ctypes.c_void_p(address)))
    finally:
        for segment in segments:
            call("shmctl", segment, _IPC_RMID, None)
    return _in_mib(_ENOUGH)


def memory_file() -> str:
    """Fill a file from memfd_create, which is in no folder."""
    descriptor = call("memfd_create", b"probe", 0)
    for _ in range(_ENOUGH // _STEP):
        os.write(descriptor, b"x" * _STEP)
    return _in_mib(_ENOUGH)


def mapped_file() -> str:
    """Map a file in /tmp and write to the memory."""
    with tempfile.TemporaryFile(dir="/tmp") as file:
        os.ftruncate(file.fileno(), 10 * MIB)
        _touch(mmap.mmap(file.fileno(), 10 * MIB))
        pause()
        os.ftruncate(file.fileno(), 64 * MIB)
        return _in_mib(len(_touch(mmap.mmap(file.fileno(), 64 * MIB))))


def huge_pages_in_pipes() -> str:
    """Put one byte of each huge page into a pipe, and give the page back."""
    size = 2 * MIB
    held = []
    count = 0
    while count * size < _ENOUGH // 2:
        if count % 15 == 0:
            held.append(os.pipe())
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        start = libc.mmap(None, 2 * size, _READ_AND_WRITE, flags, -1, 0)
        page = (start + size - 1) // size * size
        libc.madvise(ctypes.c_void_p(page), ctypes.c_size_t(size), mmap.MADV_HUGEPAGE)
        ctypes.memset(page, 1, size)
        call("vmsplice", held[-1][1], struct.pack("PN", page, 1), 1, 0)
        libc.munmap(start, 2 * size)
        count += 1
    return f"{_in_mib(count * size)} that it no longer maps"


def headless() -> NoReturn:
    """Allocate in a process whose first thread has ended."""

    def hoard() -> None:
        time.sleep(0.05)
        held = b"x" * _HOARD
        pause()
        detail = f"{_in_mib(len(held))} without a first thread"
        print(f'{{"escaped": true, "detail": "{detail}"}}', flush=True)
        os._exit(0)

    threading.Thread(target=hoard).start()
    call("exit", 0)
    raise Contained("it did not end")
