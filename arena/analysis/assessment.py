"""The values of an analysis: what search thinks of each decision."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

MISTAKE_PLACES = 0.2
"""The smallest expected loss that counts as a mistake, in places."""
BLUNDER_PLACES = 0.5
"""The smallest expected loss that counts as a blunder."""
GOOD_PLACES = 0.05
"""A decision that loses no more than this is as good as the best one."""
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

    @property
    def mark(self) -> str:
        """What annotators write behind a move: "?" for a mistake, "??" for a blunder."""
        if not self.is_mistake:
            return ""
        return "??" if self.loss >= BLUNDER_PLACES else "?"


class Accuracy(NamedTuple):
    """How well a seat decided."""

    seat: int
    decisions: int
    good: int
    """Decisions as good as the best one, within what is measured."""
    mistakes: int
    blunders: int
    """Included in the mistakes."""
    lost: float
    """Expected places lost, all decisions together."""


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

    def course(self) -> list[tuple[int, tuple[float, ...]]]:
        """Return the chances of all seats before each decision, as one line for each seat.

        An assessment knows only what one seat knew, so those of two seats differ even if nothing
        happens between them. The mean of the latest assessment by each seat is smooth.
        """
        latest: dict[int, tuple[float, ...]] = {}
        line = []
        for each in self.assessments:
            latest[each.seat] = each.chances
            chances = zip(*latest.values(), strict=True)
            line.append((each.number, tuple(round(fmean(seat), 4) for seat in chances)))
        return line

    def accuracy(self) -> list[Accuracy]:
        """Sum up the decisions of each seat that made any."""
        found = []
        for seat in sorted({each.seat for each in self.assessments}):
            own = [each for each in self.assessments if each.seat == seat]
            marks = [each.mark for each in own]
            good = sum(each.loss <= GOOD_PLACES for each in own)
            lost = round(sum(each.loss for each in own), 4)
            blunders = marks.count("??")
            found.append(
                Accuracy(seat, len(own), good, marks.count("?") + blunders, blunders, lost)
            )
        return found

    def worst(self, count: int) -> Sequence[Assessment]:
        """List the decisions that lost most, worst first, without those that lost nothing."""
        losing = [each for each in self.assessments if each.loss > 0]
        return sorted(losing, key=lambda each: (-each.is_mistake, -each.loss))[:count]
