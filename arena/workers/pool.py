"""A pool of worker processes on this machine.

Blocks go to a worker through a pipe, several at a time, and results come back as matches end. A
worker ends with its parent, or on SIGTERM; matches in play are then aborted and its bots are ended.
Between two generations of matches all workers end their bots, and say so.
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
from itertools import count
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Event, Lock, Thread
from types import ModuleType
from typing import NamedTuple, Protocol, runtime_checkable

from arena.errors import ArenaError
from arena.indices import EntrantIndex
from arena.referee.clock import CORES
from arena.sandbox.processor_caches import empty_caches
from arena.sandbox.tempdir import sweep
from arena.workers.block import Block, PackedBot, VoidMatch
from arena.workers.capacity import allow_many_files
from arena.workers.generation_lock import GenerationLock, Interrupted
from arena.workers.worker import Worker
from leaderboard.result import MatchResult

DEFAULT_TABLES = 256
"""More tables make larger messages, which are cheaper; above this number the gain is small."""
_PR_SET_PDEATHSIG = 1
_SEND_DELAY_S = 0.05
"""How long a result waits so that others can be sent with it."""
_EXIT_LIMIT_S = 10.0
"""How long a worker may take to end its bots before it is killed."""


class WorkerDied(ArenaError):
    """A worker process died unexpectedly."""


class Report(NamedTuple):
    """The report of a worker on a block."""

    block: Block
    results: Sequence[MatchResult] = ()
    """Results of matches that ended since the last report."""
    void: Sequence[int] = ()
    """The numbers of matches that have been voided since then."""
    is_over: bool = False
    """Whether this is the last report; matches that no report mentioned were returned unplayed."""
    error: Exception | None = None
    """Why the block cannot be played."""
    worker: str = ""
    """The worker that reports."""


class MachineLoad(NamedTuple):
    """What a machine of a cluster does."""

    name: str
    speed: float
    workers: int
    chunks: int
    """Parts of blocks that are in play there."""
    matches: int
    """Matches in these parts."""
    played: int
    """Matches that it has returned."""


class WorkerPool(Protocol):
    """The interface of a pool: it plays blocks."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Play a block; `report` may be called from any thread."""

    def end_bots(self) -> None:
        """End all processes of bots, on every machine; return when they have ended.

        Nothing may be in play.
        """


@runtime_checkable
class Cluster(WorkerPool, Protocol):
    """A pool on other machines: each worker has one core, and a block is of whole deals."""

    @property
    def jobs(self) -> int:
        """The number of workers, which may change."""

    @property
    def max_processes(self) -> int:
        """How many processes of bots have room on the smallest machine."""

    def machines(self) -> Sequence[MachineLoad]:
        """Return what each machine does."""


@contextmanager
def local_pool(
    jobs: int, *, should_stop: Callable[[], bool] = lambda: False
) -> Iterator[WorkerPool]:
    """Provide up to `jobs` workers on this machine; on exit, end them and their bots.

    From the first `end_bots` on, no other pool of this user that calls it plays at the same time.

    Use it from the main thread only: workers end with the thread that started them. A worker that
    dies when `should_stop` is true is not an error, because the same signal may have ended it.
    """
    workers = _LocalPool(jobs, should_stop)
    try:
        yield workers
    except (WorkerDied, Interrupted):
        if not should_stop():
            raise
    finally:
        workers.close()
        sweep()


class _LocalPool:
    """Starts workers when they are first needed, and gives each block to the least busy one."""

    def __init__(self, jobs: int, should_stop: Callable[[], bool]) -> None:
        self._generation = GenerationLock(should_stop)
        self._jobs = jobs
        self._cores = max(1, CORES // jobs)
        self._workers: list[_LocalWorker] = []

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        worker = min(self._workers, key=lambda each: each.matches, default=None)
        if block.worker:
            worker = self._workers[int(block.worker)]
        elif worker is None or (worker.matches and len(self._workers) < self._jobs):
            worker = _LocalWorker(str(len(self._workers)), self._cores)
            self._workers.append(worker)
        worker.play(block, report)

    def end_bots(self) -> None:
        for worker in self._workers:
            worker.end_bots()
        for worker in self._workers:
            worker.bots_ended.wait()
            if worker.problem:
                raise worker.problem
        self._generation.take()
        empty_caches()

    def close(self) -> None:
        for worker in self._workers:
            worker.terminate()
        for worker in self._workers:
            worker.join()
        self._generation.release()


class _LocalWorker:
    """The parent's handle to one worker process."""

    def __init__(self, name: str, cores: int) -> None:
        self._name = name
        self.bots_ended = Event()
        """Set when it has ended its bots as it was asked, or is dead itself."""
        self.problem: Exception | None = None
        """Why it could not end them."""
        self._numbers = count()
        self._pending: dict[int, tuple[Block, Callable[[Report], None]]] = {}
        self._lock = Lock()
        """Guards `_pending` and `_is_dead`."""
        self._is_dead = False
        self._known: dict[EntrantIndex, PackedBot] = {}
        """The bots whose files it already has."""
        self._process, self._pipe = _start_worker(cores)
        Thread(target=self._read, daemon=True).start()

    @property
    def matches(self) -> int:
        """The number of matches in the blocks that it has not finished."""
        return sum(len(block.matches) for block, _ in list(self._pending.values()))

    def end_bots(self) -> None:
        """Ask it to end the processes of its bots."""
        self.bots_ended.clear()
        try:
            self._pipe.send(None)
        except OSError:
            self.bots_ended.set()
        if self._is_dead:
            self.bots_ended.set()

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        number = next(self._numbers)
        with self._lock:
            self._pending[number] = block, report
            is_dead = self._is_dead
        if is_dead:
            self._report_lost_blocks()
            return
        with suppress(OSError):
            # If the worker is dead, the reading thread notices and reports it.
            self._pipe.send((number, *block.without_files(self._known)))

    def _read(self) -> None:
        """Pass on reports until the worker ends."""
        try:
            with suppress(EOFError, OSError):
                while True:
                    message = self._pipe.recv()
                    if message is None or isinstance(message, Exception):
                        self.problem = message
                        self.bots_ended.set()
                        continue
                    number, outbox, is_over, error = message
                    with self._lock:
                        block, report = self._pending[number]
                        if is_over:
                            del self._pending[number]
                    results, void = split_results(outbox)
                    report(Report(block, results, void, is_over, error, self._name))
        finally:
            with self._lock:
                self._is_dead = True
            self.bots_ended.set()
            self._report_lost_blocks()

    def _report_lost_blocks(self) -> None:
        """Report an error for every unfinished block."""
        with self._lock:
            lost, self._pending = self._pending, {}
        for block, report in lost.values():
            error = WorkerDied("a worker process died; perhaps there is too little memory")
            report(Report(block, is_over=True, error=error))

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def join(self) -> None:
        """Wait for its end, and kill it if that takes too long."""
        if not wait([self._process.sentinel], _EXIT_LIMIT_S):
            self._process.kill()
        self._process.join()


def split_results(
    played: Sequence[MatchResult | VoidMatch],
) -> tuple[list[MatchResult], list[int]]:
    """Return the results, and the numbers of void matches."""
    results = [each for each in played if isinstance(each, MatchResult)]
    return results, [each.number for each in played if isinstance(each, VoidMatch)]


def _start_worker(cores: int) -> tuple[BaseProcess, Connection]:
    """Start a worker process; return it with the parent's end of its pipe."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, os.getpid(), cores), daemon=True)
    # Otherwise Python starts the tracker with the first process, and unblocks SIGINT.
    resource_tracker.ensure_running()
    # Blocked until the worker ignores it.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    # A worker needs nothing of the program that starts it, which would run in it once more.
    program, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
    try:
        process.start()
    finally:
        sys.modules["__main__"] = program
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return process, ours


def _serve(pipe: Connection, parent: int, cores: int) -> None:
    """Run a worker: end with the parent or on SIGTERM, and ignore Ctrl-C."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    allow_many_files()
    asyncio.run(_work(pipe, cores))
    # The reading thread is still blocked on the pipe.
    os._exit(0)


async def _work(pipe: Connection, cores: int) -> None:
    """Play the blocks that come through a pipe until SIGTERM; then abort the matches in play."""
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    # A second SIGTERM must not interrupt the clean-up.
    loop.add_signal_handler(signal.SIGTERM, stopped.set)
    worker = Worker(cores)
    playing: set[asyncio.Task[None]] = set()
    known: dict[EntrantIndex, PackedBot] = {}
    """The bots that have been sent."""

    async def play(number: int, block: Block) -> None:
        error: Exception | None = None
        outbox: list[MatchResult | VoidMatch] = []

        def send() -> None:
            if outbox:
                pipe.send((number, outbox, False, None))
                outbox.clear()

        try:
            async with aclosing(worker.play(block)) as results:
                async for result in results:
                    if not outbox:
                        loop.call_later(_SEND_DELAY_S, send)
                    outbox.append(result)
        except Exception as caught:
            error = _sendable(caught)
        pipe.send((number, outbox, True, error))
        outbox.clear()

    async def end_bots() -> None:
        try:
            await worker.end_bots()
        except Exception as error:
            pipe.send(_sendable(error))
        else:
            pipe.send(None)

    def take(message: tuple[int, Block, tuple[PackedBot, ...]] | None) -> None:
        if message:
            number, block, new = message
            known.update({bot.entrant: bot for bot in new})
            task = asyncio.create_task(play(number, block.with_files(known)))
        else:
            task = asyncio.create_task(end_bots())
        playing.add(task)
        task.add_done_callback(playing.discard)

    def read() -> None:
        with suppress(EOFError, OSError):
            while True:
                loop.call_soon_threadsafe(take, pipe.recv())

    Thread(target=read, daemon=True).start()
    await stopped.wait()
    for task in list(playing):
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    await worker.close()
    # The loop is about to close the pipe that its signal handlers write to.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _sendable(error: Exception) -> Exception:
    """Return the error, or a replacement if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return ArenaError(f"{type(error).__name__}: {error}")
    return error
