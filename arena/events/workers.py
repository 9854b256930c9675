"""Who plays the blocks of an event on this machine?"""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import wait
from multiprocessing.util import Finalize
from typing import ParamSpec, TypeVar

from arena.events.room import BLOCK, leave_room, stay
from arena.sandbox.places import sweep

P = ParamSpec("P")
T = TypeVar("T")
_PR_SET_PDEATHSIG = 1
_LEAVING_S = 10.0
"""How long a worker may take to end its bots."""


@contextmanager
def local_workers(jobs: int) -> Iterator[Executor]:
    """Give an executor with so many referee processes; at the end nothing is left of them.

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
        workers = multiprocessing.active_children()
        for worker in workers:
            worker.terminate()
        for worker in workers:
            if not wait([worker.sentinel], _LEAVING_S):
                worker.kill()
        _unblock(pool)
        pool.shutdown(cancel_futures=True)
        sweep()


def _unblock(pool: ProcessPoolExecutor) -> None:
    """Let go of a block that is being sent to workers which are gone.

    Python before 3.11.5 keeps the pipe's other end open itself, and would wait for ever until
    somebody reads what it has not finished writing (python/cpython#94777).
    """
    reader = getattr(getattr(pool, "_call_queue", None), "_reader", None)
    if reader is not None:
        with suppress(OSError):
            reader.close()


class _Workers(Executor):
    """A pool whose processes can be ended in the middle of their work."""

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        # This may start a worker, and until it can ignore Ctrl-C it must not hear of it.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return self._pool.submit(_work, partial(fn, *args, **kwargs))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(task: Callable[[], T]) -> T:
    try:
        return task()
    except (SystemExit, asyncio.CancelledError):
        # The pool would take it for a result, and go on with what is next in line.
        os._exit(1)


def _begin(owner: int) -> None:
    """Settle how a worker ends: with its owner, or when told to, but not by the terminal."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != owner:
        sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    stay()
    Finalize(None, leave_room, exitpriority=0)


def _leave(*_: object) -> None:
    """Break off what is being done, so that bots are ended on the way out."""
    # Being told once more must not cut that short.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        sys.exit(1)
    # Not here, in the middle of whatever the loop is doing.
    loop.call_soon_threadsafe(_cancel_block)


def _cancel_block() -> None:
    for task in asyncio.all_tasks():
        if task.get_name() == BLOCK:
            task.cancel()
