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

from random import Random

from arena.games.trio.cards import COPIES
from arena.games.trio.searching import Bond, Rule, Search, packed

STEPS = 60
REPAIRS = 300
"""How many exchanges are tried to make a deal fit before it is searched for."""
_UPHILL = 0.02
"""How likely is an exchange that makes one thing worse: it may lead out of a dead end."""


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
            self.hands[:] = Search(self.hands, self._rules, self._bonds).found()
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
