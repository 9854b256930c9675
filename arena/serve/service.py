"""The processes behind a served league: one that plays, some that check, and what they say."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event as Flag
from typing import Any

from arena.referee.clock import limited, read_clock
from arena.sandbox.processor_caches import empty_caches
from arena.serve.config import ENDLESS_ROUNDS, ServeConfig
from arena.serve.limits import Buckets
from arena.serve.player import COMPLETE, WAITING
from arena.serve.snapshot import LeagueFile, Snapshot
from arena.tournament.live_file import read_live
from arena.workers.generation_lock import GenerationLock
from leaderboard.seasons import all_seasons
from leaderboard.uploads import REFUSED, Upload, end_upload, next_upload, queue_length

LOG = logging.getLogger("arena.serve")
_POLL_S = 1.0
_STOP_S = 60.0
_CHECK_S = 900.0
_PACKAGES_PER_MINUTE = 12.0
_CHECKS_PER_JOB = 3
"""More than there are cores: a bot that thinks for long keeps nobody else waiting.

One, if a clock counts elapsed time.
"""
_CHECKS_S = 60.0
"""No check begins later in a turn: then matches are played for `generation_lock.TURN_S`."""
_RESTART_S = 2.0
_ATTEMPTS = 3
_BEHIND = 64
"""Messages that a live page may be late by; then it is closed, and connects again."""
_LINE_BYTES = 1 << 20
Message = tuple[str, str]
"""The name of an event and its data, as a live page receives them."""


class Feed:
    """Messages for all live pages that are open."""

    def __init__(self) -> None:
        """Start without pages."""
        self._queues: dict[asyncio.Queue[Message | None], str] = {}
        """The pages, each with the key of its address."""
        self._last: dict[str, str] = {}

    def __len__(self) -> int:
        """Return the number of open pages."""
        return len(self._queues)

    def may_open(self, address: str, most: int) -> bool:
        """Return whether an address may have another page: at most half of what others leave."""
        own = list(self._queues.values()).count(address)
        return own < (most - len(self) + own) // 2

    def publish(self, name: str, data: dict[str, Any]) -> None:
        """Send a message to all pages, unless it says nothing new."""
        text = json.dumps(data)
        if self._last.get(name) == text:
            return
        self._last[name] = text
        for queue in list(self._queues):
            try:
                queue.put_nowait((name, text))
            except asyncio.QueueFull:
                self._end(queue)

    def end(self) -> None:
        """End all pages."""
        for queue in list(self._queues):
            self._end(queue)

    def _end(self, queue: asyncio.Queue[Message | None]) -> None:
        self._queues.pop(queue, None)
        while not queue.empty():
            queue.get_nowait()
        queue.put_nowait(None)

    async def messages(self, address: str = "") -> AsyncIterator[Message]:
        """Yield the last message of each name, and then all that follow."""
        queue: asyncio.Queue[Message | None] = asyncio.Queue(_BEHIND)
        self._queues[queue] = address
        try:
            for last in list(self._last.items()):
                yield last
            while (message := await queue.get()) is not None:
                yield message
        finally:
            self._queues.pop(queue, None)


class LeagueService:
    """Everything that requests need: the league's file, its snapshot, and what happens now."""

    def __init__(self, config: ServeConfig, path: Path, db: Path) -> None:
        """Serve the league of a config file."""
        self.config = config
        self.db = db
        self.file = LeagueFile(db)
        self.snapshot = Snapshot(db)
        self.feed = Feed()
        self.counts: Counter[str] = Counter()
        """What has happened since the start, for `/metrics`."""
        self.notices: deque[str] = deque(maxlen=20)
        """What the player waits for."""
        self.checking: dict[int, list[dict[str, Any]]] = {}
        """The steps so far of the packages that are being checked, by their numbers."""
        self.progress: dict[str, Any] = {}
        self.arrived = asyncio.Event()
        """Set when there is something to check."""
        self.unpacking = asyncio.Semaphore(1)
        """Packages are large once they are unpacked."""
        self.packages = Buckets(_PACKAGES_PER_MINUTE)
        """Those of each author; the refused ones count for no quota."""
        self._path = path
        self._player: Process | None = None
        self._failures: Counter[int] = Counter()
        self._choosing = asyncio.Lock()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Play and check until the end of the block; stored matches and the queue stay."""
        await self.snapshot.refresh()
        tasks = [
            asyncio.create_task(self._keep_running(run))
            for run in (self._play, self.check_queue, self._watch_progress)
        ]
        try:
            yield
        finally:
            self.feed.end()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.snapshot.close()
            self.file.close()

    async def _keep_running(self, run: Callable[[], Awaitable[None]]) -> None:
        """Go on after failures of this machine, such as a full disk."""
        while True:
            try:
                await run()
            except Exception:
                LOG.exception("it is tried again")
            await asyncio.sleep(_RESTART_S)

    async def _play(self) -> None:
        """Keep the player running."""
        while True:
            player = await self._start("player", str(self._path))
            self._player = player
            try:
                await self._listen_to(player)
            finally:
                await _stop(player)
            self.counts["player_restarts"] += 1
            LOG.error("the player ended and is started again", extra={"code": player.returncode})
            await asyncio.sleep(_RESTART_S)

    async def _listen_to(self, player: Process) -> None:
        assert player.stdout
        assert player.stdin
        while line := await player.stdout.readline():
            message = json.loads(line)
            if message["kind"] == COMPLETE:
                await self.renew()
                player.stdin.write(b"\n")
                with suppress(ConnectionError):
                    await player.stdin.drain()
            else:
                LOG.warning(message["sentence"], extra={"kind": message["kind"]})
                if message["kind"] == WAITING:  # others name files of this machine
                    self.notices.append(message["sentence"])

    @property
    def is_playing(self) -> bool:
        """Whether the process that plays is alive."""
        return self._player is not None and self._player.returncode is None

    async def season(self) -> str:
        """Return the name of the season that is open."""
        seasons = await self.file.read(all_seasons)
        return seasons[-1].name if seasons else self.config.season

    async def renew(self) -> None:
        """Show the present state of the league, if no deal is left to be played again."""
        if self.snapshot.is_due and await self.snapshot.refresh():
            self.feed.publish("results", {"number": self.snapshot.number})

    async def _watch_progress(self) -> None:
        """Publish what is played now. Who leads would say how matches went, so it is left out."""
        while True:
            live = await asyncio.to_thread(read_live, self.db)
            self.progress = {}
            if live:
                self.progress = {
                    "event": live.event,
                    "round": live.round,
                    "planned": live.planned,
                    "matches": live.counted,
                    "expected": live.expected if live.expected < ENDLESS_ROUNDS else 0,
                    "rate": round(live.pace.matches_per_s, 3),
                    "decisions_per_s": round(live.pace.decisions / max(live.pace.seconds, 1)),
                    "left": live.left if live.expected < ENDLESS_ROUNDS else "",
                    "at_tables": sorted({bot for block in live.blocks for bot in block.bots}),
                }
            self.feed.publish("progress", self.progress)
            await asyncio.sleep(_POLL_S)

    async def check_queue(self) -> None:
        """Check the packages of the queue, in turns with the matches of the ladders."""
        while True:
            self.arrived.clear()
            if await self.file.read(queue_length):
                await self._take_turn()
            else:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self.arrived.wait(), 10 * _POLL_S)

    async def _take_turn(self) -> None:
        """Check packages, several at once, when no match is played.

        A bot that is checked could otherwise pass on what it hears from one match of a deal to the
        next. So those that are checked together end together, and no new ones start for ever.
        """
        is_cancelled = Flag()
        turn = GenerationLock(is_cancelled.is_set)
        try:
            await asyncio.to_thread(turn.take)
            await asyncio.to_thread(empty_caches)
            until = time.monotonic() + _CHECKS_S
            clocks = [limited(read_clock(spec.clock)) for spec in self.config.ladders()]
            per_job = _CHECKS_PER_JOB if all(clock.counts_cpu for clock in clocks) else 1
            async with asyncio.TaskGroup() as group:
                for _ in range(per_job * self.config.play.jobs):
                    group.create_task(self._check_some(until, turn.descriptor))
        finally:
            is_cancelled.set()
            turn.release()

    async def _check_some(self, until: float, turn: int) -> None:
        while time.monotonic() < until:
            async with self._choosing:
                upload = await self.file.read(next_upload, tuple(self.checking))
                if upload:
                    self.checking[upload.id] = []
            if upload is None:
                if not self.checking:
                    return
                await asyncio.sleep(_POLL_S)  # another may arrive before this turn ends
                continue
            try:
                await self._check_one(upload, turn)
            finally:
                del self.checking[upload.id]

    async def _check_one(self, upload: Upload, turn: int) -> None:
        began = time.monotonic()
        words = (str(self._path), str(upload.id), str(turn))
        # It holds the turn, too: if we are killed, no match begins before its bot has ended.
        checker = await self._start("checking", *words, pass_fds=[turn])
        failure = "the check was ended"
        try:
            async with asyncio.timeout(_CHECK_S):
                failure = await self._follow(checker, self.checking[upload.id]) or failure
        except TimeoutError:
            failure = f"the check did not end within {_CHECK_S / 60:.0f} minutes"
        finally:
            await _stop(checker)
        took_s = round(time.monotonic() - began, 1)
        LOG.info("checked", extra={"upload": upload.id, "bot": upload.bot, "took_s": took_s})
        self.counts["checks"] += 1
        if checker.returncode != 0:
            await self._check_failed(upload, failure)

    async def _follow(self, checker: Process, steps: list[dict[str, Any]]) -> str:
        """Collect the steps of a check; return the failure of this machine, if there is one."""
        assert checker.stdout
        failure = ""
        while line := await checker.stdout.readline():
            document = json.loads(line)
            if "failure" in document:
                failure = document["failure"]
            else:
                # A step that ends replaces the one that began.
                steps[document["number"] - 1 :] = [document]
        await checker.wait()
        return failure

    async def _check_failed(self, upload: Upload, failure: str) -> None:
        """Try a check again that this machine has failed, or that was killed, but not for ever."""
        self._failures[upload.id] += 1
        LOG.error(failure, extra={"upload": upload.id, "bot": upload.bot})
        if self._failures[upload.id] < _ATTEMPTS:
            await asyncio.sleep(_RESTART_S)
            return
        now, sentence = datetime.now(UTC), f"it could not be checked: {failure}"
        await self.file.write(
            lambda writer: end_upload(writer, upload.id, REFUSED, sentence, now=now)
        )

    async def _start(self, module: str, *words: str, pass_fds: Sequence[int] = ()) -> Process:
        """Start a process of ours; it ends when its standard input does."""
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", f"arena.serve.{module}", *words),
            stdin=PIPE,
            stdout=PIPE,
            limit=_LINE_BYTES,
            pass_fds=pass_fds,
            start_new_session=True,  # Ctrl-C is for the server alone
        )


async def _stop(process: Process) -> None:
    """Ask a process to end; kill one that does not."""
    if process.returncode is not None:
        return
    assert process.stdin
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), _STOP_S)
    except TimeoutError:
        process.kill()
        await process.wait()
