"""The progress of an event: matches done, rate and leaders."""

from __future__ import annotations

import pytest

from arena.tournament.course import Course
from arena.tournament.progress import EventProgress, MatchRate, expected_matches
from arena.tournament.schedule import schedule_of
from arena.tournament.spec import Kind, Spec
from arena.workers.pool import MachineLoad
from leaderboard.result import Machine
from tests.indices import versions
from tests.tournament.test_course import SEED, course_of, play_round

NAMES = ["ann", "ben", "cat", "dan"]


def test_a_line_shows_progress_rate_and_leaders() -> None:
    course = course_of(Kind.SWISS, 4, seats=2, rounds=3)
    assert EventProgress(course, NAMES, 0.0).line() == "0/12 matches  round 1  0.0/s  0 faults"
    assert EventProgress(course, NAMES, 0.0).share_done == 0
    play_round(course, [3])
    progress = EventProgress(course, NAMES, 0.5)
    assert progress.line() == (
        "4/12 matches  round 1  0.5/s  0:16 left  2 faults  leading: ann 100%, cat 100%, ben 0%"
    )
    assert progress.share_done == pytest.approx(1 / 3)


def test_a_line_shows_the_size_of_the_cluster() -> None:
    loads = [MachineLoad(Machine(name, 30.0), 2, 1, 9, 0) for name in ("alpha", "beta")]
    course = course_of(Kind.ROUND_ROBIN, 4, seats=2)
    assert "  4 workers on 2 machines  " in EventProgress(course, NAMES, 0.0, loads).line()


def test_the_rate_counts_the_matches_since_the_event_was_resumed() -> None:
    course = course_of(Kind.SWISS, 4, seats=2, rounds=3)
    play_round(course)
    rate = MatchRate(course)
    assert rate.per_second(course) == 0
    course.add_rounds(course.next_rounds())
    play_round(course)
    assert rate.per_second(course) > 0


@pytest.mark.parametrize("kind", Kind)
def test_rounds_not_yet_planned_are_expected_to_be_like_the_others(kind: Kind) -> None:
    # Five entrants at tables of two: two pairings per round, each with one deal in both rotations.
    course = course_of(kind, 5, seats=2, rounds=3)
    assert expected_matches(course) == 12
    play_round(course)
    while rounds := course.next_rounds():
        course.add_rounds(rounds)
        assert expected_matches(course) == 12
        play_round(course)
    assert len(course.matches) == 12


def test_no_match_is_expected_before_the_first_round() -> None:
    spec = Spec(Kind.ROUND_ROBIN, "meow", seats=2)
    schedule = schedule_of(spec, 4, SEED)
    course = Course(spec.the_game, spec.parameters(), schedule, versions(1, 2, 3, 4), SEED, 1)
    assert expected_matches(course) == 0
    assert EventProgress(course, NAMES, 0.0).share_done == 0
