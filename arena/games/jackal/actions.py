"""What can a seat decide in Jackal & High, and how are the decisions numbered?

The rolled dice are sorted, lowest first, and known by their position. Actions 1 to 342 place them:
written with base 7, the last digit is the first die's, then the second's, then the third's; 0 keeps
the die in the hand and 1 to 6 is a stack of the display, leftmost first. Keeping all three is no
placement, so action 0 stands for what happens when nothing fits: a die goes to the valley. `AGAIN`
rolls a single die again. The rest put won cards in order: all orders of two cards, then of three,
four and five, each list by first card, second card and so on.
"""

from __future__ import annotations

from itertools import permutations
from math import factorial

VALLEY = 0
AGAIN = 343
MOST_WON = 5
"""Six stacks at most, and winning more than three takes the Lucky8, which nobody keeps."""

DIGITS = tuple((code % 7, code // 7 % 7, code // 49) for code in range(AGAIN))
"""For each placement the stack of each die."""

_SIZES = range(2, MOST_WON + 1)
ORDERS = tuple(order for size in _SIZES for order in permutations(range(size)))
"""Every order: the positions of the won cards in the order in which they go down."""
FIRST_ORDER = AGAIN + 1
ORDERS_OF = {
    size: range(
        FIRST_ORDER + sum(map(factorial, range(2, size))),
        FIRST_ORDER + sum(map(factorial, range(2, size + 1))),
    )
    for size in _SIZES
}
"""For each number of won cards the actions that put them in order."""
ACTIONS = FIRST_ORDER + len(ORDERS)


def order_of(action: int) -> tuple[int, ...]:
    """Return the order that an ordering action stands for."""
    return ORDERS[action - FIRST_ORDER]
