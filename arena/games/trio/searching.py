"""Search for hands that fit everything known about them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from arena.games.trio.cards import COPIES, NUMBERS

Allowances = tuple[tuple[int, int], ...]
"""For each rule, how many cards may still be missing, and how many may still be out of bounds."""


class Rule(NamedTuple):
    """One fact about a hand; sets of cards are packed by `pack`."""

    cards: int
    outside: int
    """All cards outside the bounds."""
    gone: int
    """How many of `cards` may be missing."""
    strange: int
    """How many other cards may be outside the bounds."""


class Bond(NamedTuple):
    """Cards known to be in one of two hands."""

    one: int
    other: int
    cards: tuple[int, ...]


def pack(cards: tuple[int, ...] | list[int]) -> int:
    """Pack cards into an integer with three bits for each number, filled from the lowest.

    The cards of one hand that another lacks are then the bits set in one and not in the other.
    """
    mask = 0
    for number in cards:
        bit = 1 << COPIES * number
        while mask & bit:
            bit <<= 1
        mask |= bit
    return mask


@lru_cache(maxsize=1024)
def make_rule(
    cards: tuple[int, ...], bounds: tuple[int, int], gone: int = 0, strange: int = 0
) -> Rule:
    """Pack a fact about one hand."""
    least, most = bounds
    outside = [n for n in range(1, NUMBERS + 1) if not least <= n <= most for _ in range(COPIES)]
    return Rule(pack(cards), pack(outside), gone, strange)


class Search:
    """A depth-first search, number by number, for hands that keep all rules and bonds."""

    __slots__ = ("_bonds", "_counts", "_dead_ends", "_rules", "_sizes", "_stock")

    def __init__(self, hands: list[list[int]], rules: list[list[Rule]], bonds: list[Bond]) -> None:
        """Redistribute the cards of these hands, keeping the hands' sizes."""
        cards = [card for hand in hands for card in hand]
        self._stock = pack(cards)
        self._counts = [cards.count(number) for number in range(NUMBERS + 1)]
        self._sizes = tuple(map(len, hands))
        self._rules = rules
        self._bonds = bonds
        self._dead_ends: set[object] = set()

    def find(self) -> list[list[int]]:
        """Find hands; assumes that a solution exists."""
        allowances = tuple((each.gone, each.strange) for rules in self._rules for each in rules)
        hands = self._fill(1, self._sizes, allowances)
        assert hands is not None
        return hands

    def _fill(
        self, number: int, left: tuple[int, ...], allowances: Allowances
    ) -> list[list[int]] | None:
        """Deal this number and all higher ones to hands with the given room and allowances."""
        if number > NUMBERS:
            return [[] for _ in left]
        position = (number, left, allowances)
        if position in self._dead_ends or not self._may_fit(number, left, allowances):
            return None
        for split in _splits(self._counts[number], left):
            after = self._remaining_allowances(number, split, allowances)
            if after is None:
                continue
            room = tuple(size - used for size, used in zip(left, split, strict=True))
            found = self._fill(number + 1, room, after)
            if found is not None:
                return [[number] * used + hand for used, hand in zip(split, found, strict=True)]
        self._dead_ends.add(position)
        return None

    def _may_fit(self, number: int, left: tuple[int, ...], allowances: Allowances) -> bool:
        """Return whether each hand on its own could be filled with this number and higher ones."""
        later = -1 << COPIES * number
        stock = self._stock & later
        index = 0
        for room, rules in zip(left, self._rules, strict=True):
            for cards, outside, _, _ in rules:
                gone, strange = allowances[index]
                index += 1
                if (cards & later).bit_count() - gone > room:
                    return False
                if (stock & (cards | ~outside)).bit_count() + strange < room:
                    return False
        return True

    def _remaining_allowances(
        self, number: int, split: tuple[int, ...], allowances: Allowances
    ) -> Allowances | None:
        """Return the allowances left when each hand holds its share of a number; None if exceeded.

        Bonds that the split breaks also give None.
        """
        for one, other, known in self._bonds:
            if split[one] + split[other] < known.count(number):
                return None
        after = []
        index = 0
        for used, rules in zip(split, self._rules, strict=True):
            for cards, outside, _, _ in rules:
                had = (cards >> COPIES * number & 7).bit_count()
                gone, strange = allowances[index]
                gone -= max(0, had - used)
                if outside >> COPIES * number & 1:
                    strange -= max(0, used - had)
                if gone < 0 or strange < 0:
                    return None
                after.append((gone, strange))
                index += 1
        return tuple(after)


def _splits(count: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """List the ways to give this many cards to hands with the given room."""
    if len(left) == 1:
        if count <= left[0]:
            yield (count,)
        return
    for used in range(min(count, left[0]), -1, -1):
        for rest in _splits(count - used, left[1:]):
            yield (used, *rest)
