"""How fast matches are played, and how long the rest will take.

Matches of slow bots last for minutes, so decisions are counted: they move from the first second.
"""

from __future__ import annotations

from typing import NamedTuple

from arena.text import quantity


class Work(NamedTuple):
    """What a worker has done since it started."""

    decisions: int
    """The decisions that bots have made."""
    tables: int
    """The matches that are in play at this moment."""


class Pace(NamedTuple):
    """What all workers have done since the first match was handed out."""

    seconds: float = 0.0
    decisions: int = 0
    tables: int = 0
    """The matches that are in play."""
    matches: int = 0
    """The matches that are over."""
    decided: int = 0
    """The decisions of these matches."""

    @property
    def matches_per_s(self) -> float:
        """Matches per second."""
        return self.matches / max(self.seconds, 1e-9)

    @property
    def begun(self) -> float:
        """How much of a match the decisions at the tables are; 0 before any match is over."""
        return max(0, self.decisions - self.decided) * self.matches / max(self.decided, 1)

    def left_s(self, matches: float) -> float | None:
        """Estimate the time until so many more matches are over; None before the first is."""
        if not self.decided:
            return None
        left = max(0.0, matches - self.begun) * self.decided / self.matches
        return left * self.seconds / self.decisions

    def words(self) -> list[str]:
        """Describe it: decisions a second, and matches in play."""
        if not self.decisions:
            return ["the bots start"]
        rate = self.decisions / max(self.seconds, 1e-9)
        shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}"
        return [f"{shown} decisions/s", f"{quantity(self.tables, 'match', 'matches')} in play"]
