"""The actions of Jackal & High, as integers.

The rolled dice are sorted, lowest first, and identified by their position. Actions 1 to 342 place
them: in base 7, the last digit is for the first die, the next for the second, then the third; 0
keeps the die in the hand, and 1 to 6 is a stack of the display, leftmost first. Keeping all three
is not a placement, so action 0 is used for the case that nothing fits: a die goes to the valley.
`AGAIN` rolls a single die again. The rest put won cards in order: all orders of two cards, then of
three, four and five, each list sorted by first card, second card and so on.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial

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
ORDERS_OF = {
    size: range(
        FIRST_ORDER + sum(map(factorial, range(2, size))),
        FIRST_ORDER + sum(map(factorial, range(2, size + 1))),
    )
    for size in _SIZES
}
"""The actions that put won cards in order, by the number of cards."""
ACTIONS = FIRST_ORDER + len(ORDERS)


def order_of(action: int) -> tuple[int, ...]:
    """Return the order that an action encodes."""
    return ORDERS[action - FIRST_ORDER]
