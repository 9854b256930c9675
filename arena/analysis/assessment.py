"""The values of an analysis: what search thinks of each decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

MISTAKE_PLACES = 0.2
"""The smallest expected loss that counts as a mistake, in places."""
SURE_ERRORS = 2.0
"""A mistake loses at least this many standard errors."""


class Effort(NamedTuple):
    """How long to think about each decision."""

    think_s: float = 0.1
    """CPU time in seconds; ignored if `playouts` is set."""
    playouts: int | None = None
    """Number of playouts instead, which gives the same result on every machine."""

    def __str__(self) -> str:
        """Return the effort in words."""
        if self.playouts is not None:
            return f"{self.playouts:,} playouts a decision"
        return f"{self.think_s:g} s a decision"


class Assessment(NamedTuple):
    """What search thinks of one decision, from what the deciding seat knew."""

    number: int
    """The number of the decision."""
    seat: int
    played: int
    best: int
    """The action that search prefers; the one that was played if it finds none better."""
    chances: tuple[float, ...]
    """Before the decision: the chance of each seat to come first; partners share theirs."""
    place: float
    """The expected place of the seat after the best action."""
    loss: float
    """By how much the expected place is worse after the action that was played."""
    error: float
    """The standard error of the loss."""
    playouts: int
    """Number of playouts of each of the two actions."""

    @property
    def is_mistake(self) -> bool:
        """Whether the loss is large, and more than luck in the playouts explains."""
        return self.loss >= MISTAKE_PLACES and self.loss >= SURE_ERRORS * self.error


class Analysis(NamedTuple):
    """What search thinks of a match."""

    effort: Effort
    assessments: tuple[Assessment, ...]
    """One for each decision where a bot had a choice, in order."""

    def of_seat(self, seat: int | None) -> Analysis:
        """Return what one seat may know of it: the assessments of its own decisions."""
        if seat is None:
            return self
        own = tuple(each for each in self.assessments if each.seat == seat)
        return self._replace(assessments=own)

    def worst(self, count: int) -> Sequence[Assessment]:
        """List the decisions that lost most, worst first, without those that lost nothing."""
        losing = [each for each in self.assessments if each.loss > 0]
        return sorted(losing, key=lambda each: (-each.is_mistake, -each.loss))[:count]
