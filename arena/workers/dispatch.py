"""Hand out matches to workers in blocks, generation by generation, and collect their results.

A generation has at most one match of each deal. With sealed deals, all bots end between two
generations, so that nobody who knows a deal is there when it is played again; void
matches form their own generation. All bots also end in the middle of a generation if others have
waited long enough for the machine. With open deals, generations follow each other without a pause.

Workers get as many matches as they play in a few seconds, measured by the results that arrived
recently. So tables stay full if matches are short, and a kill loses little if they are long.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from queue import Empty, SimpleQueue
from typing import Protocol

from arena.scheduling.pairing import PlannedMatch
from arena.workers.block import Block, Report
from arena.workers.pace import Pace, Work
from arena.workers.pool import Cluster, WorkerPool
from leaderboard.result import MatchResult

_POLL_S = 0.25
_FIRST_MATCHES = 16
"""Matches for each worker before any result is known: a bot may fault in all of them."""
_MATCHES_PER_TABLE = 1.5
"""Maximum number of matches handed out for each table: enough to keep all tables full."""
_MIN_MATCHES = 4
_REPEATED_AT_ONCE = 8
"""Void matches that a worker gets before any result is known: a bot may fault in all."""


@dataclass(slots=True)
class PendingBlock:
    """A block that a worker has not finished."""

    block: Block
    since: float
    """When it was handed out, in seconds since 1970."""
    missing: dict[int, PlannedMatch]
    """Its matches that are not over, by number."""


class MatchSource(Protocol):
    """What matches there are to play."""

    def next_generation(self) -> Sequence[PlannedMatch]:
        """Return the next matches, at most one of each deal; none if results must arrive first."""

    def blocks(self, matches: Sequence[PlannedMatch], *, jobs: int, tables: int) -> Iterable[Block]:
        """Cut matches into blocks, without forfeited ones; `jobs` workers share a machine."""


class Dispatcher:
    """Gives blocks to workers and keeps track of the unfinished ones."""

    def __init__(
        self,
        workers: WorkerPool,
        *,
        jobs: int,
        tables: int,
        ahead_s: float,
        sealed: bool,
        now: Callable[[], float] = time.monotonic,
        unix_time: Callable[[], float] = time.time,
    ) -> None:
        """Aim at as many pending matches as the workers play in `ahead_s` seconds."""
        self._workers = workers
        self._cluster = workers if isinstance(workers, Cluster) else None
        self._tables = tables
        self._ahead_s = ahead_s
        self._is_sealed = sealed
        self._now = now
        self._unix_time = unix_time
        self._per_job = max(_MIN_MATCHES, round(_MATCHES_PER_TABLE * tables))
        self._jobs = jobs
        self._started_at: float | None = None
        self._work: dict[str, Work] = {}
        """What each worker has done."""
        self._ended = self._decided = 0
        """The matches that are over, and their decisions."""
        self._arrivals: deque[tuple[float, int]] = deque()
        """Recent times at which results arrived, each with their number."""
        self._generation: deque[PlannedMatch] = deque()
        """The matches of the present generation that are to be handed out."""
        self._void: list[tuple[str, PlannedMatch]] = []
        """Void matches of the present generation, each with the worker that played it."""
        self._repeats: list[tuple[str, PlannedMatch]] = []
        """The void matches that are the present generation, as far as they are to be handed out."""
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

    @property
    def pace(self) -> Pace:
        """How fast the matches are played."""
        if self._started_at is None:
            return Pace()
        seconds = self._now() - self._started_at
        decisions = sum(each.decisions for each in self._work.values())
        tables = sum(each.tables for each in self._work.values())
        if not self._work:
            tables = self.matches_pending
        return Pace(seconds, max(decisions, self._decided), tables, self._ended, self._decided)

    def hand_out(self, source: MatchSource) -> None:
        """Hand out blocks until enough matches are pending, or until results must arrive first."""
        if self._cluster:
            self._jobs = self._cluster.jobs
        target = self._target()
        while self.matches_pending < target:
            if not self._generation:
                if not self._begin_generation(source, target):
                    return
                continue
            if self._is_sealed and self._workers.is_turn_over:
                if self._pending:
                    return
                self._workers.end_bots()
            # Less and less, so that the workers end a generation at about the same time.
            size = min(target, max(_FIRST_MATCHES * self._jobs, len(self._generation) // 2))
            taken = [self._generation.popleft() for _ in range(min(size, len(self._generation)))]
            # On a cluster, the memory is not shared by all workers.
            jobs = 1 if self._cluster else self._jobs
            for block in source.blocks(taken, jobs=jobs, tables=self._tables):
                self._play(block)

    def _begin_generation(self, source: MatchSource, target: int) -> bool:
        """Begin the next generation; return whether there is one and it may begin."""
        if not self._is_sealed:
            # Small ones together: larger blocks make fewer messages.
            while len(self._generation) < target and (more := source.next_generation()):
                self._generation.extend(more)
            return bool(self._generation)
        if self._pending:
            return False
        if not self._repeats:
            self._repeats, self._void = sorted(self._void, key=itemgetter(0)), []
            if not self._repeats:
                self._generation.extend(source.next_generation())
            if self._repeats or self._generation:
                # Also before the first one: an event that goes on may have been killed just now.
                self._workers.end_bots()
        repeats, self._repeats = self._repeats, []
        for worker, found in groupby(repeats, key=itemgetter(0)):
            matches = [match for _, match in found]
            self._repeats += [(worker, match) for match in matches[_REPEATED_AT_ONCE:]]
            # One at a time, to see which of them shows the failure.
            for block in source.blocks(matches[:_REPEATED_AT_ONCE], jobs=1, tables=1):
                self._play(replace(block, worker=worker))
        return bool(repeats or self._generation)

    def _play(self, block: Block) -> None:
        if self._started_at is None:
            self._started_at = self._now()
        missing = {match.number: match for match in block.matches}
        self._pending[id(block)] = PendingBlock(block, self._unix_time(), missing)
        self._workers.play(block, self._reports.put)

    def collect(self) -> list[MatchResult]:
        """Wait briefly for reports and return their results."""
        results: list[MatchResult] = []
        with suppress(Empty):
            report = self._reports.get(timeout=_POLL_S if self._pending else 0)
            while True:
                self._count(report)
                results += report.results
                report = self._reports.get_nowait()
        if results:
            self._arrivals.append((self._now(), len(results)))
        return results

    def _count(self, report: Report) -> None:
        if report.error:
            raise report.error
        if report.work:
            self._work[report.worker] = report.work
        pending = self._pending[id(report.block)]
        for result in report.results:
            pending.missing.pop(result.number, None)
            self._ended += 1
            self._decided += sum(seat.answers or 0 for seat in result.seats)
        for number in report.void:
            match = pending.missing.pop(number)
            if self._is_sealed:
                self._void.append((report.worker, match))
            else:
                self._generation.appendleft(match)
        if report.is_over:
            del self._pending[id(report.block)]
            # They were returned unplayed, and come first.
            self._generation.extendleft(reversed(pending.missing.values()))

    def _target(self) -> int:
        """Return how many matches should be pending, from the results that arrived recently."""
        most = self._jobs * self._per_job
        minimum = min(_FIRST_MATCHES * self._jobs, most)
        if self._started_at is None:
            return minimum
        now = self._now()
        while self._arrivals and self._arrivals[0][0] < now - self._ahead_s:
            self._arrivals.popleft()
        recent_s = min(self._ahead_s, max(now - self._started_at, 0.01))
        recent = sum(matches for _, matches in self._arrivals)
        return min(max(round(recent * self._ahead_s / recent_s), minimum), most)
