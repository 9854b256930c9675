"""Strategy: play the card with the best sum of gain in this trick and worth of the hand it leaves.

Counting cards: the unseen cards, and the colours that others have shown they lack, give the
probability that a card wins the trick. Later players are assumed to beat it whenever they can if
the token is worth having, and only if they must if it is not.

Valuing tokens: a bowl counts its worth; so does a bone, unless a fish is waiting for it; a fish
counts the worst bone that it removes, or half the worst that may still come; a vase counts its
cost, or a quarter of what the next one will cost.

Valuing hands: the strongest card is matched with the best token still to come, the next with the
next best, and the weakest with the worst. A strong card is therefore played only if it gains more
now than it would later.
"""

from __future__ import annotations

from functools import cache
from math import comb
from operator import mul
from typing import NamedTuple

from arena.games.meow.cards import (
    BEATERS,
    COLOUR_MASK,
    COLOUR_OF,
    DECK_MASKS,
    FISH,
    GREEN,
    HAND,
    RANKS,
    VASE,
    card,
)
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.state import points, winning_card
from arena.games.meow.view import View
from arena.sdk import Bot, run


class Threats(NamedTuple):
    """What threatens a card in a trick: how many cards a hand has, and how many are unseen."""

    size: int
    """Cards in the hand of each seat still to play."""
    unseen: int
    follow: int
    """Unseen cards of the led colour."""
    above: int
    """Those of the led colour that beat the card."""
    trumps: int
    """Greens that beat it, if another colour was led."""


class GreedyMeow(Bot):
    """Weighs what a card does now against what it could do later."""

    name = "greedy-meow"
    games = ("meow",)

    def choose(self, view: View) -> int:
        """Play the card with the best sum of both values."""
        unseen = unseen_cards(view)
        value, *later = [value_of(token, view) for token in view.row]
        later.sort(reverse=True)
        strengths = {held: strength(held, unseen, view.seats) for held in view.hand}
        ranked = sorted(strengths.values(), reverse=True)
        # Once a card is played, each weaker one moves up to the next better token.
        before = list(map(mul, ranked, later))
        after = list(map(mul, ranked[1:], later))

        def merit(played: int) -> float:
            rank = ranked.index(strengths[played])
            hand = sum(before[:rank] + after[rank:])
            return value * win_chance(played, view, unseen, wanted=value > 0) + hand

        return max(self.legal_actions(view), key=merit)


def unseen_cards(view: View) -> int:
    """Return the set of cards that this seat has not seen."""
    seen = view.hand_mask + sum(view.played_masks)
    return DECK_MASKS[view.seats, view.parameters.expert] & ~seen


def value_of(token: int, view: View) -> float:
    """Return the worth of a token to this seat."""
    won = view.won[view.seat]
    if token == VASE:
        return value_of_vase(view)
    if token != FISH and (token > 0 or FISH not in won):
        return token
    fish = won.count(FISH)
    # The worst come first: fish remove them in this order.
    bones = sorted([each for each in won if 0 > each != VASE])
    if token != FISH:
        return sum(sorted([*bones, token])[fish:]) - sum(bones[fish:])
    if fish < len(bones):
        return -bones[fish]
    coming = view.row[1:] + view.later
    return -min([bone for bone in coming if 0 > bone != VASE], default=0) / 2


def value_of_vase(view: View) -> float:
    """Return the worth of a vase to this seat."""
    held = view.won[view.seat].count(VASE)
    cost = cost_of_vase(held, view.parameters.vases)
    if not cost and VASE in view.row[1:] + view.later:
        return cost_of_vase(held + 1, view.parameters.vases) / 4
    return cost


@cache
def cost_of_vase(held: int, vases: Vases) -> int:
    """Return the (negative) points that one more vase brings."""
    parameters = Parameters(vases=vases)
    return points((VASE,) * (held + 1), parameters) - points((VASE,) * held, parameters)


def strength(held: int, unseen: int, seats: int) -> float:
    """Return roughly how likely a card wins a trick: all others play random unseen cards."""
    share = (unseen & BEATERS[held]).bit_count() / unseen.bit_count()
    return float((1 - share) ** (seats - 1))


def win_chance(played: int, view: View, unseen: int, *, wanted: bool) -> float:
    """Return the probability that a card wins this trick; `wanted` is whether others want it."""
    trick = [*view.trick, played]
    led = COLOUR_OF[trick[0]]
    if view.trick and winning_card(trick, led) != played:
        return 0.0
    # Voids of the seats that play after this one, which have as many cards in their hands.
    voids = (view.voids * 2)[view.seat + 1 : view.seat + view.seats - len(view.trick)]
    if not voids:
        return 1.0
    better = unseen & BEATERS[played]
    if played.rank == 1 and card(COLOUR_OF[played], RANKS) in trick:
        better &= ~COLOUR_MASK[COLOUR_OF[played]]
    follow = unseen & COLOUR_MASK[led]
    threats = Threats(
        HAND - view.played_masks[view.seat].bit_count(),
        unseen.bit_count(),
        follow.bit_count(),
        (better & follow).bit_count(),
        (better & ~follow).bit_count(),
    )
    follows = chance_against_hand(threats, wanted=wanted)
    stands = 1.0
    for lacks in voids:
        if not lacks >> led & 1:
            stands *= follows
        elif wanted and not lacks >> GREEN & 1:
            # This hand has only the other colours.
            stands *= chance_of_none(threats.trumps, threats.size, threats.unseen - threats.follow)
    return stands


def chance_against_hand(threats: Threats, *, wanted: bool) -> float:
    """Return the probability that a hand that may have any colour does not beat a card."""
    size, unseen, follow, above, trumps = threats
    lacks_colour = chance_of_none(follow, size, unseen)
    if wanted:
        trumps_it = lacks_colour - chance_of_none(follow + trumps, size, unseen)
        return chance_of_none(above, size, unseen) - trumps_it
    must_beat = chance_of_none(follow - above, size, unseen) - lacks_colour
    return 1 - must_beat


@cache
def chance_of_none(marked: int, size: int, total: int) -> float:
    """Return the probability that a hand drawn from these cards has none of the marked ones."""
    return comb(total - marked, size) / comb(total, size)


if __name__ == "__main__":
    run(GreedyMeow)
