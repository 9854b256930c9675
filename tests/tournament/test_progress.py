"""The progress of an event: matches done, rate and leaders."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.tournament.course import Course
from arena.tournament.progress import EventProgress
from arena.tournament.schedule import schedule_of
from arena.tournament.spec import Kind, Spec
from arena.workers.assignments import MachineLoad
from arena.workers.pace import Pace
from tests.builders.leagues import FakeWorkers, enter, open_league, play_event
from tests.indices import versions
from tests.tournament.test_course import SEED, course_of, play_round

BEFORE = EventProgress("cup", 2, 1, counted=0, expected=12, faults=0)


def test_a_line_shows_progress_rate_and_leaders() -> None:
    assert BEFORE.line() == "0/12 matches  the bots start"
    assert BEFORE.share_done == 0
    leaders = (("ann", 1.0), ("ben", 0.5))
    # Two matches of 50 decisions are over since the event was resumed, and a third has begun.
    pace = Pace(seconds=5.0, decisions=125, tables=1, matches=2, decided=100)
    later = BEFORE._replace(counted=4, faults=2, pace=pace, leaders=leaders)
    assert later.line() == (
        "4/12 matches  0:15 left  25 decisions/s  1 match in play  2 faults  "
        "leading: ann 100%, ben 50%"
    )
    assert later.share_done == pytest.approx(4.5 / 12)


def test_decisions_are_counted_before_a_match_is_over() -> None:
    pace = Pace(seconds=10.0, decisions=30, tables=2)
    line = BEFORE._replace(pace=pace).line()
    assert line == "0/12 matches  3.0 decisions/s  2 matches in play"


def test_the_progress_of_an_event_follows_from_its_results(tmp_path: Path) -> None:
    seen: list[EventProgress] = []
    with open_league(tmp_path, ["ann", "ben"]) as writer:
        enter(writer, Spec(Kind.SWISS, "meow", bots=("ann", "ben"), seats=2, rounds=2, name="cup"))
        faulty = FakeWorkers(lambda name, number: name == "ben")
        play_event(writer, "cup", faulty, on_progress=seen.append)
    last = seen[-1]
    assert (last.event, last.round, last.pace.matches) == ("cup", 2, 4)
    assert (last.counted, last.expected, last.faults) == (4, 4, 4)
    assert last.leaders == (("ann", 1.0), ("ben", 0.0))


def test_a_line_shows_the_size_of_the_cluster() -> None:
    loads = tuple(MachineLoad(name, 30.0, 2, 1, 9, 0) for name in ("alpha", "beta"))
    assert "  4 workers on 2 machines" in BEFORE._replace(jobs=4, machines=loads).line()


def test_a_line_says_what_a_cluster_waits_for() -> None:
    loads = tuple(MachineLoad(name, 30.0, 2, 1, 9, 0) for name in ("alpha", "beta"))
    line = BEFORE._replace(machines=loads).line()
    assert line.startswith("0/12 matches  18 matches in play, waiting for the first of 2 chunks  ")
    idle = tuple(load._replace(chunks=0, matches=0) for load in loads)
    assert "  waiting for the workers  " in BEFORE._replace(machines=idle).line()


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
