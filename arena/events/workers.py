"""Who plays the blocks of an event on this machine?"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager

_PR_SET_PDEATHSIG = 1


@contextmanager
def local_workers(jobs: int) -> Iterator[Executor]:
    """Give an executor with so many referee processes; at the end none is left.

    The thread that uses it must be the main one: workers end with the thread that started them.
    """
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_begin, initargs=(os.getpid(),)
    )
    try:
        yield pool
    finally:
        # Whoever is still at work has no reader for it any more.
        for worker in multiprocessing.active_children():
            worker.terminate()
        pool.shutdown(cancel_futures=True)


def _begin(owner: int) -> None:
    """Settle how a worker ends: with its owner, or when told to, but not by the terminal."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != owner:
        sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)


def _leave(*_: object) -> None:
    # An exception, so that the bots in play are ended and their folders removed on the way out;
    # being told once more must not cut that short.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(1)
