"""The cards, places and actions of Trio.

A card is the number printed on it, 1 to 12; the three copies of a number are identical. An action
is an integer with a text and properties: turn up a centre slot (0 to 8), turn up the lowest or
highest card of a seat (9 to 20), give a number to the partner (21 to 32), or keep all cards (33).
The first 21 are also called places. A set of actions is an integer with one bit for each.
"""

from __future__ import annotations

from typing import ClassVar

from arena.games.notation import Symbol

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


class Action(Symbol):
    """A place to turn up a card at, a number to give to the partner, or to keep all cards."""

    __slots__ = ()
    what = "an action"
    values: ClassVar[tuple[Action, ...]]

    @property
    def kind(self) -> str:
        """What it does: "centre", "low", "high", "give" or "keep"."""
        if self < FIRST_HAND:
            return "centre"
        if self < FIRST_GIVE:
            return "low" if self & 1 else "high"
        return "give" if self < KEEP else "keep"

    @property
    def slot(self) -> int:
        """The centre slot; -1 for other kinds."""
        return int(self) if self < FIRST_HAND else -1

    @property
    def seat(self) -> int:
        """The seat whose lowest or highest card is turned up; -1 for other kinds."""
        return (self - FIRST_HAND) // 2 if FIRST_HAND <= self < FIRST_GIVE else -1

    @property
    def number(self) -> int:
        """The number given to the partner; 0 for other kinds."""
        return self - FIRST_GIVE + 1 if FIRST_GIVE <= self < KEEP else 0

    def __str__(self) -> str:
        """Return the kind and the slot, seat or number: "centre 3", "low 2", "give 7", "keep"."""
        numbers = {"centre": self.slot, "give": self.number, "keep": None}
        number = numbers.get(self.kind, self.seat)
        return self.kind if number is None else f"{self.kind} {number}"


Action.values = tuple(map(Action, range(ACTIONS)))

UNSEEN = 0
"""A centre slot whose card has not been seen."""
EMPTY = -1
"""A centre slot whose card has been taken."""
NOT_YET = -1
"""The choice of a seat that has not chosen yet in a swap."""

MOST_IN_HAND = 9
# RULES 1: cards in each hand, by the number of seats; the others lie in the centre.
HAND_SIZE = {3: 9, 4: 7, 5: 6, 6: 5}

BIT_OF: dict[int, int] = {action: 1 << action for action in Action.values}
"""A dict because a bot may send any integer: `get` finds nothing for one that is not an action."""
ACTION_AND_BIT: dict[int, tuple[Action, int, int]] = {
    each: (each, int(each), 1 << each) for each in Action.values
}
"""The same with the action itself, and as a plain integer, which is faster; a bot may send an
integer of numpy."""
SEAT_OF = tuple((place - FIRST_HAND) // 2 for place in range(FIRST_GIVE))
"""The seat whose hand a place belongs to; meaningless for the centre."""
SWAP_BITS = ((1 << (NUMBERS + 1)) - 1) << FIRST_GIVE
CENTRE_BITS = (1 << SLOTS) - 1
# RULES 5: the ends that can be asked, by the number of cards not face up: none, only the lowest,
# or both.
_ENDS = (0, 1, 3, 3, 3, 3, 3, 3, 3, 3)
HAND_BITS = tuple(tuple(ends << FIRST_HAND + 2 * seat for ends in _ENDS) for seat in range(SEATS))
"""The places of each seat that can be turned up, by its number of cards not face up."""


def _subsets(first: int, count: int) -> list[tuple[Action, ...]]:
    table: list[tuple[Action, ...]] = [()]
    for action in Action.values[first : first + count]:
        table += [(*chosen, action) for chosen in table]
    return table


CENTRE_CHOICES = _subsets(0, SLOTS)
"""The list of slots for every set of centre slots."""
HAND_CHOICES = _subsets(FIRST_HAND, 2 * SEATS)
"""The list of places for every set of places in hands, shifted down by `FIRST_HAND`."""


def low(seat: int) -> Action:
    """Return the action that turns up this seat's lowest card."""
    return Action.values[FIRST_HAND + 2 * seat]


def high(seat: int) -> Action:
    """Return the action that turns up this seat's highest card."""
    return Action.values[FIRST_HAND + 2 * seat + 1]


def give(number: int) -> Action:
    """Return the action of giving this number to the partner."""
    return Action.values[FIRST_GIVE - 1 + number]


def number_given(action: int) -> int:
    """Return the number that a `give` action gives away."""
    return action - FIRST_GIVE + 1


def give_mask(hand: list[int] | tuple[int, ...]) -> int:
    """Return the set of choices that a seat with this hand has in a swap."""
    mask = 1 << KEEP
    for number in hand:
        mask |= 1 << FIRST_GIVE - 1 + number
    return mask


def actions_in(mask: int) -> list[Action]:
    """List the actions of a set, ascending."""
    if mask >> FIRST_GIVE == 0:
        return [*CENTRE_CHOICES[mask & CENTRE_BITS], *HAND_CHOICES[mask >> FIRST_HAND]]
    actions = []
    while mask:
        lowest = mask & -mask
        actions.append(Action.values[lowest.bit_length() - 1])
        mask ^= lowest
    return actions


def is_connected(one: int, other: int) -> bool:
    """Return whether two numbers add up to 7 or differ by 7."""
    return one + other == SEVEN or abs(one - other) == SEVEN
