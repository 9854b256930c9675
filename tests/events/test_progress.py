"""Is it told how far an event has come, and how fast it goes?"""

from __future__ import annotations

import pytest

from arena.events.progress import Pace, duration, line_of, share_done
from arena.events.spec import Kind
from tests.events.test_course import course_of, play_round

NAMES = ["ann", "ben", "cat", "dan"]


def test_a_line_tells_how_far_how_fast_and_who_leads() -> None:
    course = course_of(Kind.ROUND_ROBIN, 4, seats=2)
    assert line_of(course, NAMES, 0.0) == "0/12 matches  round 1  0.0/s  0 faults"
    assert share_done(course) == 0
    play_round(course, [3])
    assert line_of(course, NAMES, 0.5) == (
        "4/12 matches  round 1  0.5/s  0:16 left  2 faults  leading: ann 100%, ben 100%, cat 0%"
    )
    assert share_done(course) == pytest.approx(1 / 3)


def test_the_pace_is_that_of_the_matches_since_it_was_taken_up() -> None:
    course = course_of(Kind.ROUND_ROBIN, 4, seats=2)
    play_round(course)
    pace = Pace(course)
    assert pace.rate(course) == 0
    course.add_round(*course.next_round() or ((), ()))
    play_round(course)
    assert pace.rate(course) > 0


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3725, "1:02:05")]
)
def test_a_time_is_written_as_a_clock_shows_it(seconds: float, told: str) -> None:
    assert duration(seconds) == told
