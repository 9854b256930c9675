"""How is an event played from its first match to its last, and gone on with after a stop?

Matches are handed out in blocks, in the schedule's order, and come back in any order. What came
back early waits: results are entered strictly in the schedule's order, so that ratings, suspensions
and the next round follow from the schedule alone, however many workers there are. What was not
entered when a run is killed is played again from the same seeds, and nothing else is. A worker may
hand matches back: those of a bot that lets its time run out again and again. They are handed out
once more, unless that bot is suspended by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from arena.events.course import Course
from arena.events.dispatch import Dispatch, HandedOut
from arena.events.names import names_of
from arena.events.room import MOST_BOTS
from arena.events.work import Block, Contender, DealtMatch, Terms, blocks_of
from arena.events.workers import Workers
from arena.referee.clock import CORES
from leaderboard.events import add_round, byes_of, pairings_of, suspend
from leaderboard.ledger import Ledger
from leaderboard.results import Result
from leaderboard.store import Writer

_AHEAD_S = 6.0
"""Workers have as much as they play in this time: a kill costs little more than that."""


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
        self._is_over = False
        self._dispatch: Dispatch | None = None
        self._is_backwards = True

    @property
    def in_play(self) -> list[HandedOut]:
        """The blocks that workers have, the first handed out first."""
        return self._dispatch.in_play if self._dispatch else []

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
        workers: Workers,
        *,
        jobs: int,
        tables: int,
        tell: Callable[[Course], None],
        stops: Callable[[], bool],
    ) -> bool:
        """Play what is left; tell whether the event came to its end or was stopped before."""
        dispatch = Dispatch(
            workers,
            jobs=jobs,
            tables=tables,
            ahead_s=_AHEAD_S,
            date=lambda: self._now().timestamp(),
        )
        self._dispatch = dispatch
        while not stops():
            dispatch.fill(lambda size: self._blocks(size, tables, jobs))
            self._enter()
            tell(self.course)
            if self._is_over:
                return True
            results, handed_back = dispatch.take()
            self._early |= {result.number: result for result in results}
            self._handed_back += handed_back
        return False

    def _blocks(self, size: int, tables: int, jobs: int) -> list[Block]:
        """Cut the next matches into blocks; none if those in play must be waited for."""
        taken: list[DealtMatch] = []
        # Enough for a block a job, and whole deals.
        while len(taken) < size * jobs or self._is_within_deal():
            number = self._next_number()
            if number is None:
                break
            forfeited = self.course.forfeited(number)
            if forfeited:
                self._early[number] = forfeited
            else:
                taken.append(self.course.matches[number])
        self._is_backwards = not self._is_backwards
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
                backwards=self._is_backwards,
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
