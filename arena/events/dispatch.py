"""Hand out blocks to workers, and take back what they bring.

How much is out at once follows from how fast results come in: as much as the workers play in a few
seconds. So their tables stay full where matches are short, and little is lost by a kill, or played
in vain, where matches take long.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from arena.events.work import Block
from arena.events.workers import Report, Workers
from leaderboard.results import Result

_LOOK_S = 0.25
_FIRST = 16
"""How many matches a worker gets before anything is known: a bot may fault in every one."""
_MORE_THAN_TABLES = 1.5
"""So much more than a worker's tables hold is enough to fill them."""
_FEWEST = 4


@dataclass(slots=True)
class HandedOut:
    """A block that a worker has."""

    block: Block
    since: float
    """In seconds since 1970."""
    missing: set[int]
    """The numbers of its matches that have no result yet."""


class Dispatch:
    """What is out with the workers."""

    def __init__(
        self,
        workers: Workers,
        *,
        jobs: int,
        tables: int,
        ahead_s: float,
        now: Callable[[], float] = time.monotonic,
        date: Callable[[], float] = time.time,
    ) -> None:
        """Begin with nothing out; there should be as much as is played in `ahead_s` seconds."""
        self._workers = workers
        self._jobs = jobs
        self._ahead_s = ahead_s
        self._now = now
        self._date = date
        self._most = jobs * max(_FEWEST, round(_MORE_THAN_TABLES * tables))
        self._began: float | None = None
        self._came_back: deque[tuple[float, int]] = deque()
        """When how many matches came back, lately."""
        self._ready: deque[Block] = deque()
        self._pending: dict[int, HandedOut] = {}
        """By the identity of a block."""
        self._reports: SimpleQueue[Report] = SimpleQueue()

    @property
    def in_play(self) -> list[HandedOut]:
        """The blocks that workers have, the first handed out first."""
        return list(self._pending.values())

    @property
    def matches_out(self) -> int:
        """How many matches workers have that are not over."""
        return sum(len(each.missing) for each in self._pending.values())

    def fill(self, more: Callable[[int], Iterable[Block]]) -> None:
        """Hand out what there is room for; `more` gives the next blocks, of about so many matches.

        It is asked again until it gives none.
        """
        wanted = self._wanted()
        while self.matches_out < wanted:
            if not self._ready:
                self._ready.extend(more(wanted // self._jobs))
            if not self._ready:
                return
            block = self._ready.popleft()
            if self._began is None:
                self._began = self._now()
            numbers = {dealt.match.number for dealt in block.matches}
            self._pending[id(block)] = HandedOut(block, self._date(), numbers)
            self._workers.play(block, self._reports.put)

    def take(self) -> tuple[list[Result], set[int]]:
        """Wait a moment for news; return results, and the numbers of matches handed back."""
        results: list[Result] = []
        handed_back: set[int] = set()
        with suppress(Empty):
            report = self._reports.get(timeout=_LOOK_S)
            while True:
                handed = self._pending[id(report.block)]
                results += report.results
                handed.missing.difference_update(result.number for result in report.results)
                if report.error:
                    raise report.error
                if report.is_over:
                    del self._pending[id(report.block)]
                    handed_back |= handed.missing
                report = self._reports.get_nowait()
        if results:
            self._came_back.append((self._now(), len(results)))
        return results, handed_back

    def _wanted(self) -> int:
        """Work out how many matches should be out, by how many came back lately."""
        least = min(_FIRST * self._jobs, self._most)
        if self._began is None:
            return least
        now = self._now()
        while self._came_back and self._came_back[0][0] < now - self._ahead_s:
            self._came_back.popleft()
        lately_s = min(self._ahead_s, max(now - self._began, 0.01))
        back = sum(matches for _, matches in self._came_back)
        return min(max(round(back * self._ahead_s / lately_s), least), self._most)
