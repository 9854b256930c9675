"""Which hands keep all that is known of them, and is there a way to find some that never fails?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from arena.games.trio.cards import COPIES, NUMBERS

Allowances = tuple[tuple[int, int], ...]
"""For each rule how many cards may still be gone, and how many strange."""


class Rule(NamedTuple):
    """Something known of one hand; the cards are packed as `packed` does it."""

    cards: int
    outside: int
    """All cards that are outside the bounds."""
    gone: int
    """So many of `cards` may be missing."""
    strange: int
    """So many others may be outside the bounds."""


class Bond(NamedTuple):
    """Cards that are known to be in one of two hands."""

    one: int
    other: int
    cards: tuple[int, ...]


def packed(cards: tuple[int, ...] | list[int]) -> int:
    """Return cards as an integer of three bits for each number, filled from below.

    So the cards of one hand that are missing in another are the bits of one missing in the other.
    """
    mask = 0
    for number in cards:
        bit = 1 << COPIES * number
        while mask & bit:
            bit <<= 1
        mask |= bit
    return mask


@lru_cache(maxsize=1024)
def rule(cards: tuple[int, ...], bounds: tuple[int, int], gone: int = 0, strange: int = 0) -> Rule:
    """Pack what is known of one hand."""
    least, most = bounds
    outside = [n for n in range(1, NUMBERS + 1) if not least <= n <= most for _ in range(COPIES)]
    return Rule(packed(cards), packed(outside), gone, strange)


class Search:
    """The search for hands of given sizes that keep all rules and bonds, number by number."""

    __slots__ = ("_bonds", "_counts", "_hopeless", "_rules", "_sizes", "_stock")

    def __init__(self, hands: list[list[int]], rules: list[list[Rule]], bonds: list[Bond]) -> None:
        """Take the cards and the sizes of these hands."""
        cards = [card for hand in hands for card in hand]
        self._stock = packed(cards)
        self._counts = [cards.count(number) for number in range(NUMBERS + 1)]
        self._sizes = tuple(map(len, hands))
        self._rules = rules
        self._bonds = bonds
        self._hopeless: set[object] = set()

    def found(self) -> list[list[int]]:
        """Find hands; there have to be some."""
        allowances = tuple((each.gone, each.strange) for rules in self._rules for each in rules)
        hands = self._fill(1, self._sizes, allowances)
        assert hands is not None
        return hands

    def _fill(
        self, number: int, left: tuple[int, ...], allowances: Allowances
    ) -> list[list[int]] | None:
        """Deal the numbers from this one up to hands with so much room and allowance left."""
        if number > NUMBERS:
            return [[] for _ in left]
        position = (number, left, allowances)
        if position in self._hopeless or not self._may_fit(number, left, allowances):
            return None
        for split in _splits(self._counts[number], left):
            after = self._allowances(number, split, allowances)
            if after is None:
                continue
            room = tuple(size - used for size, used in zip(left, split, strict=True))
            found = self._fill(number + 1, room, after)
            if found is not None:
                return [[number] * used + hand for used, hand in zip(split, found, strict=True)]
        self._hopeless.add(position)
        return None

    def _may_fit(self, number: int, left: tuple[int, ...], allowances: Allowances) -> bool:
        """Tell whether each hand alone could be filled with numbers from this one up."""
        later = -1 << COPIES * number
        stock = self._stock & later
        which = 0
        for room, rules in zip(left, self._rules, strict=True):
            for cards, outside, _, _ in rules:
                gone, strange = allowances[which]
                which += 1
                if (cards & later).bit_count() - gone > room:
                    return False
                if (stock & (cards | ~outside)).bit_count() + strange < room:
                    return False
        return True

    def _allowances(
        self, number: int, split: tuple[int, ...], allowances: Allowances
    ) -> Allowances | None:
        """Return what is left of the allowances with so many of a number in each hand."""
        for one, other, known in self._bonds:
            if split[one] + split[other] < known.count(number):
                return None
        after = []
        which = 0
        for used, rules in zip(split, self._rules, strict=True):
            for cards, outside, _, _ in rules:
                had = (cards >> COPIES * number & 7).bit_count()
                gone, strange = allowances[which]
                gone -= max(0, had - used)
                if outside >> COPIES * number & 1:
                    strange -= max(0, used - had)
                if gone < 0 or strange < 0:
                    return None
                after.append((gone, strange))
                which += 1
        return tuple(after)


def _splits(count: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """List the ways to give so many cards to hands with so much room."""
    if len(left) == 1:
        if count <= left[0]:
            yield (count,)
        return
    for used in range(min(count, left[0]), -1, -1):
        for rest in _splits(count - used, left[1:]):
            yield (used, *rest)
