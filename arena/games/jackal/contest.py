"""Who is highest, or lowest, where several seats roll for one thing?

Rivals are compared by one number, their strength: four times the sum of the roll, plus three less
the number of dice. More is better, and of equal sums the one with fewer dice is better, which is
the rule for the highest and, read from below, for the lowest too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.games.jackal.dice import DICE, MOST_SEATS
from arena.games.randomness import Source

Tell = Callable[[int, tuple[int, ...]], NamedTuple]
"""Makes the event of one seat's roll."""
Best = Callable[[list[int]], int]
"""`max` or `min`."""


def strength(roll: Sequence[int]) -> int:
    """Return the number by which a roll is compared."""
    return 4 * sum(roll) + DICE - len(roll)


def tied(rivals: list[int], strengths: list[int], best: Best) -> list[int]:
    """List the rivals whose strength is best."""
    wanted = best(strengths)
    return [seat for seat, each in zip(rivals, strengths, strict=True) if each == wanted]


class Contest(NamedTuple):
    """One question that dice decide."""

    source: Source
    events: list[NamedTuple] | None
    label: str
    """Names the question among all that the match will ask."""
    tell: Tell
    counts: Sequence[int]
    """How many dice each seat rolls."""
    best: Best

    def settle(self, rivals: list[int], attempt: int) -> int:
        """Let the rivals roll; as long as several are best, let those roll again."""
        while len(rivals) > 1:
            rivals = tied(rivals, self._roll(rivals, attempt), self.best)
            attempt += 1
        return rivals[0]

    def _roll(self, rivals: list[int], attempt: int) -> list[int]:
        dice = self.source.dice(f"{self.label} {attempt}", DICE * MOST_SEATS)
        rolls = [dice[DICE * seat : DICE * seat + self.counts[seat]] for seat in rivals]
        if self.events is not None:
            self.events.extend(map(self.tell, rivals, map(tuple, rolls)))
        return list(map(strength, rolls))
