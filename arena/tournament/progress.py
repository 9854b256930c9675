"""The progress of an event, and its speed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from arena.indices import EntrantIndex
from arena.text import clock_time, quantity
from arena.tournament.course import Course
from arena.workers.pool import MachineLoad

_LEADERS = 3


class MatchRate:
    """How many matches a second this process adds to an event."""

    def __init__(self, course: Course) -> None:
        """Start measuring; matches stored before do not count."""
        self._before = course.counted
        self._began = time.monotonic()

    def per_second(self, course: Course) -> float:
        """Return how many matches a second have been stored since the start."""
        return (course.counted - self._before) / max(time.monotonic() - self._began, 1e-9)


@dataclass(frozen=True, slots=True)
class EventProgress:
    """The progress of an event."""

    course: Course
    names: Sequence[str]
    """The names of the field, by entrant."""
    rate: float
    """Matches per second."""
    machines: Sequence[MachineLoad] = ()
    """Those of the cluster that it is played on."""

    @property
    def share_done(self) -> float:
        """The share of the event that has been played, estimated like `expected_matches`.

        0 if the end of the event is not known.
        """
        if not expected_matches(self.course):
            return 0.0
        return self.course.counted / expected_matches(self.course)

    @property
    def parts(self) -> list[tuple[str, float]]:
        """The round, if there are several, and the machines, each with the share that it has.

        A machine's share is that of all matches played so far.
        """
        course = self.course
        parts = []
        if course.round > 1 or course.has_more_rounds():
            parts.append((f"round {course.round}", min(max(course.round_share(), 0.0), 1.0)))
        played = sum(load.played for load in self.machines)
        for load in self.machines:
            name = f"{load.machine.name}: {quantity(load.played, 'match', 'matches')}"
            parts.append((name, load.played / max(played, 1)))
        return parts

    def line(self) -> str:
        """Describe the progress in one line, the most important first."""
        course, rate = self.course, self.rate
        total = expected_matches(course)
        played = quantity(course.counted, "match", "matches")
        if total:
            played = f"{course.counted}/{quantity(total, 'match', 'matches')}"
        parts = [played, f"round {course.round}", f"{rate:.1f}/s"]
        if rate > 0 and total:
            parts.append(f"{clock_time((total - course.counted) / rate)} left")
        if self.machines:
            workers = quantity(sum(load.workers for load in self.machines), "worker")
            parts.append(f"{workers} on {quantity(len(self.machines), 'machine')}")
        parts.append(quantity(course.faults.total(), "fault"))
        leaders = ", ".join(
            f"{self.names[entrant]} {share:.0%}" for entrant, share in self._leaders()
        )
        if leaders:
            parts.append(f"leading: {leaders}")
        return "  ".join(parts)

    def _leaders(self) -> list[tuple[EntrantIndex, float]]:
        course = self.course
        shares = [
            (entrant, float(course.points[entrant] / n)) for entrant, n in course.played.items()
        ]
        return sorted(shares, key=lambda one: (-one[1], one[0]))[:_LEADERS]


def expected_matches(course: Course) -> int:
    """Estimate how many matches an event will have, if all rounds are like those so far.

    0 if its end is not known.
    """
    return course.expected_matches()
