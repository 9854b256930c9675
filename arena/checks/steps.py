"""Steps of a check and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from arena.text import plain

LINES = 20
"""Number of lines of a bot's output that are shown, counted from the end."""
_WIDTH = 200
"""Longer lines are cut."""


class StepStatus(Enum):
    """The result of a step."""

    OK = "ok"
    WARNING = "warning"
    """Worth knowing, but the bot passes."""
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tested, with its result."""

    number: int
    """Counted from 1."""
    title: str
    status: StepStatus
    sentence: str = ""
    """What was found, or why it failed."""
    printed: tuple[str, ...] = ()
    """The last lines that the bot printed, if they may explain a failure."""
    figures: dict[str, float] = field(default_factory=dict)
    """Measurements; the names end with their units."""


def passed(steps: Iterable[Step]) -> bool:
    """Return whether no step failed."""
    return all(step.status is not StepStatus.FAILED for step in steps)


def _ignore(*_: object) -> None:
    pass


class StepLog:
    """Collects the steps of one check in order, and reports when each begins and ends."""

    def __init__(
        self,
        on_begin: Callable[[int, str], None] = _ignore,
        on_end: Callable[[Step], None] = _ignore,
    ) -> None:
        """Call `on_begin` with the number and title of each step, and `on_end` with the step."""
        self.steps: list[Step] = []
        self._on_begin = on_begin
        self._on_end = on_end
        self._title = ""

    def begin(self, title: str) -> None:
        """Begin a step."""
        self._title = title
        self._on_begin(len(self.steps) + 1, title)

    def end(
        self,
        status: StepStatus,
        sentence: str = "",
        *,
        printed: bytes = b"",
        figures: dict[str, float] | None = None,
    ) -> None:
        """End the current step."""
        number = len(self.steps) + 1
        step = Step(number, self._title, status, sentence, last_lines(printed), figures or {})
        self.steps.append(step)
        self._on_end(step)

    def skip(self, titles: Iterable[str]) -> None:
        """Add steps that cannot be tested because an earlier one failed."""
        failed = [step.number for step in self.steps if step.status is StepStatus.FAILED]
        for title in titles:
            self.begin(title)
            self.end(StepStatus.SKIPPED, f"because step {failed[-1]} failed")


def last_lines(printed: bytes) -> tuple[str, ...]:
    """Return the last lines of a bot's output, made safe for a terminal."""
    lines = printed.decode(errors="replace").rstrip().splitlines()[-LINES:]
    return tuple(_sanitize(line) for line in lines)


def _sanitize(line: str) -> str:
    """Cut a long line, and replace what would move the cursor or change colours."""
    shown = plain(line.expandtabs())
    return shown if len(shown) <= _WIDTH else f"{shown[:_WIDTH]}…"
