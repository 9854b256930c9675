"""Play an event from its first match to its last, or resume it after an interruption.

Matches are handed out in blocks, in the schedule's order, generation by generation (see
`arena.workers.dispatch`), and results arrive in any order. Results are stored strictly in the
schedule's order; early ones wait. So ratings, suspensions and the next round depend on
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
from functools import partial

from arena.indices import EntrantIndex
from arena.scheduling.pairing import PlannedMatch
from arena.tournament.certainty import TIME_IS_UP, TOO_FEW_BOTS
from arena.tournament.entrants import display_names, field_now
from arena.tournament.progress import BlockInPlay, EventProgress
from arena.tournament.setup import course_of, end_of, spec_of
from arena.workers.block import Block, MatchTerms, PackedBot, blocks_of
from arena.workers.capacity import max_bots, processes_that_fit
from arena.workers.dispatch import Dispatcher
from arena.workers.pool import Cluster, WorkerPool
from leaderboard.bots import Version, package_of, version_with_id
from leaderboard.events import (
    Event,
    add_rounds,
    field_of,
    rounds_of,
    secret_of,
    stop_event,
    suspend,
)
from leaderboard.ledger import Ledger
from leaderboard.matches import results_of
from leaderboard.result import MatchResult
from leaderboard.store import Writer

_AHEAD_S = 6.0
"""Workers get as many matches as they play in this time; a kill loses little more."""
_LEADERS = 3


class EventRunner:
    """Plays one event and stores its results."""

    def __init__(self, writer: Writer, event: Event, *, now: Callable[[], datetime]) -> None:
        """Load an event of the league, and count the rounds and results that are stored."""
        spec = spec_of(event)
        field = [version_with_id(writer, each.version) for each in field_of(writer, event.id)]
        self.course = course_of(
            event, field, secret_of(writer, event), partial(version_with_id, writer)
        )
        self._writer = writer
        self._event = event
        self._spec = spec
        self._terms = MatchTerms(
            event.game,
            event.parameters,
            event.clock,
            spec.cage,
            sealed=not event.open_deals,
            freeze=spec.freeze,
            limits=dict(spec.limits),
        )
        self._bots: list[PackedBot] = []
        self.names: list[str] = []
        """The names of the field, with the version where two bots share a name."""
        self._add_bots(field)
        self._now = now
        self._ledger = Ledger(writer, event.id)
        self._handed_out = 0
        """The number of matches of the course in generations that have begun."""
        self._waiting: dict[int, MatchResult] = {}
        """Results by number, until all earlier ones are stored."""
        self._is_over = False
        self._max_processes = 0
        """How many processes of bots have room, measured before any is started."""
        self._restore()

    def _add_bots(self, versions: Iterable[Version]) -> None:
        for found in versions:
            package = package_of(self._writer, found.id)
            entrant = EntrantIndex(len(self._bots))
            self._bots.append(
                PackedBot(
                    entrant, found.id, found.bot, found.number, found.hash, package, found.lock
                )
            )
        self.names = display_names([(bot.name, bot.number) for bot in self._bots])

    def _restore(self) -> None:
        rounds = self.course.rounds
        for stored in rounds.together(rounds_of(self._writer, self._event.id)):
            rounds.add(stored)
        for result in results_of(self._writer, self._event.id, replays=False):
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
        on_progress: Callable[[EventProgress], None],
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
        self._max_processes = processes_that_fit() if max_processes is None else max_processes
        cluster = workers if isinstance(workers, Cluster) else None
        if cluster and max_processes is None:
            self._max_processes = cluster.max_processes
        while not should_stop():
            dispatcher.hand_out(self)
            self._store_results()
            progress = self._progress(cluster.jobs if cluster else jobs, dispatcher)
            machines = tuple(cluster.machines() if cluster else ())
            on_progress(progress._replace(machines=machines))
            if self._is_over:
                return True
            self._waiting |= {result.number: result for result in dispatcher.collect()}
        return False

    def _progress(self, jobs: int, dispatcher: Dispatcher) -> EventProgress:
        course, rounds, scores = self.course, self.course.rounds, self.course.scores
        shares = {
            entrant: float(scores.points[entrant] / n) for entrant, n in scores.played.items()
        }
        leaders = sorted(shares, key=lambda entrant: (-shares[entrant], entrant))[:_LEADERS]
        blocks = (
            BlockInPlay(
                pending.since,
                len(pending.missing),
                tuple(self.names[bot.entrant] for bot in pending.block.bots),
            )
            for pending in dispatcher.in_play
        )
        return EventProgress(
            event=self._event.name,
            jobs=jobs,
            round=rounds.number,
            counted=course.counted + len(self._waiting),
            expected=rounds.expected_matches(),
            planned=len(rounds.matches),
            faults=scores.faults.total(),
            pace=dispatcher.pace,
            leaders=tuple((self.names[entrant], shares[entrant]) for entrant in leaders),
            blocks=tuple(blocks),
        )

    def next_generation(self) -> list[PlannedMatch]:
        """Return the next generation of matches; none if results must arrive first."""
        rounds = self.course.rounds
        if self._is_over or (self._handed_out == len(rounds.matches) and not self._add_rounds()):
            return []
        first = self._handed_out
        self._handed_out = rounds.generation_ends[bisect_right(rounds.generation_ends, first)]
        return rounds.matches[first : self._handed_out]

    def blocks(self, matches: Sequence[PlannedMatch], *, jobs: int, tables: int) -> list[Block]:
        """Cut matches into blocks, without those of suspended bots."""
        taken: list[PlannedMatch] = []
        for match in matches:
            forfeited = self.course.forfeit_result(match.number)
            if forfeited:
                self._waiting[match.number] = forfeited
            else:
                taken.append(match)
        return list(
            blocks_of(
                self._terms,
                taken,
                self._bots,
                tables=tables,
                max_bots=max_bots(self._max_processes, jobs=jobs),
                return_unplayed=True,
            )
        )

    def _add_rounds(self) -> bool:
        course, rounds = self.course, self.course.rounds
        if rounds.schedule.follows_results and course.counted < len(rounds.matches):
            return False
        ends_at = end_of(self._event)
        if ends_at and self._now() >= ends_at and rounds.has_more():
            course.stopped = TIME_IS_UP
        known = len(course.versions)
        planned = course.next_rounds(self._present())
        if not planned:
            if rounds.schedule.follows_strengths and not course.stopped and rounds.has_more():
                course.stopped = TOO_FEW_BOTS
            self._store_stop()
            self._is_over = course.counted == len(rounds.matches)
            return False
        add_rounds(
            self._writer,
            self._event.id,
            rounds.number + 1,
            planned,
            newcomers=course.versions[known:],
            now=self._now(),
        )
        rounds.add(planned)
        return True

    def _present(self) -> set[EntrantIndex] | None:
        """Return who plays in the next round of a ladder, and add the newcomers."""
        if not self.course.rounds.schedule.follows_strengths or self.course.stopped:
            return None
        present = field_now(self._writer, self._spec, since=self._event.started)
        known = {bot.version: bot.entrant for bot in self._bots}
        new = [version for version in present if version.id not in known]
        known |= {version.id: self.course.add_entrant(version.id) for version in new}
        if new:
            self._add_bots(new)
        return {known[version.id] for version in present}

    def _store_stop(self) -> None:
        """Store that the event ends early, if it does, without the rounds planned ahead."""
        course = self.course
        if course.stopped:
            stop_event(
                self._writer, self._event.id, reason=course.stopped, rounds=course.rounds.number
            )
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
                batch.append(result._replace(rated=False) if self._spec.unrated else result)
                to_suspend = course.add_result(batch[-1])
            self._ledger.finish(batch, now=self._now())
            for entrant in to_suspend:
                self._suspend(entrant)
            self._store_stop()

    def _suspend(self, entrant: EntrantIndex) -> None:
        reason = self.course.suspend(entrant)
        suspend(self._writer, self._event.id, entrant, reason=reason)
