"""Which hands fit what was known before swaps that nobody else saw, and how is one deal drawn?

What the table knows of a hand now are bounds, and `dealing` is exact about bounds. What it knew
before a swap holds with an allowance, hand by hand and for both hands of a team together, and such
deals cannot be counted in reasonable time. So a deal that fits is mixed: two cards in two hands
change places wherever the result fits as well, again and again. In the long run this makes every
deal that fits equally likely.

Measured after `STEPS`: in positions small enough to list all deals, the total variation distance
from even is at most 0.03, which is what even draws of that number have, too. In the middle of team
games, how likely a number is in a hand is on average within 0.01 of what 1500 steps give.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random
from typing import NamedTuple

from arena.games.trio.cards import COPIES, NUMBERS

STEPS = 60
REPAIRS = 1000
"""How many exchanges are tried to make a deal fit before it is searched for."""
_UPHILL = 0.02
"""How likely is an exchange that makes one thing worse: it may lead out of a dead end."""


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


class Mixture:
    """Some hands, the rules for each, and the bonds between them; mixing changes the hands."""

    __slots__ = ("_bond_of", "_bonds", "_masks", "_places", "_rules", "hands")

    def __init__(self, hands: list[list[int]], rules: list[list[Rule]], bonds: list[Bond]) -> None:
        """Take hands of which each breaks some of its rules or none."""
        self.hands = hands
        self._rules = rules
        self._bonds = bonds
        self._masks = [packed(hand) for hand in hands]
        self._places = [(at, card) for at, hand in enumerate(hands) for card in range(len(hand))]
        self._bond_of: list[Bond | None] = [None] * len(hands)
        for bond in bonds:
            self._bond_of[bond.one] = self._bond_of[bond.other] = bond

    def mix(self, rng: Random) -> None:
        """Exchange cards until all rules are kept, and then `STEPS` times more."""
        self._repair(rng)
        places, hands, masks, rules = self._places, self.hands, self._masks, self._rules
        random = rng.random
        count = len(places)
        for _ in range(STEPS):
            one, card = places[int(random() * count)]
            other, its_card = places[int(random() * count)]
            mine, its = hands[one][card], hands[other][its_card]
            if one == other or mine == its:
                continue
            after = _replaced(masks[one], mine, its)
            if _broken(after, rules[one]) or not self._may_leave(mine, one, other):
                continue
            its_after = _replaced(masks[other], its, mine)
            if _broken(its_after, rules[other]) or not self._may_leave(its, other, one):
                continue
            hands[one][card], hands[other][its_card] = its, mine
            masks[one], masks[other] = after, its_after

    def _may_leave(self, number: int, one: int, other: int) -> bool:
        """Tell whether a card may go from one hand to another, as far as bonds are concerned."""
        bond = self._bond_of[one]
        if bond is None or number not in bond.cards or bond is self._bond_of[other]:
            return True
        held = self.hands[bond.one].count(number) + self.hands[bond.other].count(number)
        return held > bond.cards.count(number)

    def _repair(self, rng: Random) -> None:
        """Exchange cards that make nothing worse until nothing is wrong, or search."""
        wrong = self._wrong()
        for _ in range(REPAIRS):
            if not wrong:
                return
            wrong = self._improve(rng, wrong)
        if wrong:
            self.hands[:] = self.search()
            self._masks[:] = [packed(hand) for hand in self.hands]

    def _improve(self, rng: Random, wrong: int) -> int:
        hands, masks, places = self.hands, self._masks, self._places
        one, card = places[int(rng.random() * len(places))]
        other, its_card = places[int(rng.random() * len(places))]
        mine, its = hands[one][card], hands[other][its_card]
        if one == other or mine == its:
            return wrong
        before = masks[one], masks[other]
        masks[one] = _replaced(masks[one], mine, its)
        masks[other] = _replaced(masks[other], its, mine)
        hands[one][card], hands[other][its_card] = its, mine
        now = self._wrong()
        if now <= wrong or rng.random() < _UPHILL ** (now - wrong):
            return now
        masks[one], masks[other] = before
        hands[one][card], hands[other][its_card] = mine, its
        return wrong

    def _wrong(self) -> int:
        """Count how many cards would have to be others for all rules and bonds to be kept."""
        wrong = sum(map(_broken, self._masks, self._rules))
        for one, other, known in self._bonds:
            both = self.hands[one] + self.hands[other]
            wrong += sum(both.count(number) < known.count(number) for number in known)
        return wrong

    def search(self) -> list[list[int]]:
        """Find hands that keep all rules if there are any: the slow way that never fails."""
        cards = [card for hand in self.hands for card in hand]
        allowances = [(each.gone, each.strange) for rules in self._rules for each in rules]
        found = self._fill(
            [cards.count(number) for number in range(NUMBERS + 1)],
            1,
            tuple(map(len, self.hands)),
            tuple(allowances),
            set(),
        )
        assert found is not None
        return found

    def _fill(
        self,
        counts: list[int],
        number: int,
        left: tuple[int, ...],
        allowances: tuple[tuple[int, int], ...],
        hopeless: set[object],
    ) -> list[list[int]] | None:
        """Deal the numbers from this one up to hands with so much room and allowance left."""
        if number > NUMBERS:
            return [[] for _ in left]
        if (number, left, allowances) in hopeless:
            return None
        for split in _splits(counts[number], left):
            after = self._allowances(number, split, allowances)
            if after is None:
                continue
            room = tuple(size - used for size, used in zip(left, split, strict=True))
            found = self._fill(counts, number + 1, room, after, hopeless)
            if found is not None:
                return [[number] * used + hand for used, hand in zip(split, found, strict=True)]
        hopeless.add((number, left, allowances))
        return None

    def _allowances(
        self, number: int, split: tuple[int, ...], allowances: tuple[tuple[int, int], ...]
    ) -> tuple[tuple[int, int], ...] | None:
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


def _broken(mask: int, rules: list[Rule]) -> int:
    """Count how many cards of a hand would have to be others for all its rules to be kept."""
    broken = 0
    for cards, outside, gone, strange in rules:
        missing = (cards & ~mask).bit_count() - gone
        if missing > 0:
            broken += missing
        extra = (mask & ~cards & outside).bit_count() - strange
        if extra > 0:
            broken += extra
    return broken


def _replaced(mask: int, old: int, new: int) -> int:
    """Return packed cards with one card of a number less and one of another more."""
    held = mask >> COPIES * old & 7
    added = mask >> COPIES * new & 7
    return mask ^ (held ^ held >> 1) << COPIES * old ^ (added ^ (added << 1 | 1)) << COPIES * new


def _splits(count: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """List the ways to give so many cards to hands with so much room."""
    if len(left) == 1:
        if count <= left[0]:
            yield (count,)
        return
    for used in range(min(count, left[0]), -1, -1):
        for rest in _splits(count - used, left[1:]):
            yield (used, *rest)
