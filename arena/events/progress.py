"""How far has an event come, and how fast does it go?"""

from __future__ import annotations

import time
from collections.abc import Sequence

from arena.events.course import Course

_LEADERS = 3


class Pace:
    """How fast an event goes, from the moment that this process takes it up."""

    def __init__(self, course: Course) -> None:
        """Begin to count: what has been played before is not this process's doing."""
        self._before = course.counted
        self._began = time.monotonic()

    def rate(self, course: Course) -> float:
        """Return how many matches a second have been entered since then."""
        return (course.counted - self._before) / max(time.monotonic() - self._began, 1e-9)


def line_of(course: Course, names: Sequence[str], rate: float) -> str:
    """Say in a line how an event goes; `names` are those of its field."""
    total = expected_matches(course)
    parts = [f"{course.counted}/{total} matches", f"round {course.round}", f"{rate:.1f}/s"]
    if rate > 0:
        parts.append(f"{duration((total - course.counted) / rate)} left")
    parts.append(f"{course.faults.total()} faults")
    leaders = _leaders(course)
    if leaders:
        told = ", ".join(f"{names[entrant]} {share:.0%}" for entrant, share in leaders)
        parts.append(f"leading: {told}")
    return "  ".join(parts)


def _leaders(course: Course) -> list[tuple[int, float]]:
    shares = [(entrant, float(course.points[entrant] / n)) for entrant, n in course.played.items()]
    return sorted(shares, key=lambda one: (-one[1], one[0]))[:_LEADERS]


def share_done(course: Course) -> float:
    """Return which part of an event has been played, as far as one can tell."""
    return course.counted / max(expected_matches(course), 1)


def expected_matches(course: Course) -> int:
    """Return how many matches an event will have, as far as one can tell."""
    # Rounds are much alike: those that are not planned yet are taken to be like the others.
    return len(course.matches) * course.schedule.rounds // max(course.round, 1)


def duration(seconds: float) -> str:
    """Write a time as a clock shows it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
