"""Chance that is decided from outside, for trees in which every card and die is a node.

A draw takes cards, tokens or dice one by one. If they form sets whose order makes no difference,
such as a hand, the cards of a set come in ascending order: each set then comes in one way instead
of many, which keeps trees small. The probabilities are those of drawing the whole set at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from arena.games.randomness import DIE, Chance

T = TypeVar("T")

# The drawn items may be of any type that can be sorted: hence Any.


class ChanceDraw(NamedTuple):
    """Items to be drawn one by one; an outcome is the index of an item in `values`."""

    label: str
    """Says what is drawn: "cards 2", "dice 0"."""
    values: tuple[Any, ...]
    """The different items, ascending."""
    counts: tuple[int, ...]
    """How many there are of each; none if items are put back, as the faces of a die are."""
    sets: tuple[int, ...]
    """The sizes of the sets that are drawn one after another."""

    @property
    def size(self) -> int:
        """How many items are drawn."""
        return sum(self.sets)

    def weights(self, drawn: tuple[int, ...]) -> list[tuple[int, int]]:
        """List what may come next with whole numbers that are in proportion to the probabilities.

        Each is the number of ways in which the set can be completed from there.
        """
        if not self.counts:
            return [(index, 1) for index in range(len(self.values))]
        begun = 0
        for size in self.sets:
            if begun + size > len(drawn):
                break
            begun += size
        left = list(self.counts)
        for index in drawn[:begun]:
            left[index] -= 1
        if size == 1:
            return [(index, count) for index, count in enumerate(left) if count]
        return _weights_in_set(left, drawn[begun:], begun + size - len(drawn))

    def items(self, drawn: tuple[int, ...]) -> list[Any]:
        """Return the items that were drawn."""
        return [self.values[index] for index in drawn]


def _weights_in_set(left: list[int], drawn: tuple[int, ...], missing: int) -> list[tuple[int, int]]:
    """Weigh what may come next in a set of which some items, the lowest, are drawn.

    `left` is how many there are of each item, including those drawn into this set.
    """
    last = drawn[-1] if drawn else 0
    repeated = drawn.count(last)
    after = sum(left[last + 1 :])
    found: list[tuple[int, int]] = []
    # Either another copy of the item drawn last: the set holds that many of it, or more ...
    ways = sum(
        comb(left[last], copies) * comb(after, missing + repeated - copies)
        for copies in range(repeated + 1, left[last] + 1)
        if copies <= missing + repeated
    )
    if ways:
        found.append((last, ways))
    # ... or a higher one: the rest of the set begins with it, and not with one beyond it.
    factor = comb(left[last], repeated)
    ways = comb(after, missing)
    for index in range(last + 1, len(left)):
        if not ways:
            break
        after -= left[index]
        beyond = comb(after, missing)
        if ways > beyond:
            found.append((index, factor * (ways - beyond)))
        ways = beyond
    return found


def draw_of(label: str, items: Sequence[Any], sets: tuple[int, ...]) -> ChanceDraw:
    """Describe a draw from these items."""
    counted = Counter(items)
    values = tuple(sorted(counted))
    return ChanceDraw(label, values, tuple([counted[value] for value in values]), sets)


class Undecided(Exception):
    """Chance has to decide this first."""

    def __init__(self, draw: ChanceDraw) -> None:
        """Take what has to be drawn."""
        super().__init__(draw.label)
        self.draw = draw


class OpenChance(Chance):
    """Chance that decides nothing by itself: it returns the answers it was given, in their order.

    It holds them only while an action is played, so all nodes of a tree can share one.
    """

    __slots__ = ("answers",)

    answers: list[list[Any]]
    """The answers to come, the next one last."""

    def __init__(self) -> None:
        """Begin without answers."""
        self.answers = []

    def __deepcopy__(self, memo: object) -> OpenChance:
        """Return the same one: all states of a tree share it."""
        return self

    def draw(
        self, label: str, items: Sequence[T], count: int, sets: tuple[int, ...] = ()
    ) -> list[T]:
        """Return the next answer, or raise `Undecided`."""
        if self.answers:
            return self.answers.pop()
        raise Undecided(draw_of(label, items, sets or (1,) * count))

    def dice(self, label: str, count: int, faces: int = DIE) -> list[int]:
        """Return dice that are rolled when they are read."""
        return _Dice(self, label, faces)

    def roll(self, label: str, count: int, faces: int = DIE) -> list[int]:
        """Return the faces of some dice, or raise `Undecided`."""
        if not count:
            return []
        if self.answers:
            return self.answers.pop()
        raise Undecided(ChanceDraw(label, tuple(range(1, faces + 1)), (), (1,) * count))

    def deck(self, label: str, items: Sequence[T]) -> list[T]:
        """Return a deck of which each card is decided when it is drawn."""
        return _Deck(self, label, items)


class _Dice(list[int]):
    """Dice that are rolled when they are read."""

    __slots__ = ("chance", "faces", "label")

    def __init__(self, chance: OpenChance, label: str, faces: int) -> None:
        self.chance = chance
        self.label = label
        self.faces = faces

    # A list can be read by index and by slice, with different types: hence Any.
    def __getitem__(self, at: SupportsIndex | slice) -> Any:
        if isinstance(at, slice):
            return self.chance.roll(self.label, at.stop - at.start, self.faces)
        return self.chance.roll(self.label, 1, self.faces)[0]

    def __reduce__(self) -> tuple[type[_Dice], tuple[OpenChance, str, int]]:
        return _Dice, (self.chance, self.label, self.faces)


class _Deck(list[T]):
    """A deck in no order yet: `pop` draws any of its cards."""

    __slots__ = ("chance", "label")

    def __init__(self, chance: OpenChance, label: str, items: Sequence[T]) -> None:
        super().__init__(sorted(items))  # type: ignore[type-var]  # cards can be sorted
        self.chance = chance
        self.label = label

    def pop(self, index: SupportsIndex = -1) -> T:
        (card,) = self.chance.draw(self.label, self, 1)
        self.remove(card)
        return card

    def copy(self) -> _Deck[T]:
        return _Deck(self.chance, self.label, self)

    def __reduce__(self) -> tuple[type[_Deck[T]], tuple[OpenChance, str, list[T]]]:
        return _Deck, (self.chance, self.label, list(self))
