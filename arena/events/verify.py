"""Is all that a league says of its events true?

An event is gone through once more from its beginning: who had to meet, from which seeds, who had to
be suspended. Every replay is played again by the rules alone, and what is stored beside it must be
what it says. Ratings are worked out from nothing elsewhere: `leaderboard.verify`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from arena.errors import ArenaError
from arena.events.course import Course
from arena.events.league import course_of
from arena.events.work import result_of
from arena.records import Entrant
from arena.replays.format import read_replay
from arena.replays.verify import verify
from leaderboard.bots import Version, all_versions
from leaderboard.events import Event, byes_of, field_of, pairings_of
from leaderboard.matches import results_of
from leaderboard.results import FORFEIT, Result
from leaderboard.store import Reader


def complaints_of(
    reader: Reader, event: Event, *, tell: Callable[[int], None] = lambda done: None
) -> Iterator[str]:
    """Yield a sentence for all that is not as it should be; `tell` hears how many matches are done.

    After a match that is wrong the event is not looked at further: the rest follows from it.
    """
    field = field_of(reader, event.id)
    versions = {version.id: version for version in all_versions(reader)}
    course = course_of(event, [entrant.version for entrant in field])
    yield from _wrong_rounds(reader, event, course, versions, tell)
    for number, entrant in enumerate(field):
        expected = course.suspended.get(number)
        if entrant.suspended != expected:
            name = versions[entrant.version]
            yield f"{event.name}, {name}: suspended is {entrant.suspended!r}, not {expected!r}"


def _wrong_rounds(
    reader: Reader,
    event: Event,
    course: Course,
    versions: dict[int, Version],
    tell: Callable[[int], None],
) -> Iterator[str]:
    stored = groupby(pairings_of(reader, event.id), key=lambda pairing: pairing.round)
    byes = byes_of(reader, event.id)
    results = results_of(reader, event.id)
    for number, pairings in stored:
        planned = course.next_round()
        found = list(pairings), [bye for bye in byes if bye.round == number]
        if planned is None or (list(planned[0]), list(planned[1])) != found:
            yield f"{event.name}, round {number}: its pairings are not those of the schedule"
            return
        first = len(course.matches)
        course.add_round(*planned)
        for expected in range(first, len(course.matches)):
            result = next(results, None)
            if result is None:
                if event.status == "finished":
                    yield f"{event.name}, match {expected}: is missing"
                return
            complaint = _wrong(course, result, expected, versions)
            if complaint:
                yield f"{event.name}, match {expected}: {complaint}"
                return
            for entrant in course.count(result):
                course.suspend(entrant)
            tell(course.counted)
    if next(results, None) is not None:
        yield f"{event.name}, match {len(course.matches)}: belongs to no round"
    if event.status == "finished" and course.next_round() is not None:
        yield f"{event.name}: is said to be finished, but round {course.round + 1} is missing"


def _wrong(course: Course, result: Result, number: int, versions: dict[int, Version]) -> str | None:
    """Say what is wrong with a stored match."""
    match, seed = course.matches[number]
    forfeited = course.forfeited(number)
    if forfeited or result.ending == FORFEIT:
        return _differing(result, forfeited) if forfeited else "is a forfeit for no reason"
    try:
        record = read_replay(result.replay)
    except ArenaError as error:
        return f"its replay: {error}"
    for complaint in verify(record):
        return f"its replay: {complaint}"
    seated = [versions[course.versions[entrant]] for entrant in match.seating]
    entrants = tuple(Entrant(version.bot, str(version.number)) for version in seated)
    if record.entrants != entrants:
        return "its replay is one of other bots"
    if record.seed != seed:
        return "its replay has another seed than the schedule"
    return _differing(result, result_of(match, record, [version.id for version in seated]))


def _differing(stored: Result, expected: Result) -> str | None:
    for name, is_, should in zip(Result._fields, stored, expected, strict=True):
        if is_ != should:
            if name == "seats":
                return _differing_seat(stored, expected)
            return f"{name} is {is_!r}, but should be {should!r}"
    return None


def _differing_seat(stored: Result, expected: Result) -> str:
    for seat, (one, other) in enumerate(zip(stored.seats, expected.seats, strict=True)):
        for name, is_, should in zip(one._fields, one, other, strict=True):
            if is_ != should:
                return f"seat {seat}: {name} is {is_!r}, but should be {should!r}"
    return "its seats differ"
