"""Draw hands that fit what was known about them before secret swaps.

What the table knows about a hand now is a set of bounds, which `dealing` handles exactly. What it
knew before a swap holds with an allowance, for each hand and for both hands of a team together, and
such deals cannot be counted in reasonable time. Instead, a Markov chain starts from a deal that
fits: repeatedly, two cards in two hands are exchanged if the result also fits. In the long run
this makes all fitting deals equally likely.

Measured after `STEPS` steps: in positions small enough to list all deals, the total variation
distance from the uniform distribution is at most 0.03, the same as for uniform draws of that
number. In the middle of team games, the probability of a number in a hand is on average within 0.01
of its value after 1500 steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.trio.cards import COPIES
from arena.games.trio.searching import Bond, Rule, Search, pack

if TYPE_CHECKING:
    from random import Random

STEPS = 60
REPAIR_ATTEMPTS = 300
"""Exchanges tried to make a deal fit before falling back to a search."""
_WORSENING_PROBABILITY = 0.02
"""Probability of accepting an exchange that adds one violation, to escape from dead ends."""


class Mixture:
    """Some hands, the rules for each, and the bonds between them; mixing changes the hands."""

    __slots__ = ("_bond_of", "_bonds", "_masks", "_places", "_rules", "hands")

    def __init__(self, hands: list[list[int]], rules: list[list[Rule]], bonds: list[Bond]) -> None:
        """Take the hands to start from; they may break rules and bonds."""
        self.hands = hands
        self._rules = rules
        self._bonds = bonds
        self._masks = [pack(hand) for hand in hands]
        self._places = [(at, card) for at, hand in enumerate(hands) for card in range(len(hand))]
        self._bond_of: list[Bond | None] = [None] * len(hands)
        for bond in bonds:
            self._bond_of[bond.one] = self._bond_of[bond.other] = bond

    def mix(self, rng: Random) -> None:
        """Exchange cards until the hands keep all rules and bonds, then try `STEPS` exchanges."""
        self._repair(rng)
        places, hands, masks, rules = self._places, self.hands, self._masks, self._rules
        random = rng.random
        count = len(places)
        for _ in range(STEPS):
            one, card = places[int(random() * count)]
            other, their_card = places[int(random() * count)]
            mine, theirs = hands[one][card], hands[other][their_card]
            if one == other or mine == theirs:
                continue
            after = _replace_card(masks[one], mine, theirs)
            if _rule_violations(after, rules[one]) or not self._may_leave(mine, one, other):
                continue
            theirs_after = _replace_card(masks[other], theirs, mine)
            if _rule_violations(theirs_after, rules[other]) or not self._may_leave(
                theirs, other, one
            ):
                continue
            hands[one][card], hands[other][their_card] = theirs, mine
            masks[one], masks[other] = after, theirs_after

    def _may_leave(self, number: int, one: int, other: int) -> bool:
        """Return whether the bonds allow a card to go from one hand to another."""
        bond = self._bond_of[one]
        if bond is None or number not in bond.cards or bond is self._bond_of[other]:
            return True
        held = self.hands[bond.one].count(number) + self.hands[bond.other].count(number)
        return held > bond.cards.count(number)

    def _repair(self, rng: Random) -> None:
        """Exchange cards until no rule or bond is broken; if that takes too long, search."""
        violations = self._violations()
        for _ in range(REPAIR_ATTEMPTS):
            if not violations:
                return
            violations = self._try_exchange(rng, violations)
        if violations:
            self.hands[:] = Search(self.hands, self._rules, self._bonds).find()
            self._masks[:] = [pack(hand) for hand in self.hands]

    def _try_exchange(self, rng: Random, violations: int) -> int:
        hands, masks, places = self.hands, self._masks, self._places
        one, card = places[int(rng.random() * len(places))]
        other, their_card = places[int(rng.random() * len(places))]
        mine, theirs = hands[one][card], hands[other][their_card]
        if one == other or mine == theirs:
            return violations
        before = masks[one], masks[other]
        masks[one] = _replace_card(masks[one], mine, theirs)
        masks[other] = _replace_card(masks[other], theirs, mine)
        hands[one][card], hands[other][their_card] = theirs, mine
        now = self._violations()
        if now <= violations or rng.random() < _WORSENING_PROBABILITY ** (now - violations):
            return now
        masks[one], masks[other] = before
        hands[one][card], hands[other][their_card] = mine, theirs
        return violations

    def _violations(self) -> int:
        """Count the cards that would have to differ for all rules and bonds to be kept."""
        violations = sum(map(_rule_violations, self._masks, self._rules))
        for one, other, known in self._bonds:
            both = self.hands[one] + self.hands[other]
            violations += sum(both.count(number) < known.count(number) for number in known)
        return violations


def _rule_violations(mask: int, rules: list[Rule]) -> int:
    """Count the cards of a hand that would have to differ for all its rules to be kept."""
    violations = 0
    for cards, outside, gone, strange in rules:
        missing = (cards & ~mask).bit_count() - gone
        if missing > 0:
            violations += missing
        extra = (mask & ~cards & outside).bit_count() - strange
        if extra > 0:
            violations += extra
    return violations


def _replace_card(mask: int, old: int, new: int) -> int:
    """Return packed cards with one card of a number replaced by a card of another number."""
    held = mask >> COPIES * old & 7
    added = mask >> COPIES * new & 7
    return mask ^ (held ^ held >> 1) << COPIES * old ^ (added ^ (added << 1 | 1)) << COPIES * new
