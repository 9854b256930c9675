"""Draw hands that fit what was known about them before secret swaps.

What the table knows about a hand now is a set of bounds, which `dealing` handles exactly. What it
knew before a swap holds with an allowance, for each hand and for both hands of a team together, and
such deals cannot be counted in reasonable time. Instead, a Markov chain exchanges cards between two
hands, first until the deal fits, and then as long as it does. In the long run this makes all
fitting deals equally likely.

Measured after `STEPS` steps: in positions small enough to list all deals, the total variation
distance from the uniform distribution is at most 0.03, the same as for uniform draws of that
number. In the middle of team games, the probability of a number in a hand is on average within 0.01
of its value after 1500 steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from arena.errors import BadInput
from arena.games.trio.cards import COPIES, NUMBERS

if TYPE_CHECKING:
    from random import Random

STEPS = 60
_MOST_EXCHANGES = 1_000_000
"""Exchanges to try before concluding that no deal fits; usually some hundred are enough."""
_WORSENING_PROBABILITY = 0.02
"""Probability of accepting an exchange that adds one violation, to escape from dead ends."""


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


def mix(hands: list[list[int]], rules: list[list[Rule]], bonds: list[Bond], rng: Random) -> None:
    """Exchange cards until the hands keep all rules and bonds, then try `STEPS` exchanges."""
    random = rng.random
    masks = [pack(hand) for hand in hands]
    places = [(at, card) for at, hand in enumerate(hands) for card in range(len(hand))]
    count = len(places)
    broken = sum(map(_violations, masks, rules))
    broken += sum(_missing(hands, bond, set(bond.cards)) for bond in bonds)
    left = STEPS
    for _ in range(_MOST_EXCHANGES):
        if not broken:
            if not left:
                return
            left -= 1
        one, card = places[int(random() * count)]
        other, their_card = places[int(random() * count)]
        mine, theirs = hands[one][card], hands[other][their_card]
        if one == other or mine == theirs:
            continue
        after = _replace_card(masks[one], mine, theirs)
        worse = _violations(after, rules[one])
        if worse and not broken:
            continue
        theirs_after = _replace_card(masks[other], theirs, mine)
        worse += _violations(theirs_after, rules[other])
        if broken:
            worse -= _violations(masks[one], rules[one]) + _violations(masks[other], rules[other])
        numbers = (mine, theirs)
        crossed = [bond for bond in bonds if (one in bond[:2]) != (other in bond[:2])]
        worse -= sum([_missing(hands, bond, numbers) for bond in crossed])
        hands[one][card], hands[other][their_card] = theirs, mine
        worse += sum([_missing(hands, bond, numbers) for bond in crossed])
        if worse > 0 and (not broken or random() >= _WORSENING_PROBABILITY**worse):
            hands[one][card], hands[other][their_card] = mine, theirs
            continue
        broken += worse
        masks[one], masks[other] = after, theirs_after
    raise BadInput("no state fits this view: it is not the view of any match")


def _violations(mask: int, rules: list[Rule]) -> int:
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


def _missing(hands: list[list[int]], bond: Bond, numbers: Iterable[int]) -> int:
    """Count the cards of these numbers that neither hand of a bond has."""
    one, other, cards = bond
    missing = 0
    for number in numbers:
        lacking = cards.count(number) - hands[one].count(number) - hands[other].count(number)
        if lacking > 0:
            missing += lacking
    return missing


def _replace_card(mask: int, old: int, new: int) -> int:
    """Return packed cards with one card of a number replaced by a card of another number."""
    held = mask >> COPIES * old & 7
    added = mask >> COPIES * new & 7
    return mask ^ (held ^ held >> 1) << COPIES * old ^ (added ^ (added << 1 | 1)) << COPIES * new
