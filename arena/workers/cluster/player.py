"""Play the chunks that a worker of a cluster gets, and keep bots, packages and lockfiles.

The matches run in the event loop of a thread of their own, so that the worker can talk to the
scheduler meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import aclosing
from dataclasses import replace
from threading import Thread

from arena.errors import ArenaError
from arena.submission.package import read_package
from arena.workers.block import Block, PackedBot
from arena.workers.capacity import allow_many_files
from arena.workers.cluster.assignments import lock_hash
from arena.workers.worker import Worker
from leaderboard.result import MatchResult

_POLL_S = 1.0
"""How often a chunk in play asks whether somebody still wants it."""
_CLOSE_LIMIT_S = 10.0


class WrongContent(ArenaError):
    """A package or lockfile is not the one that the organiser sent."""


class ChunkPlayer:
    """Plays chunks, several at once, and keeps bots running from one to the next."""

    def __init__(self) -> None:
        """Start the thread."""
        allow_many_files()
        self._contents: dict[str, bytes] = {}
        """Packages and lockfiles, by hash."""
        self._worker = Worker()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="matches", daemon=True)
        self._thread.start()

    def keep(self, packages: Mapping[str, bytes], locks: Mapping[str, str]) -> None:
        """Keep what has arrived, if it is what its hash says."""
        for key, package in packages.items():
            if read_package(package).hash != key:
                raise WrongContent(f"the package {key[:12]} was changed on its way")
            self._contents[key] = package
        for key, lock in locks.items():
            if lock_hash(lock) != key:
                raise WrongContent(f"the lockfile {key[:12]} was changed on its way")
            self._contents[key] = lock.encode()

    def play(self, block: Block, *, is_wanted: Callable[[], bool]) -> list[MatchResult]:
        """Play a chunk to its end; abort it when `is_wanted` returns false."""
        complete = replace(block, bots=tuple(map(self._complete, block.bots)))
        playing = asyncio.run_coroutine_threadsafe(self._play(complete), self._loop)
        while not wait([playing], _POLL_S).done:
            if not is_wanted():
                playing.cancel()
        return [] if playing.cancelled() else playing.result()

    def end_bots(self) -> None:
        """End all bots; chunks that are in play must be over."""
        self._wait(asyncio.run_coroutine_threadsafe(self._worker.close(), self._loop))

    def close(self) -> None:
        """Abort the matches in play, end all bots and remove their files."""
        self._wait(asyncio.run_coroutine_threadsafe(self._abort(), self._loop))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSE_LIMIT_S)

    def _wait(self, future: Future[None]) -> None:
        if not wait([future], _CLOSE_LIMIT_S).done:
            future.cancel()

    async def _play(self, block: Block) -> list[MatchResult]:
        async with aclosing(self._worker.play(block)) as results:
            return [result async for result in results]

    async def _abort(self) -> None:
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._worker.close()

    def _complete(self, bot: PackedBot) -> PackedBot:
        try:
            lock = self._contents[bot.lock].decode() if bot.lock else ""
            return replace(bot, package=self._contents[bot.hash], lock=lock)
        except KeyError as error:
            raise WrongContent(f"{bot.name} has not arrived: {error} is unknown here") from None
