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

from math import comb
from typing import NamedTuple

from arena.games.meow.cards import (
    BITS,
    COLOUR_MASK,
    COLOUR_OF,
    DECK_MASKS,
    FISH,
    GREEN,
    RANKS,
    VASE,
    card,
    rank_of,
)
from arena.games.meow.state import points, winning_card
from arena.games.meow.view import View
from arena.sdk import Bot, run


class Threats(NamedTuple):
    """The number of unseen cards, and of those that threaten a card in a trick."""

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

        def merit(played: int) -> float:
            kept = [strengths[held] for held in strengths if held != played]
            kept.sort(reverse=True)
            hand = sum([power * prize for power, prize in zip(kept, later, strict=True)])
            return value * win_chance(played, view, unseen, wanted=value > 0) + hand

        return max(self.legal_actions(view), key=merit)


def unseen_cards(view: View) -> int:
    """Return the set of cards that this seat has not seen."""
    unseen = DECK_MASKS[view.seats, view.parameters.expert] & ~view.hand_mask
    for played in view.played_masks:
        unseen &= ~played
    return unseen


def value_of(token: int, view: View) -> float:
    """Return the worth of a token to this seat."""
    won = (*view.won[view.seat], token)
    gain = points(won, view.parameters) - points(won[:-1], view.parameters)
    coming = view.row[1:] + view.later
    if token == FISH and not gain:
        return -min([bone for bone in coming if 0 > bone != VASE], default=0) / 2
    if token == VASE and not gain and VASE in coming:
        return (points((*won, VASE), view.parameters) - points(won, view.parameters)) / 4
    return gain


def beaters(played: int) -> int:
    """Return the set of cards that beat a card in a trick of its own colour."""
    colour = COLOUR_OF[played]
    one, eighteen = card(colour, 1), card(colour, RANKS)
    better = COLOUR_MASK[colour] & -(2 << played)
    if played == one:
        better &= ~BITS[eighteen]
    elif played == eighteen:
        better = BITS[one]
    return better if colour == GREEN else better | COLOUR_MASK[GREEN]


def strength(held: int, unseen: int, seats: int) -> float:
    """Return roughly how likely a card wins a trick: all others play random unseen cards."""
    share = (unseen & beaters(held)).bit_count() / unseen.bit_count()
    return float((1 - share) ** (seats - 1))


def win_chance(played: int, view: View, unseen: int, *, wanted: bool) -> float:
    """Return the probability that a card wins this trick; `wanted` is whether others want it."""
    trick = [*view.trick, played]
    led = COLOUR_OF[trick[0]]
    if winning_card(trick, led) != played:
        return 0.0
    better = unseen & beaters(played)
    if rank_of(played) == 1 and card(COLOUR_OF[played], RANKS) in trick:
        better &= ~COLOUR_MASK[COLOUR_OF[played]]
    above = (better & COLOUR_MASK[led]).bit_count()
    threats = Threats(
        unseen.bit_count(),
        (unseen & COLOUR_MASK[led]).bit_count(),
        above,
        better.bit_count() - above,
    )
    sizes = view.hand_sizes
    stands = 1.0
    for turn in range(1, view.seats - len(view.trick)):
        seat = (view.seat + turn) % view.seats
        lacks = view.voids[seat]
        if not lacks >> led & 1:
            stands *= chance_against_hand(threats, sizes[seat], wanted=wanted)
        elif wanted and not lacks >> GREEN & 1:
            # This hand has only the other colours.
            stands *= chance_of_none(threats.trumps, sizes[seat], threats.unseen - threats.follow)
    return stands


def chance_against_hand(threats: Threats, size: int, *, wanted: bool) -> float:
    """Return the probability that a hand that may have any colour does not beat a card."""
    unseen, follow, above, trumps = threats
    lacks_colour = chance_of_none(follow, size, unseen)
    if wanted:
        trumps_it = lacks_colour - chance_of_none(follow + trumps, size, unseen)
        return chance_of_none(above, size, unseen) - trumps_it
    must_beat = chance_of_none(follow - above, size, unseen) - lacks_colour
    return 1 - must_beat


def chance_of_none(marked: int, size: int, total: int) -> float:
    """Return the probability that a hand drawn from these cards has none of the marked ones."""
    return comb(total - marked, size) / comb(total, size)


if __name__ == "__main__":
    run(GreedyMeow)
