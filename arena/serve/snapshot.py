"""The league as others may see it: one state of the file in which every deal is over.

A match tells whoever watches it what a deal was like. As long as other matches of that deal are
still to come, nothing of it may be seen. So everything that shows results reads one state of the
file, in which no deal is left to be played again; a transaction keeps that state while matches go
on. The process that plays says when there is a newer one.
"""

from __future__ import annotations

import asyncio
import gzip
import secrets
import time
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from arena.errors import ArenaError
from arena.games.registry import game_named
from arena.scheduling.pairing import rotations
from leaderboard.events import Event, all_events
from leaderboard.file.opening import connect_to_read
from leaderboard.store import BotsWriter, Reader, Store

P = ParamSpec("P")
T = TypeVar("T")
_MOST_CACHED = 5000
_PAUSE_FACTOR = 20
"""How long a state is shown, as a multiple of the time that its pages have taken."""


class NotYet(ArenaError):
    """A deal is still to be played again, and no earlier state of the file is known."""


class CachedContent(NamedTuple):
    """What is sent to whoever asks for it, until there is a newer state."""

    plain: bytes
    zipped: bytes
    tag: str


class _PinnedReader(Reader):
    """A connection in one long transaction."""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Do nothing: the connection reads one state anyway."""
        yield


class LeagueFile:
    """The league's file as it is now: for people and submissions, not for results."""

    def __init__(self, path: Path) -> None:
        """Open a league; it must exist."""
        self._thread = ThreadPoolExecutor(1, "league")
        self._store = self._thread.submit(Store.open, path).result()

    async def read(
        self, function: Callable[Concatenate[Reader, P], T], *args: P.args, **options: P.kwargs
    ) -> T:
        """Call a function that reads."""
        call = partial(function, self._store, *args, **options)
        return await asyncio.get_running_loop().run_in_executor(self._thread, call)

    async def write(
        self, function: Callable[Concatenate[BotsWriter, P], T], *args: P.args, **options: P.kwargs
    ) -> T:
        """Call a function that writes."""

        def run() -> T:
            with self._store.writing_bots() as writer:
                return function(writer, *args, **options)

        return await asyncio.get_running_loop().run_in_executor(self._thread, run)

    def close(self) -> None:
        """Close the file."""
        self._thread.submit(self._store.close).result()
        self._thread.shutdown()


class Snapshot:
    """The last state of the league in which every deal was over."""

    def __init__(self, path: Path) -> None:
        """Read a league that is open already; nothing is known before the first `refresh`."""
        self._path = path
        self._thread = ThreadPoolExecutor(1, "snapshot")
        self._reader: _PinnedReader | None = None
        self._boot = secrets.token_hex(4)
        self._cache: dict[Hashable, asyncio.Future[CachedContent]] = {}
        self.number = 0
        """Counts the states."""
        self._taken_at = 0.0
        self._work_s = 0.0
        """The time that pages and lists of this state have taken so far."""

    @property
    def is_due(self) -> bool:
        """Whether a newer state may be shown: matches have priority over pages."""
        return time.monotonic() - self._taken_at >= _PAUSE_FACTOR * self._work_s

    async def refresh(self) -> bool:
        """Take the present state of the file if every deal in it is over; return whether it is."""
        if not await self._run(self._pin):
            return False
        self._cache = {}
        self.number += 1
        self._taken_at, self._work_s = time.monotonic(), 0.0
        return True

    def _pin(self) -> bool:
        connection = connect_to_read(self._path)
        reader = _PinnedReader(self._path, connection)
        connection.execute("BEGIN")
        unfinished = (event for event in all_events(reader) if event.status != "finished")
        if any(has_open_deals(reader, event) for event in unfinished):
            connection.close()
            return False
        self._unpin()
        self._connection, self._reader = connection, reader
        return True

    def _unpin(self) -> None:
        if self._reader:
            self._reader = None
            self._connection.close()

    async def read(
        self, function: Callable[Concatenate[Reader, P], T], *args: P.args, **options: P.kwargs
    ) -> T:
        """Call a function that reads; raise `NotYet` if there is no state to read."""

        def run() -> T:
            if self._reader is None:
                raise NotYet("the results are shown as soon as the round in play is over")
            return function(self._reader, *args, **options)

        return await self._run(run)

    async def content(self, key: Hashable, make: Callable[[Reader], bytes]) -> CachedContent:
        """Return content that is made once for each state."""
        cache = self._cache
        if key not in cache:
            if len(cache) >= _MOST_CACHED:
                cache.clear()
            cache[key] = asyncio.ensure_future(self._make(make))
        try:
            return await asyncio.shield(cache[key])
        except ArenaError:
            cache.pop(key, None)
            raise

    async def _make(self, make: Callable[[Reader], bytes]) -> CachedContent:
        began = time.monotonic()
        plain = await self.read(make)
        self._work_s += time.monotonic() - began
        zipped = await self._run(lambda: gzip.compress(plain, 6, mtime=0))
        return CachedContent(plain, zipped, f'"{self._boot}-{self.number}"')

    async def _run(self, function: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    def close(self) -> None:
        """Let go of the state."""
        self._thread.submit(self._unpin).result()
        self._thread.shutdown()


def has_open_deals(reader: Reader, event: Event) -> bool:
    """Return whether a deal of an event has been played, but not in all rotations."""
    game = game_named(event.game)
    parameters = game.parameters_form.read(event.parameters)
    ((stored,),) = reader.rows("SELECT count(*) FROM matches WHERE event = ?", [event.id])
    tables = reader.rows(
        """
        SELECT seats, count(*) FROM (
            SELECT count(*) AS seats FROM pairing_seats
            WHERE event = ?1 AND pairing IN (SELECT pairing FROM matches WHERE event = ?1)
            GROUP BY pairing
        ) GROUP BY seats
        """,
        [event.id],
    )
    complete = sum(
        count * event.deals * len(rotations(game.sides(seats, parameters)))
        for seats, count in tables
    )
    return bool(stored != complete)
