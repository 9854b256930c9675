"""What is a step of a check, and how are its results kept and told?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from arena.replays.story import plain

LINES = 20
"""How many of the last lines that a bot printed are shown."""
_WIDTH = 200
"""A longer line is cut."""


class Verdict(Enum):
    """What became of a step."""

    OK = "ok"
    WARNING = "warning"
    """Worth knowing, and no reason to turn the bot away."""
    FAILED = "failed"
    LEFT_OUT = "left out"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was tried with a bot."""

    number: int
    """From 1."""
    title: str
    verdict: Verdict
    sentence: str = ""
    """What was found, or why it failed."""
    printed: tuple[str, ...] = ()
    """The last lines that the bot printed, where they may explain a failure."""
    figures: dict[str, float] = field(default_factory=dict)
    """What was measured, by name and unit."""


def passed(steps: Iterable[Step]) -> bool:
    """Tell whether no step failed."""
    return all(step.verdict is not Verdict.FAILED for step in steps)


def _quiet(*_: object) -> None:
    pass


class Book:
    """The steps of one check in order, each told when it begins and when it ends."""

    def __init__(
        self,
        begins: Callable[[int, str], None] = _quiet,
        ends: Callable[[Step], None] = _quiet,
    ) -> None:
        """Say whom to tell."""
        self.steps: list[Step] = []
        self._begins = begins
        self._ends = ends
        self._title = ""

    def begin(self, title: str) -> None:
        """Begin a step."""
        self._title = title
        self._begins(len(self.steps) + 1, title)

    def end(
        self,
        verdict: Verdict,
        sentence: str = "",
        *,
        printed: bytes = b"",
        figures: dict[str, float] | None = None,
    ) -> None:
        """End the step that was begun."""
        number = len(self.steps) + 1
        step = Step(number, self._title, verdict, sentence, last_lines(printed), figures or {})
        self.steps.append(step)
        self._ends(step)

    def leave_out(self, titles: Iterable[str]) -> None:
        """Enter steps that cannot be tried because of the last that failed."""
        failed = [step.number for step in self.steps if step.verdict is Verdict.FAILED]
        for title in titles:
            self.begin(title)
            self.end(Verdict.LEFT_OUT, f"because step {failed[-1]} failed")


def last_lines(printed: bytes) -> tuple[str, ...]:
    """Return the end of what a bot printed, fit for a terminal."""
    lines = printed.decode(errors="replace").rstrip().splitlines()[-LINES:]
    return tuple(_harmless(line) for line in lines)


def _harmless(line: str) -> str:
    """Cut a long line, and take out what would move the cursor or change the colours."""
    shown = plain(line.expandtabs())
    return shown if len(shown) <= _WIDTH else f"{shown[:_WIDTH]}…"
