"""The cards and actions of Life is Life.

Animals and actions are integers with a text and properties. Cards of the same animal are identical,
so cards are stored as counts: a herd is one integer with five bits for each animal, a four-bit
count and a guard bit above it that is 0. Herds add and subtract as integers; a guard bit that is
set after a subtraction means that there were not enough cards of some animal.

A swap is the index of a herd of one to four cards, laid in exchange for the row of the same size;
the last action is the knock.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement
from struct import Struct
from typing import ClassVar, NamedTuple

from arena.games.notation import NamedNumber, Symbol

# RULES 1: an animal is worth as many points as it has cards.
VALUES = (9, 8, 7, 7, 6, 6, 5, 5, 4, 3)


class Animal(NamedNumber):
    """An animal, and a card of it."""

    GIRAFFE = 0
    BEAR = 1
    MOLE = 2
    GOAT = 3
    SHEEP = 4
    DOG = 5
    RABBIT = 6
    PIG = 7
    CAT = 8
    MOUSE = 9

    @property
    def worth(self) -> int:
        """The points of an animal in a match of the usual size, and how many cards it has there."""
        return VALUES[self]


ANIMALS = tuple(map(str, Animal))
RABBIT, PIG, CAT = Animal.RABBIT, Animal.PIG, Animal.CAT
HAND = 10
ROWS = 4
ROW_SIZES = (1, 2, 3, 4)
LIVES = 5

SHIFTS = tuple(5 * animal for animal in range(10))
COUNT = 15
"""The bits of a herd that hold the count of its first animal."""
ONE = tuple(1 << shift for shift in SHIFTS)
"""The herd of a single card, for each animal."""
GUARDS = sum(ONE) << 4
FIFTEENS = sum(ONE) * COUNT
"""Added to a herd, this sets the guard bit of every animal that the herd contains."""


_ANIMALS_AND_SHIFTS = tuple(zip(Animal, SHIFTS, strict=True))


def herd_of(animals: Iterable[int]) -> int:
    """Return the herd of these animals."""
    return sum(ONE[animal] for animal in animals)


def animals_in(herd: int) -> tuple[Animal, ...]:
    """List the animals of a herd, ascending."""
    animals: tuple[Animal, ...] = ()
    for animal, shift in _ANIMALS_AND_SHIFTS:
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
"""The herd that each action lays; empty for the knock."""
ACTION_OF = {herd: action for action, herd in enumerate(_LAID)}
ROW_OF = bytes(size_of(herd) - 1 for herd in _LAID)
"""The row that each swap takes, from 0. The knock has no entry."""


class Action(Symbol):
    """A swap, or the knock."""

    __slots__ = ()
    what = "an action"
    values: ClassVar[tuple[Action, ...]]

    @property
    def is_knock(self) -> bool:
        """Whether this announces the last lap instead of swapping."""
        return self == KNOCK

    @property
    def row(self) -> int:
        """The row that a swap takes, as an index of `View.rows`; -1 for the knock."""
        return -1 if self == KNOCK else ROW_OF[self]

    @property
    def cards(self) -> tuple[Animal, ...]:
        """The animals that a swap lays, ascending; none for the knock."""
        return animals_in(LAID[self])

    def __str__(self) -> str:
        """Return the number of the row, from 1, and the animals: "2 dog cat"; or "knock"."""
        return "knock" if self == KNOCK else " ".join((str(self.row + 1), *map(str, self.cards)))


Action.values = tuple(map(Action, range(ACTIONS)))


def kinds_in(herd: int) -> int:
    """Return the guard bits of the animals that a herd contains."""
    return (herd + FIFTEENS) & GUARDS


class _ActionsOfKinds(dict[int, "array[int]"]):
    """For each set of kinds of animals, all swaps that lay only these kinds, and then the knock.

    There are at most 1,024 such lists; each is built when a hand of these kinds first occurs. They
    are arrays of small numbers, so that all of them together fit into a processor's cache.
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


def _set_of(actions: Iterable[int]) -> int:
    """Return a set of actions as an integer, with one bit for each."""
    return sum(1 << action for action in actions)


class _AtMost(dict[int, int]):
    """For each number, the set of actions that lay at most that many cards of one animal."""

    def __init__(self, animal: int) -> None:
        self._animal = animal

    def __missing__(self, count: int) -> int:
        allowed = (n for n, herd in enumerate(LAID) if count_of(herd, self._animal) <= count)
        self[count] = actions = _set_of(allowed)
        return actions


class _Members(dict[int, tuple[Action, ...]]):
    """The actions of a set whose bits all lie in one word, by the value of that word."""

    def __init__(self, first: int) -> None:
        self._first = first

    def __missing__(self, word: int) -> tuple[Action, ...]:
        self[word] = actions = tuple(
            Action.values[self._first + bit] for bit in range(_WORD_BITS) if word >> bit & 1
        )
        return actions


_WORD_BITS = 16
_WORDS = Struct(f"<{ACTIONS // _WORD_BITS + 1}H")
_MEMBERS = tuple(_Members(first) for first in range(0, ACTIONS, _WORD_BITS))
_AT_MOST = tuple(zip(SHIFTS, map(_AtMost, range(10)), strict=True))
_EVERY_SWAP = tuple(
    _set_of(swap for swap, row in enumerate(ROW_OF) if row < rows) for rows in range(ROWS + 1)
)
"""The swaps in matches, by the number of rows."""


def legal_set(hand: int, rows: Sequence[int], *, may_knock: bool) -> int:
    """Return the legal actions of a seat with this hand and these rows, with one bit for each."""
    actions = _EVERY_SWAP[len(rows)] | may_knock << KNOCK
    # RULES 3: laid animals are in the hand, and are not exactly the row's. A knock lays none.
    for shift, at_most in _AT_MOST:
        actions &= at_most[hand >> shift & COUNT]
    for row in rows:
        actions &= ~(1 << ACTION_OF[row])
    return actions


def legal_actions(hand: int, rows: Sequence[int], *, may_knock: bool) -> list[Action]:
    """List the legal actions of a seat with this hand and these rows, ascending."""
    actions = legal_set(hand, rows, may_knock=may_knock)
    legal: list[Action] = []
    for word, members in zip(
        _WORDS.unpack(actions.to_bytes(_WORDS.size, "little")), _MEMBERS, strict=True
    ):
        if word:
            legal += members[word]
    return legal


class Pack(NamedTuple):
    """The cards of a match, and which complete sets are a sudden death."""

    values: tuple[int, ...]
    """How many cards each animal has, which is also what it is worth; 0 if it is left out."""
    cards: tuple[int, ...]
    """Every card, as a herd of one."""
    herd: int
    """All cards."""
    sets: tuple[int, ...]
    """The animals whose complete set is a sudden death."""
    deadly: int
    """The guard bits of these animals."""
    to_complete: int
    """Added to a hand, this sets the guard bit of each of them whose set is complete."""


@cache
def pack_of(*, expert: bool = False, kinds: int = 0, copies: int = 0) -> Pack:
    """Return the cards of a match; with `kinds` and `copies`, of a smaller one."""
    # RULES 15: the animals with the fewest cards stay.
    left_out = len(ANIMALS) - kinds if kinds else 0
    values = tuple(
        min(value, copies or value) if animal >= left_out else 0
        for animal, value in enumerate(VALUES)
    )
    cards = tuple(one for one, value in zip(ONE, values, strict=True) for _ in range(value))
    # RULES 5 and 6
    deadly = (RABBIT, PIG) if expert else (RABBIT, PIG, CAT)
    sets = tuple(animal for animal in deadly if values[animal])
    guards = sum(ONE[animal] << 4 for animal in sets)
    to_complete = sum((16 - values[animal]) * ONE[animal] for animal in sets)
    return Pack(values, cards, sum(cards), sets, guards, to_complete)
