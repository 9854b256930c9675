"""Attacks that exceed a limit where a watchdog might not see it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable

from .common import MIB, NOTICED_S, Contained, call, pause
from .memory import ENOUGH

_HOARD = 150 * MIB
"""More than the limit of 96 MiB, but not so much that the kernel refuses it by itself."""
_LIFE_S = 4
_STEPS = 8
_THREADS = 960
_CHILDREN = 40
_ENOUGH_S = 1.6
"""The limit is 1 s."""


def _without_first_thread(work: Callable[[], str]) -> None:
    """Run `work` in a thread while the first thread of the process ends."""

    def work_and_report() -> None:
        time.sleep(0.05)
        print(f'{{"escaped": true, "detail": "{work()}"}}', flush=True)
        os._exit(0)

    threading.Thread(target=work_and_report).start()
    call("exit", 0)


def _hoard() -> str:
    held = b"x" * _HOARD
    pause()
    return f"{len(held) // MIB} MiB without a first thread"


def headless() -> str:
    """Allocate in a process whose first thread has ended."""
    _without_first_thread(_hoard)
    raise Contained("it did not end")


def headless_child() -> str:
    """Allocate in a child whose first thread has ended."""
    child = os.fork()
    if child == 0:
        _without_first_thread(_hoard)
    time.sleep(_LIFE_S)
    return "no limit stopped it"


def shared_with_children() -> str:
    """Allocate in small steps, and share each block with a new child."""
    held = []
    for _ in range(_STEPS):
        held.append(b"x" * (ENOUGH // _STEPS))
        if os.fork() == 0:
            time.sleep(_LIFE_S)
            os._exit(0)
    pause()
    return f"{ENOUGH // MIB} MiB that {_STEPS} processes share"


def ignored_children() -> str:
    """Compute in processes that no parent waits for."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(_CHILDREN):
        read, write = os.pipe()
        if os.fork() == 0:
            deadline = time.process_time() + _ENOUGH_S / _CHILDREN
            while time.process_time() < deadline:
                pass
            os._exit(0)
        os.close(write)
        os.read(read, 1)
        os.close(read)
    time.sleep(NOTICED_S)
    return f"{_ENOUGH_S} s in {_CHILDREN} processes that were never waited for"


def idle_threads() -> str:
    """Have very many threads that do nothing, which slows down whatever inspects them."""
    over = threading.Event()
    threading.stack_size(64 << 10)
    count = 0
    try:
        while count < _THREADS:
            threading.Thread(target=over.wait, args=(_LIFE_S,), daemon=True).start()
            count += 1
    except RuntimeError as error:
        pause()
        raise Contained(f"{error} after {count}") from None
    pause()
    return f"{count} threads"
