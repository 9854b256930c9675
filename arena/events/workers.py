"""Who plays the blocks of an event on this machine?

Each worker is a process of its own. Blocks go to it through a pipe, several of them at a time, and
results come back as matches end. A worker ends with its owner, or when it is told to; whatever is
in play then is broken off, and its bots are ended.
"""

from __future__ import annotations

import asyncio
import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import replace
from itertools import count
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Lock, Thread
from typing import NamedTuple, Protocol

from arena.errors import ArenaError
from arena.events.room import Worker
from arena.events.work import Block
from arena.sandbox.places import sweep
from leaderboard.results import Result

_PR_SET_PDEATHSIG = 1
_BUSIER = 4
"""By how many blocks a worker may be busier than another and still get more."""
_SEND_S = 0.05
"""How long a result waits for others to travel with."""
_LEAVING_S = 10.0
"""How long a worker may take to end its bots."""


class WorkerDied(ArenaError):
    """A worker process came to a sudden end."""


class Report(NamedTuple):
    """What a worker says of a block."""

    block: Block
    results: Sequence[Result] = ()
    """Of matches that are over and were not reported before."""
    is_over: bool = False
    """Whether no more will come; what has no result by then was handed back."""
    error: Exception | None = None
    """Why the block cannot be played."""


class Workers(Protocol):
    """Whoever plays blocks."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Have a block played; reports of it may come from any thread."""


@contextmanager
def local_workers(jobs: int) -> Iterator[Workers]:
    """Give so many workers on this machine; at the end nothing is left of them.

    The thread that uses them must be the main one: workers end with the thread that started them.
    """
    workers = _LocalWorkers(jobs)
    try:
        yield workers
    finally:
        workers.close()
        sweep()


class _LocalWorkers:
    """Starts workers when they are first needed.

    A block goes to the worker of its lane, where processes are that have not met its deals, unless
    that one is much busier than another.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._workers: list[_LocalWorker] = []

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        lane = block.lane % self._jobs
        while len(self._workers) <= lane:
            self._workers.append(_LocalWorker())
        worker = self._workers[lane]
        least = min(self._workers, key=lambda each: each.blocks)
        (worker if worker.blocks <= least.blocks + _BUSIER else least).play(block, report)

    def close(self) -> None:
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join()


class _LocalWorker:
    """The owner's end of one worker."""

    def __init__(self) -> None:
        self._numbers = count()
        self._pending: dict[int, tuple[Block, Callable[[Report], None]]] = {}
        self._lock = Lock()
        """Held while `_pending` or `_is_dead` is looked at and changed."""
        self._is_dead = False
        self._packages: set[str] = set()
        """The hashes of the bots that it has."""
        self._process, self._pipe = _started()
        Thread(target=self._read, daemon=True).start()

    @property
    def blocks(self) -> int:
        """How many it has."""
        return len(self._pending)

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        number = next(self._numbers)
        with self._lock:
            self._pending[number] = block, report
            is_dead = self._is_dead
        if is_dead:
            self._bury()
            return
        new = {each.hash: each.package for each in block.contenders}
        for known in self._packages.intersection(new):
            del new[known]
        self._packages.update(new)
        light = tuple(replace(each, package=b"") for each in block.contenders)
        with suppress(OSError):
            # If nobody reads it any more, the reader knows.
            self._pipe.send((number, replace(block, contenders=light), new))

    def _read(self) -> None:
        """Take what comes back, until the worker ends."""
        try:
            with suppress(EOFError, OSError):
                while True:
                    number, results, is_over, error = self._pipe.recv()
                    with self._lock:
                        block, report = self._pending[number]
                        if is_over:
                            del self._pending[number]
                    report(Report(block, results, is_over, error))
        finally:
            with self._lock:
                self._is_dead = True
            self._bury()

    def _bury(self) -> None:
        """Say of all that it had that nothing will come of it."""
        with self._lock:
            lost, self._pending = self._pending, {}
        for block, report in lost.values():
            error = WorkerDied("a worker process died; perhaps there is too little memory")
            report(Report(block, is_over=True, error=error))

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def join(self) -> None:
        """Wait for its end, but not for ever."""
        if not wait([self._process.sentinel], _LEAVING_S):
            self._process.kill()
        self._process.join()


def _started() -> tuple[BaseProcess, Connection]:
    """Start a worker, and return it with the owner's end of its pipe."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, os.getpid()), daemon=True)
    # Python starts this along with the first process, and lets Ctrl-C through again when it does.
    resource_tracker.ensure_running()
    # Until it can ignore Ctrl-C it must not hear of it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return process, ours


def _serve(pipe: Connection, owner: int) -> None:
    """Be a worker: end with the owner or when told to, but not by the terminal."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != owner:
        sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    asyncio.run(_work(pipe))
    # The thread that reads still waits for more.
    os._exit(0)


async def _work(pipe: Connection) -> None:
    """Play what comes through a pipe until told to end; then break off what is in play."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    # Being told once more must not cut the end short: it says the same again.
    loop.add_signal_handler(signal.SIGTERM, stopped.set)
    worker = Worker()
    playing: set[asyncio.Task[None]] = set()
    packages: dict[str, bytes] = {}
    """By hash: each comes once."""

    async def play(number: int, block: Block) -> None:
        error: Exception | None = None
        outbox: list[Result] = []

        def send() -> None:
            if outbox:
                pipe.send((number, outbox, False, None))
                outbox.clear()

        try:
            async with aclosing(worker.play(block)) as results:
                async for result in results:
                    if not outbox:
                        loop.call_later(_SEND_S, send)
                    outbox.append(result)
        except Exception as caught:
            error = _sendable(caught)
        pipe.send((number, outbox, True, error))
        outbox.clear()

    def begin(number: int, light: Block, new: dict[str, bytes]) -> None:
        packages.update(new)
        bots = tuple(replace(each, package=packages[each.hash]) for each in light.contenders)
        task = asyncio.create_task(play(number, replace(light, contenders=bots)))
        playing.add(task)
        task.add_done_callback(playing.discard)

    def read() -> None:
        with suppress(EOFError, OSError):
            while True:
                loop.call_soon_threadsafe(begin, *pipe.recv())

    Thread(target=read, daemon=True).start()
    await stopped.wait()
    for task in list(playing):
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await worker.close()


def _sendable(error: Exception) -> Exception:
    """Return an error that arrives at the other end of a pipe: not all can be taken apart."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return ArenaError(f"{type(error).__name__}: {error}")
    return error
