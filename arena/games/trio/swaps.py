"""The swaps between partners in a Trio match, and who knows what about them."""

from __future__ import annotations

from arena.games.core import NOBODY
from arena.games.fields import Fields
from arena.games.trio.cards import KEEP, NOT_YET, number_given
from arena.games.trio.knowledge import (
    NOTHING_KNOWN,
    Earlier,
    Known,
    KnownToPartner,
    earlier_after_swap,
    earlier_after_trio,
    merge,
    partner_after_swap,
    union,
    unknown_hand,
    without,
)


class Swaps(Fields):
    """The choices of the current swap phase, and all knowledge that comes from swaps.

    `earlier`, `shared` and `counts` are public. An entry of `private` or `logs` is known only to
    the seat and its partner, an entry of `chosen` only to the seat.
    """

    phase: tuple[int, ...]
    """The seats that choose in this swap phase, in the order asked; empty during turns."""
    chosen: list[int]
    """The action that each seat chose in this phase."""
    earlier: list[tuple[Earlier, ...]]
    """What the table knew about each seat's hand before each of its swaps, oldest first."""
    shared: list[tuple[int, ...]]
    """The cards known to be in one of each team's two hands at its last swap."""
    counts: list[int]
    """How often each team has swapped."""
    private: list[KnownToPartner]
    """What each seat knew about its partner's hand after their last swap."""
    logs: list[tuple[tuple[int, int], ...]]
    """The numbers that each seat gave and got in each of its swaps."""
    __slots__ = tuple(__annotations__)

    def __init__(self, seats: int) -> None:
        """Start without any swaps."""
        teams = seats // 2
        self.phase = ()
        self.chosen = [NOT_YET] * seats
        self.earlier = [()] * seats
        self.shared = [()] * teams
        self.counts = [0] * teams
        self.private = [NOTHING_KNOWN] * seats
        self.logs = [()] * seats

    def offer(self, hands: list[list[int]], *, except_team: int) -> None:
        """Begin a swap phase for every team that can swap, except one."""
        seats, teams = len(hands), len(self.counts)
        # RULES 10: both partners need a card. RULES 16: asked one by one, in the order of seats.
        self.phase = tuple(
            seat
            for seat in range(seats)
            if seat % teams != except_team and hands[seat] and hands[(seat + teams) % seats]
        )

    def choose(self, seat: int, action: int) -> int:
        """Record a seat's choice; return the seat to ask next, or `NOBODY` if all have chosen."""
        self.chosen[seat] = action
        after = self.phase.index(seat) + 1
        return self.phase[after] if after < len(self.phase) else NOBODY

    def settle(self, hands: list[list[int]], known: list[Known]) -> list[tuple[int, int, bool]]:
        """Carry out the swaps and end the phase; list each pair of partners and whether it swapped.

        A swap resets what the table knows about the two hands.
        """
        settled = []
        teams = len(self.counts)
        for seat in self.phase:
            if seat < teams:
                partner = seat + teams
                given = self._numbers_given(seat, partner)
                settled.append((seat, partner, given is not None))
                if given is not None:
                    self._record(seat, partner, given, known)
                    _exchange(hands[seat], hands[partner], given)
                    # RULES 11: other players do not know where the new card went.
                    known[seat] = unknown_hand(len(hands[seat]))
                    known[partner] = unknown_hand(len(hands[partner]))
        self.phase = ()
        self.chosen = [NOT_YET] * len(hands)
        return settled

    def _numbers_given(self, seat: int, partner: int) -> tuple[int, int] | None:
        """Return the numbers that the partners give each other; None if either keeps its cards."""
        gives, gets = self.chosen[seat], self.chosen[partner]
        # RULES 10: a swap needs both.
        if KEEP in (gives, gets):
            return None
        return number_given(gives), number_given(gets)

    def _record(self, seat: int, partner: int, given: tuple[int, int], known: list[Known]) -> None:
        """Record a swap between two partners; `known` is what the table knew just before it."""
        gives, gets = given
        team = seat % len(self.counts)
        mine, theirs = known[seat], known[partner]
        self.counts[team] += 1
        self.logs[seat] += ((gives, gets),)
        self.logs[partner] += ((gets, gives),)
        self.private[seat] = partner_after_swap(merge(self.private[seat], theirs), gives, gets)
        self.private[partner] = partner_after_swap(merge(self.private[partner], mine), gets, gives)
        both = tuple(sorted(mine.low + mine.high + theirs.low + theirs.high))
        self.shared[team] = union(self.shared[team], both)
        self.earlier[seat] = earlier_after_swap(self.earlier[seat], mine)
        self.earlier[partner] = earlier_after_swap(self.earlier[partner], theirs)

    def record_trio(self, number: int, counts: list[int], sizes: list[int]) -> None:
        """Record that a trio was taken: how many cards from each hand, and the hands' new sizes."""
        self.shared = [without(cards, number) for cards in self.shared]
        self.private = [
            known._replace(cards=without(known.cards, number)) for known in self.private
        ]
        self.earlier = [
            earlier_after_trio(layers, number, counts[seat], sizes[seat])
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
