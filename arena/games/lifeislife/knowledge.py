"""What the whole table learns about a hand from its owner's swaps.

It is stored as two herds for each seat. `known` holds the cards that must be in the hand: those
taken from a row, minus those laid again. `lacking` holds, for each animal whose complete set is a
sudden death, the minimum number of copies that cannot be in the hand: a seat that swapped without a
sudden death lacked one at that moment, and cards laid and taken since raise and lower the number.
Both are empty for a seat that has not swapped yet: it may hold anything.

Copies visible in the rows or known in other hands are not included.
"""

from __future__ import annotations

from collections.abc import Sequence

from arena.games.fields import Fields
from arena.games.lifeislife.cards import GUARDS, KNOCK, LAID, ROW_OF


class Knowledge(Fields):
    """What the table has learned about every hand in this round.

    It is computed lazily: actions wait in `pending` until `update` is called.
    """

    deadly: int
    """The guard bits of the animals whose complete set is a sudden death."""
    next_seat: Sequence[int]
    """The next player clockwise, for each player."""
    known: list[int]
    lacking: list[int]
    pending: list[int]
    """The latest actions, one for each turn, not yet reflected in `known` and `lacking`."""
    rows: list[int]
    """The rows before the pending actions."""
    seat: int
    """The seat that played the first pending action."""
    __slots__ = tuple(__annotations__)

    def __init__(
        self,
        deadly: int,
        next_seat: Sequence[int],
        known: list[int],
        lacking: list[int],
        rows: list[int],
        seat: int,
    ) -> None:
        """Start from what is known when `seat` is to act; takes ownership of the lists."""
        self.deadly = deadly
        self.next_seat = next_seat
        self.known = known
        self.lacking = lacking
        self.pending = []
        self.rows = rows
        self.seat = seat

    def update(self) -> None:
        """Bring `known` and `lacking` up to date."""
        for action in self.pending:
            seat = self.seat
            self.seat = self.next_seat[seat]
            if action == KNOCK:
                continue
            row = ROW_OF[action]
            laid = LAID[action]
            taken = self.rows[row]
            self.rows[row] = laid
            self.known[seat] = known_after(self.known[seat], laid, taken)
            self.lacking[seat] = lacking_after(self.lacking[seat], laid, taken, self.deadly)
        self.pending.clear()

    def show(self, seat: int, hand: int) -> None:
        """Make this hand public; assumes that no actions are pending."""
        self.known[seat] = hand
        self.lacking[seat] = 0

    def truth(self) -> tuple[object, ...]:
        """Return what is known now."""
        self.update()
        return tuple(self.known), tuple(self.lacking)


def known_after(known: int, laid: int, taken: int) -> int:
    """Return the cards known to be in a hand after a swap."""
    # RULES 13: laid cards are taken to be known ones as long as there are any.
    left = (known | GUARDS) - laid
    enough = left & GUARDS
    return (left & enough - (enough >> 4)) + taken


def lacking_after(lacking: int, laid: int, taken: int, deadly: int) -> int:
    """Return the deadly animals known to be missing from a hand after a swap that ended nothing."""
    # RULES 13: for each deadly animal max(lacking + laid - taken, 1).
    one = deadly >> 4
    counts = deadly - one
    more = (lacking | deadly) + (laid & counts) - (taken & counts) - one
    positive = more & deadly
    return (more & positive - (positive >> 4)) + one
