"""Contests: several seats roll for a stack or in the valley, and the highest or lowest is chosen.

Rivals are compared by one number, their strength: four times the sum of the roll, plus three minus
the number of dice. A higher strength is better, and between equal sums fewer dice are stronger.
That is the rule for the highest seat and, in reverse, for the lowest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from arena.games.jackal.dice import DICE, MOST_SEATS
from arena.games.jackal.parameters import Parameters
from arena.games.randomness import Chance

MakeEvent = Callable[[int, tuple[int, ...]], NamedTuple]
"""Creates the event for one seat's roll."""
Pick = Callable[[list[int]], int]
"""`max` or `min`."""


def strength(roll: Sequence[int]) -> int:
    """Return the number used to compare rolls."""
    return 4 * sum(roll) + DICE - len(roll)


def tied_rivals(rivals: list[int], strengths: list[int], pick: Pick) -> list[int]:
    """List the rivals that share the best strength."""
    wanted = pick(strengths)
    return [seat for seat, each in zip(rivals, strengths, strict=True) if each == wanted]


class Contest(NamedTuple):
    """A contest between several seats, decided by dice."""

    source: Chance
    events: list[NamedTuple] | None
    label: str
    """Identifies the contest within the match."""
    make_event: MakeEvent
    counts: Sequence[int]
    """How many dice each seat rolls."""
    pick: Pick
    parameters: Parameters

    def settle(self, rivals: list[int], attempt: int) -> int:
        """Roll for the rivals, again for those who tie, until one is left."""
        most = self.parameters.contest_rolls
        while len(rivals) > 1:
            # RULES 22: a small match may end here, in favour of the first in turn order.
            if most and attempt >= most:
                break
            rivals = tied_rivals(rivals, self._roll(rivals, attempt), self.pick)
            attempt += 1
        return rivals[0]

    def _roll(self, rivals: list[int], attempt: int) -> list[int]:
        faces = self.parameters.face_count
        dice = self.source.dice(f"{self.label} {attempt}", DICE * MOST_SEATS, faces)
        rolls = [dice[DICE * seat : DICE * seat + self.counts[seat]] for seat in rivals]
        if self.events is not None:
            self.events.extend(map(self.make_event, rivals, map(tuple, rolls)))
        return list(map(strength, rolls))
