"""Attacks that start more processes and threads than allowed, or leave some behind."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time

from .common import Contained, pause

_FORKS = 400
_THREADS = 600
_LIFE_S = 4
"""Every process ends by itself after this time."""
_DAEMON_S = 20


def _fork_sleeper() -> int:
    pid = os.fork()
    if pid == 0:
        time.sleep(_LIFE_S)
        os._exit(0)
    return pid


def _fork_many(most: int) -> str:
    """Start processes, and end them after a while."""
    children: list[int] = []
    try:
        while len(children) < most:
            children.append(_fork_sleeper())
    except OSError:
        if not children:
            raise
    pause()
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return f"{len(children)} processes"


def forks() -> str:
    """Start hundreds of processes."""
    return _fork_many(_FORKS)


def more_than_allowed() -> str:
    """Start more processes than its manifest asks for."""
    return _fork_many(20)


def tree() -> str:
    """Start processes that start processes, each in its own session."""
    read, write = os.pipe()

    def grow(depth: int) -> None:
        for _ in range(3 if depth else 0):
            if os.fork() == 0:
                os.setsid()
                os.write(write, b"%9d" % os.getpid())
                grow(depth - 1)
                time.sleep(_LIFE_S)
                os._exit(0)

    grow(3)
    found = [int(os.read(read, 9)) for _ in range(3 + 9 + 27)]
    for pid in found:
        os.kill(pid, signal.SIGKILL)
    return f"{len(found)} processes in as many sessions"


def threads() -> str:
    """Start hundreds of threads."""
    over = threading.Event()
    threading.stack_size(64 << 10)
    count = 0
    try:
        for _ in range(_THREADS):
            threading.Thread(target=over.wait, args=(_LIFE_S,), daemon=True).start()
            count += 1
    except RuntimeError as error:
        pause()
        raise Contained(f"{error} after {count}") from None
    pause()
    return f"{count} threads"


def daemon() -> str:
    """Leave a daemon behind."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for descriptor in range(3):
                os.close(descriptor)
            time.sleep(_DAEMON_S)
        os._exit(0)
    os.wait()
    return "left a daemon"


def lingering() -> str:
    """Leave a process behind if possible, and keep running."""
    with contextlib.suppress(OSError):
        daemon()
    print("at work", flush=True)
    time.sleep(_DAEMON_S)
    return "stayed"
