"""Rule of thumb: play the card that does best with this token and leaves the best hand for later.

Cards are counted. From those that have not been seen, and from the colours that others have shown
they lack, follows how likely a card wins the trick. Players who come later are thought to beat it
if they can where the token is worth having, and only if they must where it is not.

Tokens are valued: a bowl at its worth; a bone too, unless a fish waits for it; a fish at the worst
bone that it throws out, or half the worst that may come; a vase at what it costs, or a quarter of
what the next one will.

A hand is as good as it fits the tokens to come: its strongest card goes with the best of them, the
next with the next, its weakest with the worst. So a strong card is spent only where it gains more
than it would later.
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
    """How many cards have not been seen, and what they can do to a card in a trick."""

    unseen: int
    follow: int
    """Those of the colour that was led."""
    above: int
    """Those of that colour that beat the card."""
    trumps: int
    """Greens that beat it, if another colour was led."""


class GreedyMeow(Bot):
    """Weighs what a card does now against what it could do later."""

    name = "greedy-meow"
    games = ("meow",)

    def choose(self, view: View) -> int:
        """Play the card with the best sum of both."""
        unseen = unseen_cards(view)
        value, *later = [value_of(token, view) for token in view.row]
        later.sort(reverse=True)
        strengths = {held: strength(held, unseen, view.seats) for held in view.hand}

        def merit(played: int) -> float:
            kept = [strengths[held] for held in strengths if held != played]
            kept.sort(reverse=True)
            hand = sum([power * prize for power, prize in zip(kept, later, strict=True)])
            return value * chance(played, view, unseen, wanted=value > 0) + hand

        return max(self.legal_actions(view), key=merit)


def unseen_cards(view: View) -> int:
    """Return the set of cards that this seat has not seen."""
    unseen = DECK_MASKS[view.seats, view.parameters.expert] & ~view.hand_mask
    for played in view.played_masks:
        unseen &= ~played
    return unseen


def value_of(token: int, view: View) -> float:
    """Tell what a token is worth to this seat."""
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
    """Tell roughly how likely a card wins some trick: if all others play any unseen card."""
    share = (unseen & beaters(held)).bit_count() / unseen.bit_count()
    return float((1 - share) ** (seats - 1))


def chance(played: int, view: View, unseen: int, *, wanted: bool) -> float:
    """Tell how likely a card wins this trick, whose token the others want or do not."""
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
            stands *= against_any(threats, sizes[seat], wanted=wanted)
        elif wanted and not lacks >> GREEN & 1:
            # All of this hand is of the other colours.
            stands *= none(threats.trumps, sizes[seat], threats.unseen - threats.follow)
    return stands


def against_any(threats: Threats, size: int, *, wanted: bool) -> float:
    """Tell how likely a card stands against a hand that may have all colours."""
    unseen, follow, above, trumps = threats
    lacks_colour = none(follow, size, unseen)
    if wanted:
        trumps_it = lacks_colour - none(follow + trumps, size, unseen)
        return none(above, size, unseen) - trumps_it
    must_beat = none(follow - above, size, unseen) - lacks_colour
    return 1 - must_beat


def none(marked: int, size: int, total: int) -> float:
    """Tell how likely a hand of this size, from so many cards, has none of the marked ones."""
    return comb(total - marked, size) / comb(total, size)


if __name__ == "__main__":
    run(GreedyMeow)
