"""Play the chunks that a worker of a cluster gets, and keep bots and their files.

The matches run in an event loop in a separate thread, so that the worker can talk to the
scheduler meanwhile. Each run of an event or comparison has its own referee and bots, which end
when the run says so, when it no longer wants a chunk, or when it has not sent one for some time:
whoever runs it may have been killed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Coroutine, Sequence
from concurrent.futures import wait
from contextlib import aclosing
from threading import Thread
from typing import Any

from arena.errors import ArenaError
from arena.indices import EntrantIndex
from arena.sandbox.processor_caches import empty_caches
from arena.sandbox.tempdir import sweep
from arena.workers.block import Block, PackedBot, VoidMatch
from arena.workers.capacity import allow_many_files
from arena.workers.cluster.assignments import ChunkTask
from arena.workers.cluster.hello import is_running
from arena.workers.worker import Worker
from leaderboard.result import MatchResult

IDLE_LIMIT_S = 300.0
"""How long bots are kept while their run sends no chunk."""
_IDLE_POLL_S = 30.0
_POLL_S = 1.0
"""How often a chunk in play asks whether someone still wants it."""
_CLOSE_LIMIT_S = 10.0
_END_LIMIT_S = 60.0
"""How long the bots of a run may take to end: there may be many."""
_LOST_POLL_S = 0.05


class MissingFiles(ArenaError):
    """The files of a bot must be sent again."""


class _Run:
    """What is kept for one run of an event or comparison."""

    def __init__(self) -> None:
        self.known: dict[EntrantIndex, PackedBot] = {}
        """The bots whose files have arrived."""
        self.worker = Worker(cores=1)
        self.playing: set[asyncio.Task[Any]] = set()
        self.last_used = 0.0

    async def end(self) -> None:
        """Abort the matches in play, end the bots and remove their files."""
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        await self.worker.close()


class ChunkPlayer:
    """Plays chunks, several at once, and keeps bots running from one to the next."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Start the thread."""
        allow_many_files()
        self._now = now
        self._runs: dict[str, _Run] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="matches", daemon=True)
        self._thread.start()
        self._idle_watch = asyncio.run_coroutine_threadsafe(self._watch_idle(), self._loop)

    def keep(self, task: ChunkTask) -> None:
        """Keep the files of bots that have arrived."""
        self._wait(self._keep(task.run, task.bots))

    def play(
        self, task: ChunkTask, *, is_wanted: Callable[[], bool]
    ) -> list[MatchResult | VoidMatch]:
        """Play a chunk to its end; end its run when `is_wanted` returns false.

        Raise `MissingFiles` if files of a bot are not here any more. If it was aborted, all its
        matches are void, as some of them had begun.
        """
        playing = asyncio.run_coroutine_threadsafe(self._play(task.run, task.block), self._loop)
        while not wait([playing], _POLL_S).done:
            if not is_wanted():
                self.end_run(task.run)
        if playing.cancelled():
            return [VoidMatch(match.number) for match in task.block.matches]
        return playing.result()

    def end_bots(self, run: str, *, lost: Collection[str] = ()) -> None:
        """End the processes of all bots of a run, and what dead workers have left on this machine.

        Whatever is still in play for that run is aborted first: nobody waits for it any more.
        `lost` are workers of this machine, by `process_id`, that are out of reach and about to
        end: their bots end before this returns.
        """
        until = time.monotonic() + _END_LIMIT_S
        while alive := [process for process in lost if is_running(process)]:
            if time.monotonic() > until:
                raise ArenaError(f"a lost worker, process {alive[0].split()[0]}, is still running")
            time.sleep(_LOST_POLL_S)
        self._wait_for_end(self._end_bots(run))
        empty_caches()

    def runs(self) -> list[str]:
        """Return the runs that have bots or files here."""
        return list(self._runs)

    def end_runs(self, runs: Collection[str]) -> None:
        """End runs, and what dead workers have left on this machine."""
        self._wait_for_end(self._end_runs(runs))

    def end_run(self, run: str) -> None:
        """Abort the chunks of a run, end its bots and forget its files."""
        self._wait(self._end_run(run))

    def end_idle_runs(self) -> None:
        """End the runs that have sent nothing for too long."""
        self._wait(self._end_idle_runs())

    def close(self) -> None:
        """End all runs, and the thread."""
        self._idle_watch.cancel()
        self._wait(self._end_runs(self.runs()))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSE_LIMIT_S)
        if not self._thread.is_alive():
            self._loop.close()

    def _wait_for_end(self, coroutine: Coroutine[Any, Any, None]) -> None:
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        if not wait([future], _END_LIMIT_S).done:
            future.cancel()
            raise ArenaError(f"some bots are still running after {_END_LIMIT_S:.0f} s")
        future.result()
        sweep()

    def _wait(self, coroutine: Coroutine[Any, Any, None]) -> None:
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        if not wait([future], _CLOSE_LIMIT_S).done:
            future.cancel()

    async def _keep(self, run: str, bots: Sequence[PackedBot]) -> None:
        self._used(run).known.update({bot.entrant: bot for bot in bots})

    def _used(self, name: str) -> _Run:
        run = self._runs.setdefault(name, _Run())
        run.last_used = self._now()
        return run

    async def _play(self, name: str, block: Block) -> list[MatchResult | VoidMatch]:
        run = self._used(name)
        task = asyncio.current_task()
        assert task
        run.playing.add(task)
        try:
            try:
                complete = block.with_files(run.known)
            except KeyError as error:
                raise MissingFiles(f"the files of entrant {error} have not arrived") from None
            async with aclosing(run.worker.play(complete)) as results:
                return [result async for result in results]
        finally:
            run.playing.discard(task)
            run.last_used = self._now()

    async def _end_bots(self, name: str) -> None:
        run = self._runs.get(name)
        if run and run.playing:
            await run.end()
        elif run:
            await run.worker.end_bots()

    async def _end_run(self, name: str) -> None:
        run = self._runs.pop(name, None)
        if run:
            await run.end()

    async def _end_idle_runs(self) -> None:
        oldest = self._now() - IDLE_LIMIT_S
        for name, run in list(self._runs.items()):
            if not run.playing and run.last_used <= oldest:
                await self._end_run(name)

    async def _watch_idle(self) -> None:
        while True:
            await asyncio.sleep(_IDLE_POLL_S)
            await self._end_idle_runs()

    async def _end_runs(self, names: Collection[str]) -> None:
        for name in names:
            await self._end_run(name)
