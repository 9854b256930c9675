"""The actions of Jackal & High: integers with a text and properties.

The rolled dice are sorted, lowest first, and identified by their position. Actions 1 to 342 place
them: in base 7, the last digit is for the first die, the next for the second, then the third; 0
keeps the die in the hand, and 1 to 6 is a stack of the display, leftmost first. Keeping all three
is not a placement, so action 0 is used for the case that nothing fits: a die goes to the valley.
`AGAIN` rolls a single die again. The rest put won cards in order: all orders of two cards, then of
three, four and five, each list sorted by first card, second card and so on.
"""

from __future__ import annotations

from itertools import permutations
from typing import ClassVar

from arena.games.notation import Symbol

VALLEY = 0
AGAIN = 343
MOST_WON = 5
"""At most six stacks; winning more than three requires the Lucky8, which is not kept."""

DIGITS = tuple((code % 7, code // 7 % 7, code // 49) for code in range(AGAIN))
"""The stack of each die, for each placement."""

_SIZES = range(2, MOST_WON + 1)
ORDERS = tuple(order for size in _SIZES for order in permutations(range(size)))
"""Every order, as the positions of the won cards in the order they are put down."""
FIRST_ORDER = AGAIN + 1
ACTIONS = FIRST_ORDER + len(ORDERS)


class Action(Symbol):
    """What to do with rolled dice, or the order of won cards."""

    __slots__ = ()
    what = "an action"
    values: ClassVar[tuple[Action, ...]]

    @property
    def kind(self) -> str:
        """What it does: "place" dice, lose one to the "valley", roll "again" or "order" cards."""
        if AGAIN <= self:
            return "again" if self == AGAIN else "order"
        return "place" if self else "valley"

    @property
    def stacks(self) -> tuple[int, ...]:
        """The stack for each of three dice, from 1, or 0 to keep it; none unless it places dice."""
        return DIGITS[self] if self.kind == "place" else ()

    @property
    def order(self) -> tuple[int, ...]:
        """The positions of won cards, from 0, in the order they go down; none unless it orders."""
        return ORDERS[self - FIRST_ORDER] if self >= FIRST_ORDER else ()

    def __str__(self) -> str:
        """Return the kind, and the stacks or positions, both from 1: "place 2 - 1", "order 2 1"."""
        if self.kind == "place":
            return f"place {' '.join(str(stack or '-') for stack in self.stacks)}".rstrip(" -")
        return " ".join((self.kind, *(str(at + 1) for at in self.order)))


Action.values = tuple(map(Action, range(ACTIONS)))
ORDERS_OF = {
    size: tuple(each for each in Action.values[FIRST_ORDER:] if len(each.order) == size)
    for size in _SIZES
}
"""The actions that put won cards in order, by the number of cards."""
