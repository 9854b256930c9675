"""Verify that everything a league stores about an event is true.

The event is computed again from its start: pairings, seeds, suspensions. Every replay is played
again by the rules alone, and the stored result must agree with it. Ratings are verified elsewhere:
`ratings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import zip_longest
from typing import Any

from arena.errors import ArenaError, BadInput, BadLeague, BadSeed
from arena.games.randomness import Seed
from arena.indices import EntrantIndex
from arena.records import HASH_BYTES, Record
from arena.referee.clock import read_clock
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.secret import Secret
from arena.tournament.certainty import CLOSED, TIME_IS_UP, TOO_FEW_BOTS
from arena.tournament.course import Course
from arena.tournament.rounds import present_in
from arena.tournament.setup import course_of, end_of, event_for, spec_of
from arena.tournament.spec import secret_for
from arena.tournament.verification.differences import compare
from arena.workers.block import result_of
from leaderboard.bots import Version, all_versions
from leaderboard.events import Event, EventEntrant, EventSettings, field_of, rounds_of, secret_of
from leaderboard.matches import results_of
from leaderboard.ratings.repeats import repeated_numbers
from leaderboard.result import FORFEIT, MatchResult, SeatResult
from leaderboard.store import Reader, moment


def first_complaint(
    reader: Reader, event: Event, *, on_progress: Callable[[int], None] = lambda done: None
) -> str | None:
    """Describe the first difference; None if everything stored about the event is true.

    Later differences follow from the first and are not reported. `on_progress` is called with the
    number of matches verified.
    """
    with reader.snapshot():
        try:
            complaint = next(_Check(reader, event, on_progress).complaints(), None)
        except BadLeague:
            raise  # the file cannot be read
        except BadInput as error:
            complaint = f"it cannot be computed again: {error}"
    return f"{event.name}, {complaint}" if complaint else None


class _Check:
    """Verifies one event."""

    def __init__(self, reader: Reader, event: Event, on_progress: Callable[[int], None]) -> None:
        self._reader = reader
        self._event = event
        self._on_progress = on_progress
        self._versions = {version.id: version for version in all_versions(reader)}
        self._repeated = repeated_numbers(reader, event.id)

    def complaints(self) -> Iterator[str]:
        """Yield a sentence for each difference; only the first one is reliable."""
        event = self._event
        field = field_of(self._reader, event.id)
        try:
            secret = secret_of(self._reader, event)
        except BadLeague as error:
            yield str(error)
            return
        if event.status == "finished" and event.secret is None:
            yield "its secret is not revealed, but the event is marked as finished"
        yield from self._check_plan(field, secret)
        versions = [
            self._versions[entrant.version]
            for entrant in field
            if entrant.version in self._versions
        ]
        if len(versions) < len(field):
            return
        course = course_of(event, versions, secret, self._versions.__getitem__)
        yield from self._check_rounds(course)
        for index, entrant in enumerate(field):
            expected = course.suspended.get(EntrantIndex(index))
            if entrant.suspended != expected:
                name = self._versions[entrant.version]
                yield f"{name}: suspended is {entrant.suspended!r}, but should be {expected!r}"

    def _check_plan(self, field: Sequence[EventEntrant], key: Seed) -> Iterator[str]:
        """Compare the stored event with its spec."""
        event = self._event
        for entrant in field:
            if entrant.version not in self._versions:
                yield f"its field: there is no version {entrant.version}"
        try:
            spec = spec_of(event)
            asked_for = secret_for(spec)
            secret = asked_for if asked_for.is_open else Secret(key)
            should = event_for(spec, event.name, len(field), secret)
        except BadInput as error:
            yield f"its spec: {error}"
            return
        yield from compare("secret", key.hex(), should.secret)
        settled = {each.name for each in fields(EventSettings)} - {"secret"}
        for name in ("commitment", *sorted(settled), "parameters", "open_deals"):
            yield from compare(name, getattr(event, name), getattr(should, name))

    def _check_rounds(self, course: Course) -> Iterator[str]:
        event = self._event
        rounds = course.rounds
        results = self._stored_results()
        planned_rounds = rounds_of(self._reader, event.id)
        for stored in rounds.together(planned_rounds):
            if course.stopped and event.status != "finished":
                return  # It was killed before it had removed the rounds planned ahead.
            present = present_in(stored) if rounds.schedule.follows_strengths else None
            planned = course.next_rounds(present)
            for number, (one, other) in enumerate(zip_longest(stored, planned), rounds.number + 1):
                if one != other:
                    yield f"round {number}: its pairings are not those of the schedule"
                    return
            first = len(rounds.matches)
            rounds.add(planned)
            for expected in range(first, len(rounds.matches)):
                result = next(results, None)
                if result is None and event.status != "finished":
                    return
                if result is None and expected > first and rounds.number == len(planned_rounds):
                    # A ladder may be closed in the middle of a round.
                    if rounds.schedule.follows_strengths and event.stopped == CLOSED:
                        return
                if not isinstance(result, MatchResult) or result.number != expected:
                    yield f"match {expected}: {result if isinstance(result, str) else 'is missing'}"
                    return
                for complaint in self._check_match(course, result):
                    yield f"match {expected}: {complaint}"
                for entrant in course.add_result(result):
                    course.suspend(entrant)
                self._on_progress(course.counted)
        if next(results, None) is not None:
            yield f"match {len(rounds.matches)}: belongs to no round"
        if event.status == "finished":
            yield from self._check_end(course)

    def _check_end(self, course: Course) -> Iterator[str]:
        """Check that the event ended when it should."""
        event = self._event
        stopped = course.stopped
        if event.stopped != stopped and self._may_end_here(course):
            stopped = event.stopped
        yield from compare("stopped", event.stopped, stopped)
        if stopped is None and course.rounds.has_more() and course.next_rounds():
            missing = course.rounds.number + 1
            yield f"round {missing}: is missing, but the event is marked as finished"

    def _may_end_here(self, course: Course) -> bool:
        """Return whether a ladder may have ended for its reason, which results do not show."""
        event = self._event
        if not course.rounds.schedule.follows_strengths or not course.rounds.has_more():
            return False
        ends_at = end_of(event)
        is_up = ends_at is not None and event.ended is not None and moment(event.ended) >= ends_at
        return event.stopped in (TOO_FEW_BOTS, CLOSED) or (event.stopped == TIME_IS_UP and is_up)

    def _stored_results(self) -> Iterator[MatchResult | str]:
        """Yield the stored results, or a sentence where one cannot be read."""
        try:
            yield from results_of(self._reader, self._event.id)
        except BadSeed:
            yield "its seed is invalid"

    def _check_match(self, course: Course, result: MatchResult) -> Iterator[str]:
        match = course.rounds.matches[result.number]
        forfeited = course.forfeit_result(result.number)
        if forfeited:
            yield from _compare_results(result, forfeited)
            return
        if result.ending == FORFEIT:
            yield "is a forfeit without a reason"
        try:
            record = read_replay(result.replay)
        except ArenaError as error:
            yield f"its replay: {error}"
            return
        for complaint in verify(record):
            yield f"its replay: {complaint}"
        seated = [self._versions[course.versions[entrant]] for entrant in match.seating]
        if record.seed != match.seed:
            yield "its replay has another seed than the schedule"
        if record.salt != match.salt:
            yield "its replay has another salt than the schedule"
        yield from self._check_record(record, seated)
        expected = result_of(match, record, [version.id for version in seated])
        is_rated = not spec_of(self._event).unrated and result.number not in self._repeated
        yield from _compare_results(result, expected._replace(rated=is_rated))

    def _check_record(self, record: Record, seated: Sequence[Version]) -> Iterator[str]:
        event = self._event
        players = [(version.bot, str(version.number)) for version in seated]
        if [(entrant.name, entrant.version) for entrant in record.entrants] != players:
            yield "its replay is of other bots"
        for entrant, version in zip(record.entrants, seated, strict=False):
            if entrant.hash.hex() != version.hash[: 2 * HASH_BYTES]:
                yield f"its replay was played by another {version} than the one in the league"
        if (record.game_id, record.parameters) != (event.game, event.parameters):
            yield "its replay is of another game"
        if record.clock != str(read_clock(event.clock)):
            yield f"its replay was played with another clock, {record.clock}"


def _compare_results(stored: MatchResult, expected: MatchResult) -> Iterator[str]:
    if len(stored.seats) != len(expected.seats):
        yield f"has {len(stored.seats)} seats, but should have {len(expected.seats)}"
        return
    pairs = zip(stored.seats, expected.seats, strict=True)
    stored = stored._replace(seats=tuple(_provable(one, other) for one, other in pairs))
    for seat, (one, other) in enumerate(zip(stored.seats, expected.seats, strict=True)):
        columns: Iterator[tuple[str, Any, Any]] = zip(one._fields, one, other, strict=True)
        for name, actual, should in columns:
            yield from compare(f"seat {seat}, {name}", actual, should)
    for name, actual, should in zip(MatchResult._fields, stored, expected, strict=True):
        yield from compare(name, actual, should)


def _provable(stored: SeatResult, expected: SeatResult) -> SeatResult:
    """Return a seat without its CPU time and memory, which are in the journal only."""
    return stored._replace(cpu_us=expected.cpu_us, memory_kib=expected.memory_kib)
