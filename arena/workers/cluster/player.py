"""Play the chunks that a worker of a cluster gets, and keep bots and their files.

The matches run in an event loop in a separate thread, so that the worker can talk to the
scheduler meanwhile. Each run of an event or comparison has its own referee and bots, which end
when the run says so, when it no longer wants a chunk, or when its organiser is gone.
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
from arena.sandbox.tempdir import sweep
from arena.workers.assignments import ChunkTask
from arena.workers.block import Block, PackedBot, VoidMatch
from arena.workers.capacity import allow_many_files
from arena.workers.cluster.hello import is_running
from arena.workers.worker import Worker
from leaderboard.result import MatchResult

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

    async def end(self) -> None:
        """Abort the matches in play, end the bots and remove their files."""
        for task in self.playing:
            task.cancel()
        await asyncio.gather(*self.playing, return_exceptions=True)
        await self.worker.close()


class ChunkPlayer:
    """Plays chunks, several at once, and keeps bots running from one to the next."""

    def __init__(self) -> None:
        """Start the thread."""
        allow_many_files()
        self._runs: dict[str, _Run] = {}
        self._endings: dict[asyncio.Task[None], str] = {}
        """The runs that are ending."""
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="matches", daemon=True)
        self._thread.start()

    def keep(self, task: ChunkTask) -> None:
        """Keep the files of bots that have arrived."""
        asyncio.run_coroutine_threadsafe(self._keep(task.run, task.bots), self._loop)

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
                asyncio.run_coroutine_threadsafe(self._end_runs([task.run]), self._loop)
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

    def runs(self) -> list[str]:
        """Return the runs that have bots or files here."""
        return [*self._runs, *self._endings.values()]

    def end_runs(self, runs: Collection[str]) -> None:
        """Abort the chunks of runs, end their bots and forget their files.

        What dead workers have left on this machine goes with them.
        """
        self._wait_for_end(self._end_runs(runs))

    def close(self) -> None:
        """End all runs, and the thread."""
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
        known = self._runs.setdefault(run, _Run()).known
        known.update({bot.entrant: bot for bot in bots})

    async def _play(self, name: str, block: Block) -> list[MatchResult | VoidMatch]:
        run = self._runs.setdefault(name, _Run())
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

    async def _end_bots(self, name: str) -> None:
        run = self._runs.get(name)
        if run and run.playing:
            await run.end()
        elif run:
            await run.worker.end_bots()

    async def _end_runs(self, names: Collection[str]) -> None:
        for name in names:
            run = self._runs.pop(name, None)
            if run:
                # A task of its own: it goes on although nobody waits for it any more, and nothing
                # interrupts it, such as a second chunk that is not wanted either.
                ending = asyncio.create_task(run.end())
                self._endings[ending] = name
                ending.add_done_callback(self._endings.pop)
        endings = [task for task, name in self._endings.items() if name in names]
        if endings:
            await asyncio.wait(endings)
            for ending in endings:
                ending.result()
