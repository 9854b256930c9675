"""Attacks that start more processes and threads than allowed, or leave some behind."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time

from .common import Contained, call, pause

_FORKS = 400
_THREADS = 600
_LIFE_S = 4
"""Every process ends by itself after this time."""
_DAEMON_S = 20
_PR_SET_PDEATHSIG = 1


def _fork_sleeper() -> int:
    pid = os.fork()
    if pid == 0:
        time.sleep(_LIFE_S)
        os._exit(0)
    return pid


def forks() -> str:
    """Start hundreds of processes, and end them after a while."""
    children: list[int] = []
    try:
        while len(children) < _FORKS:
            children.append(_fork_sleeper())
    except OSError:
        if not children:
            raise
    pause()
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return f"{len(children)} processes"


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


def _leave_a_daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for descriptor in range(3):
                os.close(descriptor)
            time.sleep(_DAEMON_S)
        os._exit(0)
    os.wait()


def lingering() -> str:
    """Try not to end with the referee, leave a process behind if possible, and keep running."""
    with contextlib.suppress(OSError):
        call("prctl", _PR_SET_PDEATHSIG, 0, 0, 0, 0)
    with contextlib.suppress(OSError):
        _leave_a_daemon()
    print("at work", flush=True)
    time.sleep(_DAEMON_S)
    return "stayed"
