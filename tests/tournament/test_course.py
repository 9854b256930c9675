"""The consequences of an event's results: points, suspensions and the next round."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from arena.games.outcome import Ending
from arena.games.randomness import seed_from
from arena.indices import EntrantIndex, VersionId
from arena.records import SeatEnding
from arena.tournament.course import Course
from arena.tournament.schedule import schedule_of
from arena.tournament.scores import JUDGED_AFTER, MAX_BREAKS, SUSPENDED_ABOVE
from arena.tournament.spec import Kind, Spec
from leaderboard.result import FORFEIT, PLAYED, MatchResult, SeatResult
from tests.indices import entrants_in

SEED = seed_from(3)


def course_of(kind: Kind, entrants: int, game: str = "meow", **changes: object) -> Course:
    """Start an event and add its first round; version ids are 100 more than entrants."""
    if kind is Kind.GAUNTLET:
        changes["bots"] = ("ann", "ben")
    spec = Spec(kind, game, **changes)  # type: ignore[arg-type]
    schedule = schedule_of(spec, entrants, SEED)
    versions = [VersionId(100 + entrant) for entrant in range(entrants)]
    course = Course(
        spec.the_game, spec.parameters(), schedule, versions, SEED, spec.deals, goal=spec.goal
    )
    add_next_round(course)
    return course


def add_next_round(course: Course) -> None:
    """Add the next round."""
    planned = course.next_rounds()
    assert planned
    course.rounds.add(planned)


def result(course: Course, faulty: Collection[int] = ()) -> MatchResult:
    """Make up the result of the next match: low entrants beat high ones, and some fault."""
    number = course.counted
    match = course.rounds.matches[number]
    seats = [
        SeatResult(
            course.versions[entrant],
            1 + sum(other < entrant for other in match.seating),
            0,
            0.0,
            SeatEnding.CRASHED.code if entrant in faulty else PLAYED,
        )
        for entrant in match.seating
    ]
    ending = Ending.PLAYED_OUT.code
    return MatchResult(*match[:4], match.seed, ending, tuple(seats), 0, 0, "", b"")


def play_round(course: Course, faulty: Collection[int] = ()) -> None:
    """Play all planned matches, and suspend entrants as their results require."""
    while course.counted < len(course.rounds.matches):
        forfeited = course.forfeit_result(course.counted)
        for entrant in course.add_result(forfeited or result(course, faulty)):
            course.suspend(entrant)


@given(st.lists(st.booleans(), min_size=30, max_size=30))
def test_a_bot_is_suspended_as_soon_as_its_share_of_faults_is_too_large(
    crashes: list[bool],
) -> None:
    course = course_of(Kind.ROUND_ROBIN, 2, seats=2, deals=15)
    suspended_after = None
    for crashed in crashes:
        if course.add_result(result(course, [1] if crashed else ())):
            suspended_after = course.counted
            break
    expected = (n for n in range(JUDGED_AFTER, 31) if sum(crashes[:n]) > SUSPENDED_ABOVE * n)
    assert suspended_after == next(expected, None)


def test_the_reason_for_a_suspension_includes_the_figures() -> None:
    course = course_of(Kind.ROUND_ROBIN, 2, seats=2, deals=15)
    play_round(course, [1])
    assert course.suspended == {1: "suspended after faults in 8 of its first 8 matches"}
    assert course.scores.faults == {0: 0, 1: 8}


def test_a_bot_that_breaks_repeatedly_is_suspended() -> None:
    course = course_of(Kind.ROUND_ROBIN, 2, seats=2, deals=15)
    for broken in range(1, MAX_BREAKS + 2):
        played = result(course)
        seats = [
            seat._replace(breaks=1) if seat.version == course.versions[1] else seat
            for seat in played.seats
        ]
        accused = course.add_result(played._replace(seats=tuple(seats)))
        assert accused == ([1] if broken > MAX_BREAKS else [])
    assert course.suspend(EntrantIndex(1)) == (
        "suspended after it broke 4 times and voided matches in which it did no wrong when they "
        "were played again"
    )
    assert (course.scores.breaks, course.scores.faults) == ({0: 0, 1: 4}, {0: 0, 1: 4})


def test_only_suspended_entrants_forfeit_their_remaining_matches() -> None:
    course = course_of(Kind.ROUND_ROBIN, 5, seats=2)
    course.suspend(EntrantIndex(1))
    for number, match in enumerate(course.rounds.matches):
        forfeited = course.forfeit_result(number)
        assert (forfeited is not None) == (1 in match.seating)
        if forfeited:
            assert forfeited.number == number
            assert (forfeited.seed, forfeited.ending) == (match.seed, FORFEIT)
            assert not forfeited.rated
            ends = {
                seat.version: (seat.place, seat.points, seat.ending) for seat in forfeited.seats
            }
            assert ends.pop(VersionId(101)) == (2, 0.0, FORFEIT)
            assert list(ends.values()) == [(1, 1.0, PLAYED)]


def test_if_all_are_suspended_the_match_is_a_tie() -> None:
    course = course_of(Kind.ROUND_ROBIN, 3, seats=3)
    for entrant in entrants_in(range(3)):
        course.suspend(entrant)
    forfeited = course.forfeit_result(0)
    assert forfeited
    assert [(seat.place, seat.points) for seat in forfeited.seats] == [(1, 0.5)] * 3


def test_the_partner_of_a_suspended_entrant_also_loses() -> None:
    course = course_of(Kind.ROUND_ROBIN, 4, "trio", variant=("simple-teams",))
    (seating, *_) = [match.seating for match in course.rounds.matches]
    course.suspend(seating[0])
    forfeited = course.forfeit_result(0)
    assert forfeited
    assert [seat.place for seat in forfeited.seats] == [2, 1, 2, 1]
    assert [seat.ending for seat in forfeited.seats] == [FORFEIT, PLAYED, PLAYED, PLAYED]


def test_a_forfeit_counts_neither_as_a_match_nor_as_a_fault() -> None:
    course = course_of(Kind.ROUND_ROBIN, 3, seats=3)
    course.suspend(EntrantIndex(2))
    play_round(course)
    assert not course.scores.played
    assert not course.scores.faults
    assert not course.scores.points


def test_a_round_robin_can_be_planned_completely_before_the_first_match() -> None:
    course = course_of(Kind.ROUND_ROBIN, 9, seats=4, rounds=3)
    while planned := course.next_rounds():
        course.rounds.add(planned)
    assert course.rounds.number == 3
    assert not course.counted


def test_a_swiss_round_waits_for_the_last_result_of_the_one_before() -> None:
    course = course_of(Kind.SWISS, 8, seats=4)
    while course.counted < len(course.rounds.matches):
        assert not course.next_rounds()
        course.add_result(result(course))
    assert course.next_rounds()


def test_the_points_of_a_pairing_do_not_depend_on_its_number_of_matches() -> None:
    # A table of three plays three matches per deal, a table of four plays four; either way, a
    # winner gets one point.
    course = course_of(Kind.SWISS, 7, rounds=2)
    assert sorted(len(pairing.seating) for pairing in course.rounds.pairings) == [3, 4]
    play_round(course)
    history = course.history()
    assert sorted(max(played.points) for played in history.played) == [Fraction(1)] * 2
    assert sorted(min(played.points) for played in history.played) == [Fraction(0)] * 2


def test_a_suspended_entrant_is_not_paired_again_in_a_swiss_event() -> None:
    course = course_of(Kind.SWISS, 9, seats=4, deals=3, rounds=3)
    play_round(course, [4])
    add_next_round(course)
    assert course.suspended.keys() == {4}
    assert all(4 not in pairing.seating for pairing in course.rounds.pairings if pairing.round == 2)


def test_a_swiss_event_ends_when_no_table_can_be_filled() -> None:
    course = course_of(Kind.SWISS, 4, "trio", deals=2, rounds=9)
    assert course.rounds.schedule.rounds == 9
    play_round(course, [1, 2])
    assert course.suspended.keys() == {1, 2}
    assert not course.next_rounds()
