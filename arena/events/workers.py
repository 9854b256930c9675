"""Who plays the blocks of an event on this machine?"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
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
        yield _Workers(pool)
    finally:
        # Whoever is still at work has no reader for it any more.
        for worker in multiprocessing.active_children():
            worker.terminate()
        pool.shutdown(cancel_futures=True)


class _Workers(Executor):
    """A pool whose processes can be ended in the middle of their work."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self._pool.submit(_work, partial(fn, *args, **kwargs))


def _work(task: Callable[[], T]) -> T:
    try:
        return task()
    except SystemExit:
        pass
    # The pool would take the exception for a result, and go on with what is next in line.
    gc.collect()  # folders are removed with their last users
    os._exit(1)


def _begin(owner: int) -> None:
    """Settle how a worker ends: with its owner, or when told to, but not by the terminal."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != owner:
        sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)


def _leave(*_: object) -> None:
    """Leave by an exception, so that bots are ended and folders removed on the way out."""
    # Being told once more must not cut that short.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        sys.exit(1)
    # Not here, in the middle of whatever the loop is doing.
    loop.call_soon_threadsafe(sys.exit, 1)
