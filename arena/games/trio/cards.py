"""The cards, places and actions of Trio, as integers.

A card is the number printed on it, 1 to 12; the three copies of a number are identical. An action
is an integer: turn up a centre slot (0 to 8), turn up the lowest or highest card of a seat (9 to
20), give a number to the partner (21 to 32), or keep all cards (33). The first 21 are also called
places. A set of actions is an integer with one bit for each.
"""

from __future__ import annotations

NUMBERS = 12
COPIES = 3
SEVEN = 7
DECK = tuple(number for number in range(1, NUMBERS + 1) for _ in range(COPIES))

SLOTS = 9
SEATS = 6
FIRST_HAND = SLOTS
"""The action that turns up the lowest card of seat 0; next comes its highest, then seat 1's."""
FIRST_GIVE = FIRST_HAND + 2 * SEATS
"""The action of giving a 1."""
KEEP = FIRST_GIVE + NUMBERS
ACTIONS = KEEP + 1

UNSEEN = 0
"""A centre slot whose card has not been seen."""
EMPTY = -1
"""A centre slot whose card has been taken."""
NOT_YET = -1
"""The choice of a seat that has not chosen yet in a swap."""

MOST_IN_HAND = 9
# RULES 1: cards in each hand, by the number of seats; the others lie in the centre.
HAND_SIZE = {3: 9, 4: 7, 5: 6, 6: 5}

BIT_OF = {action: 1 << action for action in range(ACTIONS)}
"""A dict because a bot may send any integer: `get` finds nothing for one that is not an action."""
ACTION_AND_BIT = {action: (action, bit) for action, bit in BIT_OF.items()}
"""The same with the action itself: an integer of numpy is equal to it, but states keep none."""
SEAT_OF = tuple((place - FIRST_HAND) // 2 for place in range(FIRST_GIVE))
"""The seat whose hand a place belongs to; meaningless for the centre."""
SWAP_BITS = ((1 << (NUMBERS + 1)) - 1) << FIRST_GIVE
CENTRE_BITS = (1 << SLOTS) - 1
# RULES 5: the ends that can be asked, by the number of cards not face up: none, only the lowest,
# or both.
_ENDS = (0, 1, 3, 3, 3, 3, 3, 3, 3, 3)
HAND_BITS = tuple(tuple(ends << FIRST_HAND + 2 * seat for ends in _ENDS) for seat in range(SEATS))
"""The places of each seat that can be turned up, by its number of cards not face up."""


def _subsets(first: int, count: int) -> list[tuple[int, ...]]:
    table: list[tuple[int, ...]] = [()]
    for action in range(first, first + count):
        table += [(*chosen, action) for chosen in table]
    return table


CENTRE_CHOICES = _subsets(0, SLOTS)
"""The list of slots for every set of centre slots."""
HAND_CHOICES = _subsets(FIRST_HAND, 2 * SEATS)
"""The list of places for every set of places in hands, shifted down by `FIRST_HAND`."""


def low(seat: int) -> int:
    """Return the action that turns up this seat's lowest card."""
    return FIRST_HAND + 2 * seat


def high(seat: int) -> int:
    """Return the action that turns up this seat's highest card."""
    return FIRST_HAND + 2 * seat + 1


def give(number: int) -> int:
    """Return the action of giving this number to the partner."""
    return FIRST_GIVE - 1 + number


def number_given(action: int) -> int:
    """Return the number that a `give` action gives away."""
    return action - FIRST_GIVE + 1


def give_mask(hand: list[int] | tuple[int, ...]) -> int:
    """Return the set of choices that a seat with this hand has in a swap."""
    mask = 1 << KEEP
    for number in hand:
        mask |= 1 << FIRST_GIVE - 1 + number
    return mask


def actions_in(mask: int) -> list[int]:
    """List the actions of a set, ascending."""
    if mask >> FIRST_GIVE == 0:
        return [*CENTRE_CHOICES[mask & CENTRE_BITS], *HAND_CHOICES[mask >> FIRST_HAND]]
    actions = []
    while mask:
        lowest = mask & -mask
        actions.append(lowest.bit_length() - 1)
        mask ^= lowest
    return actions


def is_connected(one: int, other: int) -> bool:
    """Return whether two numbers add up to 7 or differ by 7."""
    return one + other == SEVEN or abs(one - other) == SEVEN
