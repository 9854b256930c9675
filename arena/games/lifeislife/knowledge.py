"""What does the whole table learn about a hand from the swaps of its owner?

Two herds for each seat say all of it. `known` are the cards that must be in the hand: those taken
from a row, less those laid again. `lacking` says of the animals whose complete set is a sudden
death how many copies at least cannot be in the hand: whoever swapped and went on playing lacked
one then, and cards laid and taken since move that number up and down. A seat that has not swapped
yet may hold anything: both are empty.

How many copies the rows and the other hands show is not counted in; that is there to be seen.
"""

from __future__ import annotations

from arena.games.lifeislife.cards import GUARDS, KNOCK, LAID, ROW_OF


class Knowledge:
    """What the table has learned about every hand in this round.

    It is worked out when somebody looks at it: actions wait in `unread` until `read` is called.
    """

    __slots__ = ("after", "deadly", "known", "lacking", "rows", "seat", "unread")

    deadly: int
    """The guard bits of the animals whose complete set is a sudden death."""
    after: list[int]
    """For each player the next one, clockwise."""
    known: list[int]
    lacking: list[int]
    unread: list[int]
    """The latest actions, one for each turn, which `known` and `lacking` do not reflect yet."""
    rows: list[int]
    """The rows before the unread actions."""
    seat: int
    """The seat that did the first of them."""

    def __init__(
        self,
        deadly: int,
        after: list[int],
        known: list[int],
        lacking: list[int],
        rows: list[int],
        seat: int,
    ) -> None:
        """Begin with what is known before `rows`, with `seat` to act; takes over the lists."""
        self.deadly = deadly
        self.after = after
        self.known = known
        self.lacking = lacking
        self.unread = []
        self.rows = rows
        self.seat = seat

    def read(self) -> None:
        """Bring `known` and `lacking` up to date."""
        for action in self.unread:
            seat = self.seat
            self.seat = self.after[seat]
            if action == KNOCK:
                continue
            row = ROW_OF[action]
            laid = LAID[action]
            taken = self.rows[row]
            self.rows[row] = laid
            self.known[seat] = known_after(self.known[seat], laid, taken)
            self.lacking[seat] = lacking_after(self.lacking[seat], laid, taken, self.deadly)
        self.unread.clear()

    def show(self, seat: int, hand: int) -> None:
        """Let everybody see this hand; nothing is to be unread."""
        self.known[seat] = hand
        self.lacking[seat] = 0

    def copy(self) -> Knowledge:
        """Return independent knowledge."""
        new = Knowledge(
            self.deadly,
            self.after,
            self.known.copy(),
            self.lacking.copy(),
            self.rows.copy(),
            self.seat,
        )
        new.unread = self.unread.copy()
        return new


def known_after(known: int, laid: int, taken: int) -> int:
    """Return the cards known to be in a hand once it has laid these and taken those."""
    # RULES 13: laid cards are thought to be known ones, as far as there were any.
    left = (known | GUARDS) - laid
    enough = left & GUARDS
    return (left & enough - (enough >> 4)) + taken


def lacking_after(lacking: int, laid: int, taken: int, deadly: int) -> int:
    """Return the deadly animals known to be missing from a hand once a swap was not deadly."""
    # RULES 13: for each deadly animal max(lacking + laid - taken, 1).
    one = deadly >> 4
    counts = deadly - one
    more = (lacking | deadly) + (laid & counts) - (taken & counts) - one
    positive = more & deadly
    return (more & positive - (positive >> 4)) + one
