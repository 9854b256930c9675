"""Placed dice packed into integers, and the placements that still fit.

All placed dice of a seat are one integer, so placing a die is one addition and checking all stacks
at once is one subtraction. From the lowest bit: six fields of six bits for the sum of the faces on
each stack of the display; one more such field for the number of dice that have left the hand; eight
fields of two bits for each stack, counting each face there; the number of dice in the valley.

The room of a round stores in the same first seven fields the maximum of each (a stack's is its
card's number, the last field's is how many dice a seat has), with a guard bit above it. If
subtracting the dice from the room clears a guard bit, a stack holds too much, or a die was placed
that the seat does not have.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from arena.games.jackal.actions import AGAIN, DIGITS, VALLEY, Action

DICE = 3
FACES = 8
TURNS = 3
MOST_SEATS = 5
MOST_STACKS = MOST_SEATS + 1
DICE_OF_ROUND = DICE * (TURNS + 1)
"""The dice that a seat has in a round: three for each turn, and three for the valley. Each seat has
its own dice for each turn, so no decision changes what is rolled elsewhere (RULES 21)."""
Roll = tuple[int, int, int]
"""Rolled dice, lowest first, padded with 0 for dice that were not rolled."""
NO_ROLL: Roll = (0, 0, 0)

_FIELD = 6
_GUARD = 1 << (_FIELD - 1)
_PLACED_AT = MOST_STACKS * _FIELD
_FACES_AT = _PLACED_AT + _FIELD
_FACES_FIELD = 2 * FACES
_ALL_FACES = (1 << _FACES_FIELD) - 1
_LOW_BITS = sum(1 << 2 * face for face in range(FACES))
VALLEY_AT = _FACES_AT + MOST_STACKS * _FACES_FIELD

_ONE_EACH = sum(1 << _FIELD * stack for stack in range(MOST_STACKS))
STACK_GUARDS = _GUARD * _ONE_EACH
GUARDS = STACK_GUARDS | _GUARD << _PLACED_AT
ALL_PLACED = tuple(dice << _PLACED_AT for dice in range(DICE + 1))
"""By the number of a seat's dice: the count of placed dice if it has placed all."""
PLACED = ALL_PLACED[DICE]
"""The bits of this count."""
ABSENT = tuple(PLACED - placed for placed in ALL_PLACED)
"""By the number of a seat's dice: the count of dice that it does not have."""
# The top bit keeps the difference of room and dice positive: negative integers are slower.
_EMPTY_ROOMS = tuple(1 << VALLEY_AT + 2 | GUARDS | dice for dice in ALL_PLACED)
VALLEY_DIE = 1 << VALLEY_AT | 1 << _PLACED_AT
"""What a die in the valley adds."""


def _added(stack: int, face: int) -> int:
    if not stack:
        return 0
    if not face:
        # There is no such die: count more dice than any hand holds.
        return (DICE + 1) << _PLACED_AT
    shown = 1 << _FACES_AT + _FACES_FIELD * (stack - 1) + 2 * (face - 1)
    return face << _FIELD * (stack - 1) | 1 << _PLACED_AT | shown


ADDED = tuple(
    tuple(_added(stack, face) for face in range(FACES + 1)) for stack in range(MOST_STACKS + 1)
)
"""What a die adds, by stack (0 is the hand, 1 the leftmost) and face (0 is no die)."""
ADDED_BY = tuple((ADDED[first], ADDED[second], ADDED[third]) for first, second, third in DIGITS)
"""The rows of `ADDED` for the three dice, for each placement."""
PROBE = (STACK_GUARDS, *(total * _ONE_EACH for total in range(1, DICE * FACES + 1)))
"""By a die's face, or the total of several, what to subtract from the room to see on which stacks
it fits; 0, no die, fits on none."""
_STACK_SETS = tuple(
    (mask, sum(_GUARD << _FIELD * stack for stack in range(MOST_STACKS) if mask >> stack & 1))
    for mask in range(1 << MOST_STACKS)
)
STACKS_THAT_FIT = {
    guards: (0, *(stack + 1 for stack in range(MOST_STACKS) if mask >> stack & 1))
    for mask, guards in _STACK_SETS
}
"""The hand (0) and the stacks whose guards are left after a probe."""
OTHERS = (STACK_GUARDS, *(STACK_GUARDS ^ _GUARD << _FIELD * stack for stack in range(MOST_STACKS)))
"""The guards of all stacks but one; of all, for the hand."""
CODES_THAT_FIT = tuple(
    {guards: tuple(base * stack for stack in stacks) for guards, stacks in STACKS_THAT_FIT.items()}
    for base in (1, 7, 49)
)
"""The same for each of the three dice, as its share of a placement's number."""


class _Placements(dict[int, tuple[Action, ...]]):
    """The actions for each place that fits the first die, by guards; the others are placed."""

    def __init__(self, code: int) -> None:
        self._code = code

    def __missing__(self, guards: int) -> tuple[Action, ...]:
        self[guards] = actions = tuple(
            Action.values[self._code + stack] for stack in STACKS_THAT_FIT[guards]
        )
        return actions


_PLACEMENTS = {code: _Placements(code) for code in range(0, AGAIN, 7)}
EXACT = tuple(
    {
        guards: tuple(stack for stack in range(stacks) if not mask >> stack & 1)
        for mask, guards in _STACK_SETS
    }
    for stacks in range(MOST_STACKS + 1)
)
"""The stacks whose guards a probe with 1 clears, for each size of the display."""

_FACES_OR_NONE = range(FACES + 1)
SORTED: tuple[Roll, ...] = tuple(
    (dice[0], dice[1], dice[2])
    for dice in (
        sorted(roll, key=lambda face: face or 9) for roll in product(_FACES_OR_NONE, repeat=3)
    )
)
"""Dice a, b and c as a roll, at index 81 a + 9 b + c."""


def room_of(cards: tuple[int, ...], dice: int = DICE) -> int:
    """Return the room on a display of these cards, which is the same for each seat."""
    room = _EMPTY_ROOMS[dice]
    shift = 0
    for card in cards:
        room += card << shift
        shift += _FIELD
    return room


def in_hand(laid: int, dice: int = DICE) -> int:
    """Count the dice that a seat with this number of dice has not placed."""
    return dice - (laid >> _PLACED_AT & DICE)


def faces_on(laid: int, stack: int) -> tuple[int, ...]:
    """List the faces of a seat's dice on one stack (0 is the leftmost), ascending."""
    return _faces_in(laid >> _FACES_AT + _FACES_FIELD * stack & _ALL_FACES)


@cache
def _faces_in(shown: int) -> tuple[int, ...]:
    """List the faces in one field; three dice at most make few different ones."""
    return tuple(
        face for face in range(1, FACES + 1) for _ in range(shown >> 2 * (face - 1) & DICE)
    )


def count_on(laid: int, stack: int) -> int:
    """Count a seat's dice on one stack (0 is the leftmost)."""
    shown = laid >> _FACES_AT + _FACES_FIELD * stack
    return (shown & _LOW_BITS).bit_count() + 2 * (shown & 2 * _LOW_BITS).bit_count()


def placements(free: int, rolled: Roll) -> list[Action]:
    """List the placements of a roll that fit the free room, ascending."""

    def fits(total: int) -> int:
        return (free - PROBE[total]) & STACK_GUARDS

    low, middle, high = rolled
    alone, with_middle, with_high = fits(low), fits(low + middle), fits(low + high)
    both, all_three = fits(middle + high), fits(low + middle + high)
    found: list[Action] = []
    for c in STACKS_THAT_FIT[fits(high)]:
        beside_c = alone & (with_high | OTHERS[c])
        for b in STACKS_THAT_FIT[fits(middle)]:
            left = beside_c & (with_middle | OTHERS[b])
            if b and b == c:
                if not both & ~OTHERS[b]:
                    continue
                left &= all_three | OTHERS[b]
            found += _PLACEMENTS[7 * b + 49 * c][left]
    # The first one keeps all dice in the hand, which is not a placement.
    return found[1:]


def choices(free: int, rolled: Roll, rolls_left: int) -> list[Action]:
    """List what a seat may do with its roll, ascending."""
    fitting = placements(free, rolled)
    if rolls_left:
        # RULES 7: another roll is allowed whether or not the die fits.
        fitting.append(Action.values[AGAIN])
    # RULES 6: only if nothing fits and no roll is left.
    return fitting or [Action.values[VALLEY]]


_FIRST_DIE = ADDED[1][1].bit_length() - 1
_EACH_DIE = [(stack, face) for stack in range(1, MOST_STACKS + 1) for face in range(1, FACES + 1)]
# Two bits count the dice of each stack and face: the lower one stands for one die.
_STACKS = [(stack,) * count for stack, _ in _EACH_DIE for count in (1, 2)]
_FACES = [(face,) * count for _, face in _EACH_DIE for count in (1, 2)]


def unpack_dice(laid: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Return the stack and the face of each placed die, and the number of dice in the valley."""
    valley = laid >> VALLEY_AT
    counts = (laid ^ valley << VALLEY_AT) >> _FIRST_DIE
    stacks: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()
    while counts:
        lowest = counts & -counts
        at = lowest.bit_length() - 1
        stacks += _STACKS[at]
        faces += _FACES[at]
        counts ^= lowest
    return stacks, faces, valley


def pack_dice(stacks: tuple[int, ...], faces: tuple[int, ...], valley: int) -> int:
    """Pack what `unpack_dice` returns."""
    on_stacks = zip(stacks, faces, strict=True)
    return valley * VALLEY_DIE + sum(ADDED[stack][face] for stack, face in on_stacks)
