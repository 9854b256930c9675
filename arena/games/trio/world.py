"""Which truths fit one seat's view, and how is one of them drawn?

Without teams every deal that fits is equally likely: the cards that this seat cannot see lie in
the other hands, within the bounds that the table knows, and in the slots that nobody has seen. The
three copies of a number count as different cards, as they do when a deck is shuffled. What the
others' choices may suggest about their hands is not weighed.

With teams the same holds, and the partner's hand fits all that this seat knows of it. The other
hands fit all that the view says of them, too, but only nearly evenly as soon as they have swapped
cards that the table had seen: see `mixing`. What the other teams' partners know of one another is
made up: of each team's last swap, which of the cards now in their hands was given, and of the
swaps before any numbers at all. Choices already made in a swap phase are drawn evenly from the
legal ones.

The part that all truths of one view have in common is remembered for the latest views, because a
bot that thinks draws many truths from one view.
"""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import NamedTuple

from arena.games.trio.cards import (
    COPIES,
    FIRST_HAND,
    HAND_BITS,
    NUMBERS,
    UNSEEN,
    give_mask,
)
from arena.games.trio.counting import ANYTHING, Welcome, welcome
from arena.games.trio.dealing import Deal
from arena.games.trio.knowledge import Known, Told
from arena.games.trio.state import TrioState
from arena.games.trio.team_world import complete
from arena.games.trio.view import View, reveal_mask

# Counts of cards are packed in two bits for each number, so that they subtract in one go.
_DECK = (1 << 2 * NUMBERS) - 1
_FOUR = tuple((byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6) for byte in range(256))
"""The counts of four numbers by their packed byte."""


class Outline(NamedTuple):
    """What all truths that fit a view have in common, and the deal of the rest."""

    open_mask: int
    depths: list[int]
    hands: list[tuple[int, ...]]
    """For each seat the cards that are certain."""
    hidden: list[int]
    """The seats whose other cards are dealt, in the order of the deal's places."""
    slots: list[int]
    """The centre slots that are dealt, together the deal's last place if there are any."""
    deal: Deal | None


class _Hand(NamedTuple):
    """What is certain of one hand, ready to use."""

    held: tuple[int, ...]
    counts: int
    depths: tuple[int, int]
    open_bits: int
    missing: int
    """How many of its cards are not known."""
    welcome: Welcome


def world(view: View, rng: Random) -> TrioState:
    """Draw one truth that fits the view."""
    parameters, seats, seat, to_act, turn, piles, hand, known, centre, shown = view[:10]
    mask, depths, held, hidden, slots, deal = outline(
        seat, hand, known, centre, piles, view.partner
    )
    state = TrioState.__new__(TrioState)
    state.events = None
    state.seats = seats
    state.to_act = to_act
    state.parameters = parameters
    state.turn = turn
    state.turn_limit = parameters.turn_cap * seats
    state.piles = list(piles)
    state.known = list(known)
    state.depths = depths.copy()
    state.seen = list(centre)
    state.shown = list(shown)
    state.open_mask = mask
    state.swaps = None
    hands = [list(cards) for cards in held]
    state.hands = hands
    # An empty slot is 0 in the truth and less than that in what is seen.
    state.centre = [number if number > 0 else 0 for number in centre]
    if deal is not None:
        places = deal.drawn(rng)
        for owner, cards in zip(hidden, places, strict=False):
            hands[owner] += cards
            hands[owner].sort()
        if slots:
            _lay_out(slots, places[-1], state.centre, rng)
    state.number = view.number if shown else 0
    if view.partner is not None:
        complete(state, view, rng)
    if to_act < 0:
        state.legal_mask = 0
    elif view.phase:
        state.legal_mask = give_mask(hands[to_act])
    else:
        state.legal_mask = reveal_mask(view, mask) if shown else mask
    return state


@lru_cache(maxsize=64)
def outline(
    seat: int,
    hand: tuple[int, ...],
    known: tuple[Known, ...],
    centre: tuple[int, ...],
    piles: tuple[tuple[int, ...], ...],
    partner: Told | None,
) -> Outline:
    """Work out what is certain, and prepare to deal the rest."""
    seen, mask, slots = _centre(centre)
    pool = _DECK - seen - _counts(hand)
    for pile in piles:
        for number in pile:
            pool -= COPIES << 2 * number - 2
    depths = [0] * FIRST_HAND
    hands = []
    places = []
    for owner, public in enumerate(known):
        told = partner if partner and owner == (seat + len(piles)) % len(known) else None
        held, counts, ends, bits, missing, welcoming = _hand(owner, public, told)
        mask |= bits
        depths += ends
        if owner == seat:
            hands.append(hand)
            continue
        hands.append(held)
        pool -= counts
        if missing:
            places.append((missing, owner, welcoming))
    # By size, because deals that differ in the order of their places alone are counted once.
    places.sort()
    hidden = [owner for _, owner, _ in places]
    if slots:
        places.append((len(slots), seat, ANYTHING))
    if not places:
        return Outline(mask, depths, hands, hidden, slots, None)
    unseen = _FOUR[pool & 255] + _FOUR[pool >> 8 & 255] + _FOUR[pool >> 16]
    sizes = tuple([size for size, _, _ in places])
    deal = Deal(unseen, sizes, [welcoming for _, _, welcoming in places])
    return Outline(mask, depths, hands, hidden, slots, deal)


def _lay_out(slots: list[int], cards: list[int], centre: list[int], rng: Random) -> None:
    """Put cards into slots at random."""
    left = len(cards)
    for slot in slots:
        at = int(rng.random() * left)
        left -= 1
        centre[slot] = cards[at]
        cards[at] = cards[left]


@lru_cache(maxsize=4096)
def _counts(cards: tuple[int, ...]) -> int:
    return sum(1 << 2 * number - 2 for number in cards)


@lru_cache(maxsize=4096)
def _hand(owner: int, public: Known, told: Told | None) -> _Hand:
    size = public.size
    ends = (len(public.low), len(public.high)) if public.least else (size, size)
    held, least, most = told or (public.low + public.high, public.least, public.most)
    return _Hand(
        held,
        _counts(held),
        ends,
        HAND_BITS[owner][size],
        size - len(held),
        welcome(least, most, held),
    )


@lru_cache(maxsize=1024)
def _centre(centre: tuple[int, ...]) -> tuple[int, int, list[int]]:
    """Return the counts of the cards seen, the slots that are not empty, and those not seen."""
    return (
        _counts(tuple(number for number in centre if number > 0)),
        sum(1 << slot for slot, number in enumerate(centre) if number >= 0),
        [slot for slot, number in enumerate(centre) if number == UNSEEN],
    )
