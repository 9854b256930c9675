"""Draws: what chance has to decide, with exact probabilities.

A draw takes cards, tokens or dice one by one. If they form sets whose order makes no difference,
such as a hand, the cards of a set come in ascending order: each set then comes in one way instead
of many, which keeps trees small. The probabilities are those of drawing the whole set at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb
from typing import Any, NamedTuple

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
    """The sizes of the sets that are drawn one after the other."""

    @property
    def size(self) -> int:
        """How many items are drawn."""
        return sum(self.sets)

    def outcomes(self, drawn: tuple[int, ...]) -> list[tuple[int, float]]:
        """List what may come after the outcomes drawn so far, ascending, with probabilities."""
        weights = self.weights(drawn)
        total = sum([weight for _, weight in weights])
        return [(index, weight / total) for index, weight in weights]

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
