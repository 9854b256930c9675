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
from threading import Event, Thread
from time import sleep
from types import ModuleType
from typing import Protocol, runtime_checkable

from arena.errors import ArenaError
from arena.indices import EntrantIndex
from arena.referee.clock import CORES
from arena.sandbox.bot_process import describe_exit
from arena.sandbox.processor_caches import empty_caches
from arena.sandbox.tempdir import sweep
from arena.workers.assignments import HERE, Assignments, BlockKillsWorkers, ChunkTask, MachineLoad
from arena.workers.block import Block, PackedBot, Report, VoidMatch
from arena.workers.capacity import allow_many_files
from arena.workers.generation_lock import GenerationLock, Interrupted
from arena.workers.worker import Worker
from leaderboard.result import MatchResult

DEFAULT_TABLES = 256
"""More tables make larger messages, which are cheaper; above this number the gain is small."""
_PR_SET_PDEATHSIG = 1
_SEND_DELAY_S = 0.05
"""How long a result waits so that others can be sent with it."""
_WORK_S = 0.5
"""How often a worker reports what it has done, although no match has ended."""
_EXIT_LIMIT_S = 10.0
"""How long a worker may take to end its bots before it is killed."""


class WorkerPool(Protocol):
    """The interface of a pool: it plays blocks."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Play a block; `report` may be called from any thread."""

    def end_bots(self) -> None:
        """End all processes of bots, on every machine; return when they have ended.

        Nothing may be in play. Others who wait for this machine then have their turns.
        """

    @property
    def is_turn_over(self) -> bool:
        """Whether others have waited long enough for this machine."""


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
    jobs: int,
    *,
    should_stop: Callable[[], bool] = lambda: False,
    say: Callable[[str], object] = lambda sentence: None,
) -> Iterator[WorkerPool]:
    """Provide up to `jobs` workers on this machine; on exit, end them and their bots.

    From the first `end_bots` on, no other pool of this user that calls it plays at the same time.

    Use it from the main thread only: workers end with the thread that started them. A worker that
    dies is replaced, and `say` is called with a sentence, unless `should_stop` is true: then the
    same signal may have ended it.
    """
    workers = _LocalPool(jobs, should_stop, say)
    try:
        yield workers
    except (BlockKillsWorkers, Interrupted):
        if not should_stop():
            raise
    finally:
        workers.close()
        sweep()


class _LocalPool:
    """Starts workers when they are needed."""

    def __init__(
        self, jobs: int, should_stop: Callable[[], bool], say: Callable[[str], object]
    ) -> None:
        self._generation = GenerationLock(should_stop)
        self._jobs = jobs
        self._cores = max(1, CORES // jobs)
        self._should_stop = should_stop
        self._say = say
        self._assignments = Assignments(self._send)
        self._workers: dict[str, _LocalWorker] = {}
        """By the number of each, from 1; those that have died are replaced by others."""
        self._numbers = count(1)
        self._has_lost = False
        """Whether a worker has died since the bots ended."""

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        alive = self._assignments.workers
        pending = sum(worker.load for worker in alive) + len(block.matches)
        for _ in range(len(alive), min(self._jobs, pending)):
            name = str(next(self._numbers))
            self._workers[name] = _LocalWorker(name, self._cores, self._assignments, self._lose)
            self._assignments.add_worker(name, name, HERE)
        self._assignments.play(block, report)

    def _send(self, task: ChunkTask) -> None:
        self._workers[task.worker].send(task)

    def _lose(self, worker: _LocalWorker, how: str) -> None:
        """Give up the matches of a worker that has died; called in another thread."""
        self._has_lost = True
        if not self._should_stop():
            self._say(f"worker {worker.name} {how}; its matches are played again")
        self._assignments.lose_worker(worker.name, how)

    def end_bots(self) -> None:
        workers = list(self._workers.values())
        for worker in workers:
            worker.end_bots()
        for worker in workers:
            worker.bots_ended.wait()
            if worker.problem:
                raise worker.problem
        if self._has_lost:
            self._has_lost = False
            sweep()
        self._generation.take()
        empty_caches()

    @property
    def is_turn_over(self) -> bool:
        return self._generation.is_over

    def close(self) -> None:
        for worker in self._workers.values():
            worker.terminate()
        for worker in self._workers.values():
            worker.join()
        self._generation.release()


class _LocalWorker:
    """The parent's handle to one worker process."""

    def __init__(
        self,
        name: str,
        cores: int,
        assignments: Assignments,
        on_death: Callable[[_LocalWorker, str], None],
    ) -> None:
        self.name = name
        self.bots_ended = Event()
        """Set when it has ended its bots as it was asked, or is dead itself."""
        self.problem: Exception | None = None
        """Why it could not end them."""
        self._assignments = assignments
        self._on_death = on_death
        self._is_closing = self._is_dead = False
        self._process, self._pipe = _start_worker(cores)
        Thread(target=self._read, daemon=True).start()

    def send(self, task: ChunkTask | None) -> None:
        """Send it something to play, or None: that it ends its bots."""
        # If it is dead, the reading thread notices and reports it.
        with suppress(OSError):
            self._pipe.send(task)

    def end_bots(self) -> None:
        """Ask it to end the processes of its bots."""
        self.bots_ended.clear()
        self.send(None)
        if self._is_dead:
            self.bots_ended.set()

    def _read(self) -> None:
        """Pass on results until the worker ends."""
        with suppress(EOFError, OSError):
            while True:
                message = self._pipe.recv()
                if message is None or isinstance(message, Exception):
                    self.problem = message
                    self.bots_ended.set()
                    continue
                number, outbox, is_over, error, work = message
                if error:
                    self._assignments.fail(error)
                else:
                    self._assignments.add_results(number, outbox, is_over=is_over, work=work)
        if not self._is_closing:
            self._process.join()
            # Python collects children wherever it starts or lists processes. Another thread that
            # did so is about to note the exit code.
            while self._process.exitcode is None:
                sleep(0.001)
            self._on_death(self, describe_exit(self._process.exitcode))
        self._is_dead = True
        self.bots_ended.set()

    def terminate(self) -> None:
        """Ask it to end."""
        self._is_closing = True
        self._process.terminate()

    def join(self) -> None:
        """Wait for its end, and kill it if that takes too long."""
        if not wait([self._process.sentinel], _EXIT_LIMIT_S):
            self._process.kill()
        self._process.join()


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

    numbers: set[int] = set()
    """The blocks in play."""

    async def report_work() -> None:
        while True:
            await asyncio.sleep(_WORK_S)
            for number in list(numbers)[:1]:
                pipe.send((number, [], False, None, worker.work()))

    async def play(number: int, block: Block) -> None:
        error: Exception | None = None
        outbox: list[MatchResult | VoidMatch] = []

        def send() -> None:
            if outbox:
                pipe.send((number, outbox, False, None, worker.work()))
                outbox.clear()

        numbers.add(number)
        try:
            async with aclosing(worker.play(block)) as results:
                async for result in results:
                    if not outbox:
                        loop.call_later(_SEND_DELAY_S, send)
                    outbox.append(result)
        except Exception as caught:
            error = _sendable(caught)
        numbers.remove(number)
        pipe.send((number, outbox, True, error, worker.work()))
        outbox.clear()

    async def end_bots() -> None:
        try:
            await worker.end_bots()
        except Exception as error:
            pipe.send(_sendable(error))
        else:
            pipe.send(None)

    def take(chunk: ChunkTask | None) -> None:
        if chunk:
            known.update({bot.entrant: bot for bot in chunk.bots})
            task = asyncio.create_task(play(chunk.number, chunk.block.with_files(known)))
        else:
            task = asyncio.create_task(end_bots())
        playing.add(task)
        task.add_done_callback(playing.discard)

    def read() -> None:
        with suppress(EOFError, OSError):
            while True:
                loop.call_soon_threadsafe(take, pipe.recv())

    Thread(target=read, daemon=True).start()
    playing.add(asyncio.create_task(report_work()))
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
