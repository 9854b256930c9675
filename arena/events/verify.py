"""Is all that a league says of its events true?

An event is gone through once more from its beginning: who had to meet, from which seeds, who had to
be suspended. Every replay is played again by the rules alone, and what is stored beside it must be
what it says. Ratings are worked out from nothing elsewhere: `leaderboard.verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from arena.errors import ArenaError, BadInput, BadLeague, BadSeed
from arena.events.course import Course
from arena.events.holding import course_of, plan_of, spec_of
from arena.events.spec import secret_for
from arena.events.work import result_of
from arena.games.randomness import Seed
from arena.records import Entrant, Record
from arena.referee.clock import read_clock
from arena.replays.format import read_replay
from arena.replays.verify import verify
from arena.secret import Secret
from arena.tomlfile import shown
from leaderboard.bots import Version, all_versions
from leaderboard.events import Event, EventEntrant, byes_of, field_of, pairings_of, secret_of
from leaderboard.matches import results_of
from leaderboard.results import FORFEIT, Result
from leaderboard.store import Reader


def first_complaint(
    reader: Reader, event: Event, *, tell: Callable[[int], None] = lambda done: None
) -> str | None:
    """Name the first place that is not as it should be; None if all of the event is true.

    What comes after it follows from it, and is not looked at. `tell` hears how many matches are
    done.
    """
    with reader.snapshot():
        complaint = next(_Check(reader, event, tell).complaints(), None)
    return f"{event.name}, {complaint}" if complaint else None


class _Check:
    """One event under examination."""

    def __init__(self, reader: Reader, event: Event, tell: Callable[[int], None]) -> None:
        self._reader = reader
        self._event = event
        self._tell = tell
        self._versions = {version.id: version for version in all_versions(reader)}

    def complaints(self) -> Iterator[str]:
        """Yield a sentence for what is wrong; only the first one can be relied on."""
        event = self._event
        field = field_of(self._reader, event.id)
        try:
            secret = secret_of(self._reader, event)
        except BadLeague as error:
            yield str(error)
            return
        if event.status == "finished" and event.secret is None:
            yield "its secret: is not revealed, but the event is said to be finished"
        yield from self._in_plan(field, secret)
        course = course_of(event, [entrant.version for entrant in field], secret)
        yield from self._in_rounds(course)
        for number, entrant in enumerate(field):
            expected = course.suspended.get(number)
            if entrant.suspended != expected:
                name = self._versions[entrant.version]
                yield f"{name}: suspended is {entrant.suspended!r}, but should be {expected!r}"

    def _in_plan(self, field: Sequence[EventEntrant], key: Seed) -> Iterator[str]:
        """Compare what is told of the event with what its author asked for."""
        event = self._event
        for entrant in field:
            if entrant.version not in self._versions:
                yield f"its field: there is no version {entrant.version}"
        try:
            spec = spec_of(event)
            asked_for = secret_for(spec)
            secret = asked_for if asked_for.is_open else Secret(key)
            plan = plan_of(spec, event.name, [entrant.version for entrant in field], secret)
        except BadInput as error:
            yield f"its spec: {error}"
            return
        yield from _differing("secret", key.hex(), plan.secret.hex())
        yield from _differing("commitment", event.commitment, secret.commitment.hex())
        same = ("kind", "game", "parameters", "seats", "deals", "rounds", "clock", "seed", "cage")
        for name in (*same, "open_deals"):
            yield from _differing(name, getattr(event, name), getattr(plan, name))

    def _in_rounds(self, course: Course) -> Iterator[str]:
        event = self._event
        byes = byes_of(self._reader, event.id)
        results = self._results()
        rounds = groupby(pairings_of(self._reader, event.id), key=attrgetter("round"))
        for number, pairings in rounds:
            stored = list(pairings), [bye for bye in byes if bye.round == number]
            planned = course.next_round()
            if planned is None or planned != stored:
                yield f"round {number}: its pairings are not those of the schedule"
                return
            first = len(course.matches)
            course.add_round(*planned)
            for expected in range(first, len(course.matches)):
                result = next(results, None)
                if result is None and event.status != "finished":
                    return
                if not isinstance(result, Result) or result.number != expected:
                    yield f"match {expected}: {result if isinstance(result, str) else 'is missing'}"
                    return
                for complaint in self._in_match(course, result):
                    yield f"match {expected}: {complaint}"
                for entrant in course.count(result):
                    course.suspend(entrant)
                self._tell(course.counted)
        if next(results, None) is not None:
            yield f"match {len(course.matches)}: belongs to no round"
        if event.status == "finished" and course.next_round() is not None:
            yield f"round {course.round + 1}: is missing, but the event is said to be finished"

    def _results(self) -> Iterator[Result | str]:
        """Yield what is stored; a sentence where it cannot even be read."""
        try:
            yield from results_of(self._reader, self._event.id)
        except BadSeed:
            yield "its seed is not one"

    def _in_match(self, course: Course, result: Result) -> Iterator[str]:
        match, seed, salt = course.matches[result.number]
        forfeited = course.forfeited(result.number)
        if forfeited:
            yield from _differing_results(result, forfeited)
            return
        if result.ending == FORFEIT:
            yield "is a forfeit for no reason"
        try:
            record = read_replay(result.replay)
        except ArenaError as error:
            yield f"its replay: {error}"
            return
        for complaint in verify(record):
            yield f"its replay: {complaint}"
        seated = [self._versions[course.versions[entrant]] for entrant in match.seating]
        if record.seed != seed:
            yield "its replay has another seed than the schedule"
        # Events of the league's version 1 had no salts, and open deals.
        if record.salt != salt and (record.salt or not self._event.open_deals):
            yield "its replay has another salt than the schedule"
        yield from self._in_record(record, seated)
        expected = result_of(match, record, [version.id for version in seated])
        yield from _differing_results(result, expected)

    def _in_record(self, record: Record, seated: Sequence[Version]) -> Iterator[str]:
        event = self._event
        entrants = tuple(Entrant(version.bot, str(version.number)) for version in seated)
        if record.entrants != entrants:
            yield "its replay is one of other bots"
        if (record.game_id, record.parameters) != (event.game, event.parameters):
            yield "its replay is one of another game"
        if record.clock != str(read_clock(event.clock)):
            yield f"its replay was played by another clock, {record.clock}"


def _differing_results(stored: Result, expected: Result) -> Iterator[str]:
    if len(stored.seats) != len(expected.seats):
        yield f"has {len(stored.seats)} seats, but should have {len(expected.seats)}"
        return
    for seat, (one, other) in enumerate(zip(stored.seats, expected.seats, strict=True)):
        for name, is_, should in zip(one._fields, one, other, strict=True):
            yield from _differing(f"seat {seat}, {name}", is_, should)
    for name, is_, should in zip(Result._fields, stored, expected, strict=True):
        yield from _differing(name, is_, should)


def _differing(name: str, stored: Any, expected: Any) -> Iterator[str]:
    if stored != expected:
        yield f"{name} is {shown(stored)}, but should be {shown(expected)}"
