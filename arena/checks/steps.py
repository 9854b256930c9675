"""Steps of a check and their results."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from arena.checks.advice import advice_on, hides_output, without_sdk
from arena.submission.manifest import Manifest
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
    advice: str = ""
    """What its author can do about it; empty if that is not known."""
    figures: dict[str, float] = field(default_factory=dict)
    """Measurements; the names end with their units."""


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
        self.bot: Manifest | None = None
        """The bot, once its manifest has been read: advice depends on it."""
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
        advice: str = "",
        figures: dict[str, float] | None = None,
    ) -> None:
        """End the current step."""
        number = len(self.steps) + 1
        if status is StepStatus.FAILED and self.bot and not advice:
            advice = advice_on(sentence, printed, self.bot)
        if advice and hides_output(sentence, printed):
            printed = b""
        lines = last_lines(printed)
        step = Step(number, self._title, status, sentence, lines, advice, figures or {})
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
    lines = without_sdk(printed.decode(errors="replace").rstrip().splitlines())[-LINES:]
    return tuple(_sanitize(line) for line in lines)


def _sanitize(line: str) -> str:
    """Cut a long line, and replace what would move the cursor or change colours."""
    shown = plain(line.expandtabs())
    return shown if len(shown) <= _WIDTH else f"{shown[:_WIDTH]}…"
