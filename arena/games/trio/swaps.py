"""What have the teams of a Trio match swapped, and who knows what of it?"""

from __future__ import annotations

from arena.games.core import NOBODY
from arena.games.trio.cards import KEEP, number_given
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
    unknown,
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

    def offer(self, hands: list[list[int]], *, besides: int) -> None:
        """Begin a phase in which every team that can is asked, besides one."""
        seats, teams = len(hands), len(self.counts)
        # RULES 10: both partners need a card. RULES 16: asked one by one, in the order of seats.
        self.phase = tuple(
            seat
            for seat in range(seats)
            if seat % teams != besides and hands[seat] and hands[(seat + teams) % seats]
        )

    def choose(self, seat: int, action: int) -> int:
        """Note a seat's choice and return the seat to ask next, `NOBODY` if all have chosen."""
        self.chosen[seat] = action
        after = self.phase.index(seat) + 1
        return self.phase[after] if after < len(self.phase) else NOBODY

    def settle(self, hands: list[list[int]], known: list[Known]) -> list[tuple[int, int, bool]]:
        """Swap what both partners of a team give, end the phase, and list who did and who did not.

        The table no longer knows anything of hands that swapped.
        """
        settled = []
        teams = len(self.counts)
        for seat in self.phase:
            if seat < teams:
                partner = seat + teams
                given = self._agreed(seat, partner)
                settled.append((seat, partner, given is not None))
                if given is not None:
                    self._record(seat, partner, given, known)
                    _exchange(hands[seat], hands[partner], given)
                    # RULES 11: nobody else knows where the new card went in.
                    known[seat] = unknown(len(hands[seat]))
                    known[partner] = unknown(len(hands[partner]))
        self.phase = ()
        self.chosen = [NOT_YET] * len(hands)
        return settled

    def _agreed(self, seat: int, partner: int) -> tuple[int, int] | None:
        """Return the numbers that the two give to one another; None if either keeps its cards."""
        gives, gets = self.chosen[seat], self.chosen[partner]
        # RULES 10: a swap needs both.
        if KEEP in (gives, gets):
            return None
        return number_given(gives), number_given(gets)

    def _record(self, seat: int, partner: int, given: tuple[int, int], known: list[Known]) -> None:
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


def _exchange(hand: list[int], other: list[int], given: tuple[int, int]) -> None:
    gives, gets = given
    hand.remove(gives)
    other.remove(gets)
    hand.append(gets)
    other.append(gives)
    hand.sort()
    other.sort()
