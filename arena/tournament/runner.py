"""Play an event from its first match to its last, or resume it after an interruption.

Matches are handed out in blocks, in the schedule's order, generation by generation (see
`arena.workers.dispatch`), and results arrive in any order. Results are stored strictly in the
schedule's order; those that arrive early wait. So ratings, suspensions and the next round depend on
the schedule alone, not on the number of workers. After a kill, only the matches that were not
stored are played again, from the same seeds.

An event that ends when it knows enough ends at the end of a round, by the results in the schedule's
order. Rounds and matches that were planned or played beyond it are dropped.

A worker may return matches unplayed: those of a bot that overruns its clock repeatedly. They are
handed out again, unless the bot has been suspended.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Protocol

from arena.indices import EntrantIndex, VersionId
from arena.referee.clock import CORES
from arena.scheduling.pairing import PlannedMatch
from arena.tournament.certainty import TIME_IS_UP, TOO_FEW_BOTS
from arena.tournament.course import Course, Round
from arena.tournament.field import display_names
from arena.workers.block import Block, MatchTerms, PackedBot, blocks_of
from arena.workers.capacity import max_bots, processes_that_fit
from arena.workers.dispatch import Dispatcher, PendingBlock
from arena.workers.pool import Cluster, WorkerPool
from leaderboard.events import add_rounds, byes_of, pairings_of, stop_event, suspend
from leaderboard.ledger import Ledger
from leaderboard.result import MatchResult
from leaderboard.store import Writer

_AHEAD_S = 6.0
"""Workers get as many matches as they play in this time; a kill loses little more."""


class Newcomers(Protocol):
    """The bots of a league that play in an event to which bots come and from which they go."""

    def present(self) -> Sequence[VersionId]:
        """Return the versions that play now."""

    def pack(self, entrant: EntrantIndex, version: VersionId) -> PackedBot:
        """Return a version with its files."""


class EventRunner:
    """Plays one event and stores its results."""

    def __init__(
        self,
        writer: Writer,
        event: int,
        course: Course,
        terms: MatchTerms,
        bots: Sequence[PackedBot],
        *,
        now: Callable[[], datetime],
        newcomers: Newcomers | None = None,
        ends_at: datetime | None = None,
        unrated: bool = False,
    ) -> None:
        """Prepare to play an event of the league; `restore` counts the stored results.

        With `newcomers`, bots come and go between rounds. No round begins after `ends_at`. The
        matches of an `unrated` event change no rating.
        """
        self.course = course
        self._writer = writer
        self._event = event
        self._terms = terms
        self._bots = list(bots)
        self._now = now
        self._newcomers = newcomers
        self._ends_at = ends_at
        self._unrated = unrated
        self._ledger = Ledger(writer, event)
        self._handed_out = 0
        """The number of matches of the course in generations that have begun."""
        self._waiting: dict[int, MatchResult] = {}
        """Results by number, until all earlier ones are stored."""
        self._is_over = False
        self._dispatcher: Dispatcher | None = None
        self._is_cluster = False
        self._max_processes = 0
        """How many processes of bots have room, measured before any is started."""

    @property
    def in_play(self) -> list[PendingBlock]:
        """The blocks that workers have, the first handed out first."""
        return self._dispatcher.in_play if self._dispatcher else []

    @property
    def names(self) -> list[str]:
        """The names of the field, with the version where two bots share a name."""
        return display_names([(bot.name, bot.number) for bot in self._bots])

    def restore(self, stored: Iterable[MatchResult]) -> None:
        """Count the rounds and results that are stored."""
        byes = byes_of(self._writer, self._event)
        pairings = pairings_of(self._writer, self._event)
        stored_rounds: list[Round] = [
            (list(found), [bye for bye in byes if bye.round == number])
            for number, found in groupby(pairings, key=attrgetter("round"))
        ]
        for rounds in self.course.together(stored_rounds):
            self.course.add_rounds(rounds)
        for result in stored:
            for entrant in self.course.add_result(result):
                # Store it again: the last run may have been killed before it did.
                self._suspend(entrant)
        self._handed_out = self.course.counted
        self._store_stop()

    def play(
        self,
        workers: WorkerPool,
        *,
        jobs: int,
        tables: int,
        on_progress: Callable[[Course], None],
        should_stop: Callable[[], bool],
        max_processes: int | None = None,
    ) -> bool:
        """Play the remaining matches; return False if stopped before the event finished.

        Blocks are cut so that `max_processes` bots' processes suffice; default: as many as fit into
        the memory of this machine.
        """
        dispatcher = Dispatcher(
            workers,
            jobs=jobs,
            tables=tables,
            ahead_s=_AHEAD_S,
            sealed=self._terms.sealed,
            unix_time=lambda: self._now().timestamp(),
        )
        self._dispatcher = dispatcher
        self._max_processes = processes_that_fit() if max_processes is None else max_processes
        cluster = workers if isinstance(workers, Cluster) else None
        self._is_cluster = cluster is not None
        if cluster and max_processes is None:
            self._max_processes = cluster.max_processes
        while not should_stop():
            if cluster:
                dispatcher.resize(cluster.jobs)
            dispatcher.hand_out(self)
            self._store_results()
            on_progress(self.course)
            if self._is_over:
                return True
            self._waiting |= {result.number: result for result in dispatcher.collect()}
        return False

    def next_generation(self) -> list[PlannedMatch]:
        """Return the next generation of matches; none if results must arrive first."""
        course = self.course
        if self._is_over or (self._handed_out == len(course.matches) and not self._add_rounds()):
            return []
        first = self._handed_out
        self._handed_out = course.generation_ends[bisect_right(course.generation_ends, first)]
        return course.matches[first : self._handed_out]

    def blocks(self, matches: Sequence[PlannedMatch], *, jobs: int, tables: int) -> list[Block]:
        """Cut matches into blocks, without those of suspended bots."""
        taken: list[PlannedMatch] = []
        for match in matches:
            forfeited = self.course.forfeit_result(match.number)
            if forfeited:
                self._waiting[match.number] = forfeited
            else:
                taken.append(match)
        if self._is_cluster:
            # It cuts a block itself, into parts for its machines.
            jobs, cores = 1, 1
        else:
            cores = max(1, CORES // jobs)
        return list(
            blocks_of(
                self._terms,
                taken,
                self._bots,
                tables=tables,
                cores=cores,
                jobs=jobs,
                max_bots=max_bots(self._max_processes, jobs=jobs),
                return_unplayed=True,
            )
        )

    def _add_rounds(self) -> bool:
        course = self.course
        if course.schedule.follows_results and course.counted < len(course.matches):
            return False
        if self._ends_at and self._now() >= self._ends_at and course.has_more_rounds():
            course.stop(TIME_IS_UP)
        known = len(course.versions)
        rounds = course.next_rounds(self._present())
        if not rounds:
            if self._newcomers and not course.stopped and course.has_more_rounds():
                course.stop(TOO_FEW_BOTS)
            self._store_stop()
            self._is_over = course.counted == len(course.matches)
            return False
        add_rounds(
            self._writer,
            self._event,
            course.round + 1,
            rounds,
            newcomers=course.versions[known:],
            now=self._now(),
        )
        course.add_rounds(rounds)
        return True

    def _present(self) -> set[EntrantIndex] | None:
        """Return who plays in the next round, and add those that have come in since the last."""
        if not self._newcomers or self.course.stopped:
            return None
        present = self._newcomers.present()
        known = {bot.version: bot.entrant for bot in self._bots}
        for version in present:
            if version not in known:
                known[version] = self.course.add_entrant(version)
                self._bots.append(self._newcomers.pack(known[version], version))
        return {known[version] for version in present}

    def _store_stop(self) -> None:
        """Store that the event ends early, if it does, without the rounds planned ahead."""
        course = self.course
        if course.stopped:
            stop_event(self._writer, self._event, reason=course.stopped, rounds=course.round)
            self._is_over = True

    def _store_results(self) -> None:
        """Store the waiting results whose turn has come."""
        course = self.course
        while course.counted in self._waiting and not course.stopped:
            batch: list[MatchResult] = []
            to_suspend: list[EntrantIndex] = []
            # A suspension ends the batch, so that a resumed run finds it stored.
            while course.counted in self._waiting and not to_suspend and not course.stopped:
                number = course.counted
                result = self._waiting.pop(number)
                # It was played early: by the schedule, an entrant may be suspended by now.
                result = course.forfeit_result(number) or result
                batch.append(result._replace(rated=False) if self._unrated else result)
                to_suspend = course.add_result(batch[-1])
            self._ledger.finish(batch, now=self._now())
            for entrant in to_suspend:
                self._suspend(entrant)
            self._store_stop()

    def _suspend(self, entrant: EntrantIndex) -> None:
        reason = self.course.suspend(entrant)
        suspend(self._writer, self._event, entrant, reason=reason)
