"""Which cards does Life is Life have, and how are they and the actions numbered?

An animal is an integer, its place in `ANIMALS`. Cards of one animal are alike, so cards are kept
as counts: a herd is one integer with five bits for each animal, four that count and a guard bit
above them that is 0. Herds add and subtract as integers, and a guard bit that is set after a
subtraction tells that there was not enough of some animal.

An action is the number of a herd of one to four cards, laid in exchange for the row of as many
cards; the last action is the knock.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import combinations_with_replacement

ANIMALS = ("giraffe", "bear", "mole", "goat", "sheep", "dog", "rabbit", "pig", "cat", "mouse")
GIRAFFE, BEAR, MOLE, GOAT, SHEEP, DOG, RABBIT, PIG, CAT, MOUSE = range(10)
# RULES 1: an animal is worth as much as it has copies.
VALUES = (9, 8, 7, 7, 6, 6, 5, 5, 4, 3)
HAND = 10
ROWS = 4
LIVES = 5

SHIFTS = tuple(5 * animal for animal in range(10))
COUNT = 15
"""The bits of a herd that count its first animal."""
ONE = tuple(1 << shift for shift in SHIFTS)
"""For each animal the herd that is one such card."""
GUARDS = sum(ONE) << 4
FIFTEENS = sum(ONE) * COUNT
"""Added to a herd, it carries every animal of which there is any into its guard bit."""
DECK = tuple(one for one, value in zip(ONE, VALUES, strict=True) for _ in range(value))
"""Every card, as a herd of one."""
ALL = sum(DECK)


def herd_of(animals: tuple[int, ...]) -> int:
    """Return the herd of these animals."""
    return sum(ONE[animal] for animal in animals)


def animals_in(herd: int) -> tuple[int, ...]:
    """List the animals of a herd, ascending."""
    animals: tuple[int, ...] = ()
    for animal, shift in enumerate(SHIFTS):
        animals += (animal,) * (herd >> shift & COUNT)
    return animals


def count_of(herd: int, animal: int) -> int:
    """Count one animal in a herd."""
    return herd >> SHIFTS[animal] & COUNT


def size_of(herd: int) -> int:
    """Count the cards of a herd of at most 30."""
    # 32 is 1 modulo 31, so the remainder is the sum of the ten counts.
    return herd % 31


_LAID = tuple(
    herd_of(animals)
    for size in range(1, ROWS + 1)
    for animals in combinations_with_replacement(range(10), size)
)
KNOCK = len(_LAID)
ACTIONS = KNOCK + 1
LAID = (*_LAID, 0)
"""For each action the herd that it lays: none for the knock."""
ACTION_OF = {herd: action for action, herd in enumerate(_LAID)}
ROW_OF = bytes(size_of(herd) - 1 for herd in _LAID)
"""For each swap the row that it takes, from 0. The knock has none."""


def kinds_in(herd: int) -> int:
    """Return the guard bits of the animals that a herd has at all."""
    return (herd + FIFTEENS) & GUARDS


class _ActionsOfKinds(dict[int, "array[int]"]):
    """For some kinds of animals all swaps that lay nothing else, and then the knock.

    There are at most 1,024 such lists; each is made when a hand of these kinds first turns up.
    Arrays of small numbers, because all lists together are to fit into a processor's cache.
    """

    def __missing__(self, kinds: int) -> array[int]:
        others = GUARDS ^ kinds
        other = others & -others
        wider = self[kinds | other] if others else range(ACTIONS)
        actions = array("H", [action for action in wider if not _KINDS_LAID[action] & other])
        self[kinds] = actions
        return actions


_KINDS_LAID = tuple(map(kinds_in, LAID))
ACTIONS_OF_KINDS = _ActionsOfKinds()
"""By the guard bits of the kinds, as `kinds_in` returns them."""


def legal_actions(hand: int, rows: Sequence[int], *, may_knock: bool) -> list[int]:
    """List what a seat with this hand may do before these rows, ascending."""
    # RULES 3: the laid animals are in the hand, and are not the row's own. The knock lays none.
    actions = [
        action
        for action in ACTIONS_OF_KINDS[kinds_in(hand)]
        if not (hand - LAID[action]) & GUARDS and LAID[action] not in rows
    ]
    if not may_knock:
        actions.pop()
    return actions


# RULES 5 and 6
_DEADLY = (ONE[RABBIT] | ONE[PIG]) << 4
DEADLY = {False: _DEADLY | ONE[CAT] << 4, True: _DEADLY}
"""By `expert`: the guard bits of the animals whose complete set is a sudden death."""
TO_COMPLETE = sum((16 - VALUES[animal]) * ONE[animal] for animal in (RABBIT, PIG, CAT))
"""Added to a hand, it carries a complete set into its animal's guard bit."""
