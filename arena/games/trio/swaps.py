"""What have the teams of a Trio match swapped, and who knows what of it?"""

from __future__ import annotations

from arena.games.trio.cards import FIRST_GIVE, KEEP, number_given
from arena.games.trio.knowledge import (
    NOTHING_TOLD,
    Earlier,
    Known,
    Told,
    after_swap,
    merged,
    swapped,
    taken,
    union,
    without,
)

NOT_YET = -1
"""The choice of a seat that has not chosen."""


class Swaps:
    """The choices of the current swap phase, and all knowledge that comes from swaps.

    `earlier`, `shared` and `counts` are public. `told` and `logs` belong to one seat and its
    partner, `chosen` to one seat.
    """

    __slots__ = ("chosen", "counts", "earlier", "logs", "phase", "shared", "told")

    phase: tuple[int, ...]
    """The seats that choose in this swap phase, in the order asked; empty during turns."""
    chosen: list[int]
    """For each seat the action that it chose in this phase."""
    earlier: list[tuple[Earlier, ...]]
    """For each seat what the table knew of its hand before each swap, the oldest first."""
    shared: list[tuple[int, ...]]
    """For each team the cards that were known to be in one of its hands at its last swap."""
    counts: list[int]
    """For each team how often it has swapped."""
    told: list[Told]
    """For each seat what it knew of its partner's hand after their last swap."""
    logs: list[tuple[tuple[int, int], ...]]
    """For each seat the numbers that it gave and got in each of its swaps."""

    def __init__(self, seats: int) -> None:
        """Begin without any swap."""
        teams = seats // 2
        self.phase = ()
        self.chosen = [NOT_YET] * seats
        self.earlier = [()] * seats
        self.shared = [()] * teams
        self.counts = [0] * teams
        self.told = [NOTHING_TOLD] * seats
        self.logs = [()] * seats

    def copy(self) -> Swaps:
        """Return an independent copy."""
        new = Swaps.__new__(Swaps)
        new.phase = self.phase
        new.chosen = self.chosen.copy()
        new.earlier = self.earlier.copy()
        new.shared = self.shared.copy()
        new.counts = self.counts.copy()
        new.told = self.told.copy()
        new.logs = self.logs.copy()
        return new

    def truth(self) -> tuple[object, ...]:
        """Return all of it as one hashable value."""
        return (
            self.phase,
            tuple(self.chosen),
            tuple(self.earlier),
            tuple(self.shared),
            tuple(self.counts),
            tuple(self.told),
            tuple(self.logs),
        )

    def agreed(self, seat: int, partner: int) -> tuple[int, int] | None:
        """Return the numbers that the two give to one another; None if either keeps its cards."""
        gives, gets = self.chosen[seat], self.chosen[partner]
        # RULES 10: a swap needs both.
        if not (FIRST_GIVE <= gives < KEEP and FIRST_GIVE <= gets < KEEP):
            return None
        return number_given(gives), number_given(gets)

    def record(self, seat: int, partner: int, given: tuple[int, int], known: list[Known]) -> None:
        """Note that two partners swap; `known` is what the table knew just before it."""
        gives, gets = given
        team = seat % len(self.counts)
        mine, theirs = known[seat], known[partner]
        self.counts[team] += 1
        self.logs[seat] += ((gives, gets),)
        self.logs[partner] += ((gets, gives),)
        self.told[seat] = after_swap(merged(self.told[seat], theirs), gives, gets)
        self.told[partner] = after_swap(merged(self.told[partner], mine), gets, gives)
        both = tuple(sorted(mine.low + mine.high + theirs.low + theirs.high))
        self.shared[team] = union(self.shared[team], both)
        self.earlier[seat] = swapped(self.earlier[seat], mine)
        self.earlier[partner] = swapped(self.earlier[partner], theirs)

    def trio_taken(self, number: int, counts: list[int], sizes: list[int]) -> None:
        """Note that all three of a number have left: how many of which hand, and its size now."""
        self.shared = [without(cards, number) for cards in self.shared]
        self.told = [told._replace(cards=without(told.cards, number)) for told in self.told]
        self.earlier = [
            taken(layers, number, counts[seat], sizes[seat])
            for seat, layers in enumerate(self.earlier)
        ]
