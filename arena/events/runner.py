"""How is an event played from its first match to its last, and gone on with after a stop?

Matches are handed out in blocks, in the schedule's order, and come back in any order. What came
back early waits: results are entered strictly in the schedule's order, so that ratings, suspensions
and the next round follow from the schedule alone, however many workers there are. What was not
entered when a run is killed is played again from the same seeds, and nothing else is. A worker may
hand matches back: those of a bot that lets its time run out again and again. They are handed out
once more, unless that bot is suspended by then.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from arena.events.course import Course
from arena.events.names import names_of
from arena.events.room import MOST_BOTS, play_block
from arena.events.work import Block, Contender, DealtMatch, Terms, blocks_of
from arena.referee.clock import CORES
from leaderboard.events import add_round, byes_of, pairings_of, suspend
from leaderboard.ledger import Ledger
from leaderboard.results import Result
from leaderboard.store import Writer

_BLOCK_S = 6.0
"""How long a block should take a worker: a kill costs no more than that, and a start pays off."""
_FIRST_BLOCK = 8
"""So that not too much has been handed out when a bot turns out to fault in every match."""
_MOST_IN_BLOCK = 4096
_LOOK_S = 0.25


class HandedOut(NamedTuple):
    """A block that is with a worker, or in line for one."""

    block: Block
    when: datetime
    began: float
    """The same moment, by a clock that nobody sets."""


class EventRun:
    """An event in play."""

    def __init__(
        self,
        writer: Writer,
        event: int,
        course: Course,
        terms: Terms,
        contenders: Sequence[Contender],
        *,
        now: Callable[[], datetime],
    ) -> None:
        """Take an event that is entered in the league, with nothing of it counted yet."""
        self.course = course
        self._writer = writer
        self._event = event
        self._terms = terms
        self._contenders = contenders
        self._now = now
        self._ledger = Ledger(writer, event)
        self._handed_out = 0
        """How many matches of the course are in play, over, or were handed back."""
        self._handed_back: list[int] = []
        """The numbers of matches that workers have not played."""
        self._early: dict[int, Result] = {}
        self._block_size = float(_FIRST_BLOCK)
        self._is_over = False
        self._pending: dict[Future[list[Result]], HandedOut] = {}

    @property
    def in_play(self) -> list[HandedOut]:
        """The blocks that workers have or have next, the first handed out first."""
        return list(self._pending.values())

    @property
    def names(self) -> list[str]:
        """The bots of the field, each with its version where two have one name."""
        return names_of([(contender.name, contender.number) for contender in self._contenders])

    def restore(self, entered: Iterable[Result]) -> None:
        """Take up the event where it was left."""
        byes = byes_of(self._writer, self._event)
        rounds = groupby(pairings_of(self._writer, self._event), key=attrgetter("round"))
        for number, pairings in rounds:
            self.course.add_round(list(pairings), [bye for bye in byes if bye.round == number])
        for result in entered:
            for entrant in self.course.count(result):
                # Said again, because the last run may have been killed before it said so.
                self._suspend(entrant)
        self._handed_out = self.course.counted

    def play(
        self,
        executor: Executor,
        *,
        jobs: int,
        tables: int,
        tell: Callable[[Course], None],
        stops: Callable[[], bool],
    ) -> bool:
        """Play what is left; tell whether the event came to its end or was stopped before."""
        pending = self._pending
        ready: deque[Block] = deque()
        try:
            while not stops():
                # One more than there are workers, so that none of them waits.
                while len(pending) <= jobs:
                    if not ready:
                        ready.extend(self._blocks(tables, jobs))
                    if not ready:
                        break
                    block = ready.popleft()
                    handed = HandedOut(block, self._now(), time.monotonic())
                    pending[executor.submit(play_block, block)] = handed
                self._enter()
                tell(self.course)
                if self._is_over:
                    return True
                done, _ = wait(pending, timeout=_LOOK_S, return_when=FIRST_COMPLETED)
                for future in done:
                    block, _, began = pending.pop(future)
                    played = {result.number: result for result in future.result()}
                    self._early |= played
                    numbers = {dealt.match.number for dealt in block.matches}
                    self._handed_back += numbers - played.keys()
                    took_s = time.monotonic() - began
                    self._resize(len(block.matches), took_s, len(pending) + 1, jobs)
            return False
        finally:
            for future in pending:
                future.cancel()

    def _resize(self, matches: int, took_s: float, in_line: int, jobs: int) -> None:
        """Fit the size of blocks to the time that the last one took, queueing aside."""
        worked_s = max(took_s / max(1, in_line / jobs), 0.01)
        wanted = matches * _BLOCK_S / worked_s
        size = min(max(wanted, self._block_size / 2), self._block_size * 16)
        self._block_size = min(max(size, 4), _MOST_IN_BLOCK)

    def _blocks(self, tables: int, jobs: int) -> list[Block]:
        """Cut the next matches into blocks; none if those in play must be waited for."""
        taken: list[DealtMatch] = []
        # Enough for a block a job, and whole deals.
        while len(taken) < self._block_size * jobs or self._is_within_deal():
            number = self._next_number()
            if number is None:
                break
            forfeited = self.course.forfeited(number)
            if forfeited:
                self._early[number] = forfeited
            else:
                taken.append(self.course.matches[number])
        return list(
            blocks_of(
                self._terms,
                taken,
                self._contenders,
                tables=tables,
                cores=max(1, CORES // jobs),
                jobs=jobs,
                most_bots=MOST_BOTS,
                hands_back=True,
            )
        )

    def _next_number(self) -> int | None:
        """Return the next match to hand out; None if there is none yet, or no more."""
        if self._handed_back:
            self._handed_back.sort()
            return self._handed_back.pop(0)
        if self._handed_out == len(self.course.matches) and not self._add_round():
            return None
        self._handed_out += 1
        return self._handed_out - 1

    def _is_within_deal(self) -> bool:
        """Tell whether the match to hand out next is of the same deal as the one before."""
        before, matches = self._handed_out - 1, self.course.matches
        return 0 <= before < len(matches) - 1 and matches[before].seed == matches[before + 1].seed

    def _add_round(self) -> bool:
        planned = self.course.next_round()
        if planned is None:
            self._is_over = self.course.counted == len(self.course.matches)
            return False
        pairings, byes = planned
        number = self.course.round + 1
        add_round(self._writer, self._event, number, pairings, byes, now=self._now())
        self.course.add_round(pairings, byes)
        return True

    def _enter(self) -> None:
        """Enter the results that are next in the schedule."""
        course = self.course
        while course.counted in self._early:
            batch: list[Result] = []
            accused: list[int] = []
            # A suspension parts the batch: whoever goes on after a kill must find it there.
            while course.counted in self._early and not accused:
                number = course.counted
                result = self._early.pop(number)
                # One that was played before its turn may be one that by the schedule is not.
                batch.append(course.forfeited(number) or result)
                accused = course.count(batch[-1])
            self._ledger.finish(batch, now=self._now())
            for entrant in accused:
                self._suspend(entrant)

    def _suspend(self, entrant: int) -> None:
        reason = self.course.suspend(entrant)
        suspend(self._writer, self._event, entrant, reason=reason)
