"""What does somebody see who waits for an event?"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Sequence
from typing import TextIO

from arena.events.course import Course

_BAR_S = 0.1
_LINE_S = 10.0
_BAR = 20
_LEADERS = 3


class Reporter:
    """Tells of an event: a bar on a terminal, a line now and then elsewhere, or nothing."""

    def __init__(self, names: Sequence[str], *, quiet: bool) -> None:
        """Say who plays."""
        self._names = names
        self._quiet = quiet
        self._stream: TextIO = sys.stderr
        self._is_terminal = self._stream.isatty()
        self._began = time.monotonic()
        self._before: int | None = None
        """How many matches had been played when this began."""
        self._told = 0.0

    def tell(self, course: Course) -> None:
        """Take note of where the event is, and show it if it is time to."""
        if self._before is None:
            self._before = course.counted
        now = time.monotonic()
        pause = _BAR_S if self._is_terminal else _LINE_S
        if self._quiet or now - max(self._told, self._began) < pause:
            return
        self._told = now
        line = self._line(course)
        if self._is_terminal:
            # A line that is wrapped could not be taken back.
            line = line[: shutil.get_terminal_size().columns - 1]
            print(f"\r\x1b[K{line}", end="", file=self._stream, flush=True)
        else:
            print(line, file=self._stream, flush=True)

    def end(self) -> None:
        """Take the bar away."""
        if self._is_terminal and not self._quiet:
            print("\r\x1b[K", end="", file=self._stream, flush=True)

    def rate(self, course: Course) -> float:
        """Return how many matches a second have been entered since this began."""
        return (course.counted - (self._before or 0)) / (time.monotonic() - self._began)

    def _line(self, course: Course) -> str:
        total = expected_matches(course)
        rate = self.rate(course)
        parts = [f"{course.counted}/{total} matches", f"round {course.round}", f"{rate:.1f}/s"]
        if rate > 0:
            parts.append(f"{duration((total - course.counted) / rate)} left")
        parts.append(f"{course.faults.total()} faults")
        leaders = _leaders(course)
        if leaders:
            told = ", ".join(f"{self._names[entrant]} {share:.0%}" for entrant, share in leaders)
            parts.append(f"leading: {told}")
        text = "  ".join(parts)
        if not self._is_terminal:
            return text
        done = round(_BAR * course.counted / max(total, 1))
        return f"[{'█' * done}{'·' * (_BAR - done)}] {text}"


def _leaders(course: Course) -> list[tuple[int, float]]:
    shares = [(entrant, float(course.points[entrant] / n)) for entrant, n in course.played.items()]
    return sorted(shares, key=lambda one: (-one[1], one[0]))[:_LEADERS]


def expected_matches(course: Course) -> int:
    """Return how many matches an event will have, as far as one can tell."""
    # Rounds are much alike: those that are not planned yet are taken to be like the others.
    return len(course.matches) * course.schedule.rounds // max(course.round, 1)


def duration(seconds: float) -> str:
    """Write a time as a clock shows it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
