"""Attacks that use more memory than is allowed."""

from __future__ import annotations

import mmap
import os
import tempfile
import threading
import time
from typing import NoReturn

from .common import MIB, Contained, call, pause

_ENOUGH = 320 * MIB
"""Three times the limit of these attacks."""
_STEP = 16 * MIB
_HOARD = 150 * MIB
"""More than the limit of 96 MiB, but not so much that the kernel refuses it by itself."""
_MAP_GROWSDOWN = 0x100


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


def mapped_file() -> str:
    """Map a file in /tmp and write to the memory."""
    with tempfile.TemporaryFile(dir="/tmp") as file:
        os.ftruncate(file.fileno(), 10 * MIB)
        _touch(mmap.mmap(file.fileno(), 10 * MIB))
        pause()
        os.ftruncate(file.fileno(), 64 * MIB)
        return _in_mib(len(_touch(mmap.mmap(file.fileno(), 64 * MIB))))


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
