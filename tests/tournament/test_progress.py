"""The progress of an event: matches done, rate and leaders."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.tournament.course import Course
from arena.tournament.progress import EventProgress
from arena.tournament.schedule import schedule_of
from arena.tournament.spec import Kind, Spec
from arena.workers.pool import MachineLoad
from tests.builders.leagues import FakeWorkers, enter, open_league, play_event
from tests.indices import versions
from tests.tournament.test_course import SEED, course_of, play_round

BEFORE = EventProgress("cup", 2, 1, 0.0, counted=0, expected=12, faults=0, new=0, seconds=9.0)


def test_a_line_shows_progress_rate_and_leaders() -> None:
    assert BEFORE.line() == "0/12 matches  round 1  0.0/s  0 faults"
    assert BEFORE.share_done == 0
    leaders = (("ann", 1.0), ("ben", 0.5))
    # Matches stored before the event was resumed say nothing about its speed.
    later = BEFORE._replace(counted=4, faults=2, new=2, seconds=4.0, leaders=leaders)
    assert later.line() == (
        "4/12 matches  round 1  0.5/s  0:16 left  2 faults  leading: ann 100%, ben 50%"
    )
    assert later.share_done == pytest.approx(1 / 3)


def test_the_progress_of_an_event_follows_from_its_results(tmp_path: Path) -> None:
    seen: list[EventProgress] = []
    with open_league(tmp_path, ["ann", "ben"]) as writer:
        enter(writer, Spec(Kind.SWISS, "meow", bots=("ann", "ben"), seats=2, rounds=2, name="cup"))
        faulty = FakeWorkers(lambda name, number: name == "ben")
        play_event(writer, "cup", faulty, on_progress=seen.append)
    last = seen[-1]
    assert (last.event, last.round, last.round_share) == ("cup", 2, 1.0)
    assert (last.counted, last.expected, last.new, last.faults) == (4, 4, 4, 4)
    assert last.leaders == (("ann", 1.0), ("ben", 0.0))


def test_a_line_shows_the_size_of_the_cluster() -> None:
    loads = tuple(MachineLoad(name, 30.0, 2, 1, 9, 0) for name in ("alpha", "beta"))
    assert "  4 workers on 2 machines  " in BEFORE._replace(jobs=4, machines=loads).line()


@pytest.mark.parametrize("kind", Kind)
def test_rounds_not_yet_planned_are_expected_to_be_like_the_others(kind: Kind) -> None:
    # Five entrants at tables of two: two pairings per round, each with one deal in both rotations.
    course = course_of(kind, 5, seats=2, rounds=3)
    assert course.rounds.expected_matches() == 12
    play_round(course)
    while rounds := course.next_rounds():
        course.rounds.add(rounds)
        assert course.rounds.expected_matches() == 12
        play_round(course)
    assert len(course.rounds.matches) == 12


def test_no_match_is_expected_before_the_first_round() -> None:
    spec = Spec(Kind.ROUND_ROBIN, "meow", seats=2)
    schedule = schedule_of(spec, 4, SEED)
    course = Course(spec.the_game, spec.parameters(), schedule, versions(1, 2, 3, 4), SEED, 1)
    assert course.rounds.expected_matches() == 0
    assert BEFORE._replace(expected=0).share_done == 0
