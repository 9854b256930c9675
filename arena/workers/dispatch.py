"""Hand out blocks to workers and collect their results.

Workers get as many matches as they play in a few seconds, measured by the results that arrived
recently. So tables stay full if matches are short, and a kill loses little if they are long.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from arena.workers.block import Block
from arena.workers.pool import Report, WorkerPool
from leaderboard.result import MatchResult

_POLL_S = 0.25
_FIRST_MATCHES = 16
"""Matches for each worker before any result is known: a bot may fault in all of them."""
_MATCHES_PER_TABLE = 1.5
"""Maximum number of matches handed out for each table: enough to keep all tables full."""
_MIN_MATCHES = 4


@dataclass(slots=True)
class PendingBlock:
    """A block that a worker has not finished."""

    block: Block
    since: float
    """When it was handed out, in seconds since 1970."""
    missing: set[int]
    """The numbers of its matches that have no result yet."""


class Dispatcher:
    """Gives blocks to workers and keeps track of those that are not finished."""

    def __init__(
        self,
        workers: WorkerPool,
        *,
        jobs: int,
        tables: int,
        ahead_s: float,
        now: Callable[[], float] = time.monotonic,
        unix_time: Callable[[], float] = time.time,
    ) -> None:
        """Aim at as many pending matches as the workers play in `ahead_s` seconds."""
        self._workers = workers
        self._ahead_s = ahead_s
        self._now = now
        self._unix_time = unix_time
        self._per_job = max(_MIN_MATCHES, round(_MATCHES_PER_TABLE * tables))
        self.resize(jobs)
        self._started_at: float | None = None
        self._arrivals: deque[tuple[float, int]] = deque()
        """Recent times at which results arrived, each with their number."""
        self._ready: deque[Block] = deque()
        self._pending: dict[int, PendingBlock] = {}
        """By the identity of a block."""
        self._reports: SimpleQueue[Report] = SimpleQueue()

    @property
    def in_play(self) -> list[PendingBlock]:
        """The blocks that workers have, the first handed out first."""
        return list(self._pending.values())

    @property
    def matches_pending(self) -> int:
        """The number of matches that were handed out and are not over."""
        return sum(len(each.missing) for each in self._pending.values())

    def resize(self, jobs: int) -> None:
        """Hand out as many matches as this number of workers needs."""
        self._jobs = jobs
        self._max_pending = jobs * self._per_job

    def hand_out(self, next_blocks: Callable[[int], Iterable[Block]]) -> None:
        """Hand out blocks until enough matches are pending.

        `next_blocks` makes more of them, given the number of matches that each should have. It is
        called until it returns none.
        """
        target = self._target()
        while self.matches_pending < target:
            if not self._ready:
                self._ready.extend(next_blocks(target // self._jobs))
            if not self._ready:
                return
            block = self._ready.popleft()
            if self._started_at is None:
                self._started_at = self._now()
            numbers = {match.dealt.match.number for match in block.matches}
            self._pending[id(block)] = PendingBlock(block, self._unix_time(), numbers)
            self._workers.play(block, self._reports.put)

    def collect(self) -> tuple[list[MatchResult], set[int]]:
        """Wait briefly for reports; return results, and the numbers of matches left unplayed."""
        results: list[MatchResult] = []
        unplayed: set[int] = set()
        with suppress(Empty):
            report = self._reports.get(timeout=_POLL_S)
            while True:
                pending = self._pending[id(report.block)]
                results += report.results
                pending.missing.difference_update(result.number for result in report.results)
                if report.error:
                    raise report.error
                if report.is_over:
                    del self._pending[id(report.block)]
                    unplayed |= pending.missing
                report = self._reports.get_nowait()
        if results:
            self._arrivals.append((self._now(), len(results)))
        return results, unplayed

    def _target(self) -> int:
        """Return how many matches should be pending, from the results that arrived recently."""
        minimum = min(_FIRST_MATCHES * self._jobs, self._max_pending)
        if self._started_at is None:
            return minimum
        now = self._now()
        while self._arrivals and self._arrivals[0][0] < now - self._ahead_s:
            self._arrivals.popleft()
        recent_s = min(self._ahead_s, max(now - self._started_at, 0.01))
        recent = sum(matches for _, matches in self._arrivals)
        return min(max(round(recent * self._ahead_s / recent_s), minimum), self._max_pending)
