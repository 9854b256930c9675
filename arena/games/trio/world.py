"""Sample a state that fits a seat's view.

Without teams, all deals that fit are equally likely: the cards that this seat cannot see are in the
other hands, within the bounds that the table knows, and in the slots not seen yet. The three copies
of a number count as different cards, as they do when a deck is shuffled. Hints in the other
players' choices are ignored.

With teams, the same holds, and the partner's hand fits everything this seat knows about it. The
other hands also fit everything the view says about them, but the distribution is only approximately
uniform once they have swapped cards that the table had seen: see `mixing`. What the partners of
another team know about each other is invented: for a team's last swap, which of the cards now in
their hands were given; for earlier swaps, arbitrary numbers. Choices already made in a swap phase
are drawn uniformly from the legal ones.

What all states of one view have in common is cached for the latest views, because a search bot
draws many states from one view.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from arena.games.trio.cards import (
    COPIES,
    FIRST_HAND,
    HAND_BITS,
    NUMBERS,
    UNSEEN,
    give_mask,
)
from arena.games.trio.counting import ALL_ALLOWED, Allowed, numbers_allowed
from arena.games.trio.dealing import Deal
from arena.games.trio.knowledge import Known, KnownToPartner
from arena.games.trio.state import TrioState
from arena.games.trio.team_world import complete
from arena.games.trio.view import View, reveal_mask

if TYPE_CHECKING:
    from random import Random

_COUNTS_IN_BYTE = tuple((byte & 3, byte >> 2 & 3, byte >> 4 & 3, byte >> 6) for byte in range(256))
"""The counts of four numbers, unpacked from a byte."""


class Outline(NamedTuple):
    """What all states that fit a view have in common, and the deal of the remaining cards."""

    open_mask: int
    depths: list[int]
    hands: list[tuple[int, ...]]
    """The cards certain to be in each seat's hand."""
    hidden: list[int]
    """The seats whose other cards are dealt, in the order of the deal's places."""
    slots: list[int]
    """The centre slots that are dealt; together they are the deal's last place."""
    deal: Deal | None


class _HandFacts(NamedTuple):
    """What is certain about one hand, preprocessed."""

    held: tuple[int, ...]
    counts: int
    depths: tuple[int, int]
    open_bits: int
    missing: int
    """How many of its cards are unknown."""
    allowed: Allowed


def world(view: View, rng: Random) -> TrioState:
    """Sample a state that fits the view."""
    parameters, seats, seat, to_act, turn, piles, hand, known, centre, shown = view[:10]
    mask, depths, held, hidden, slots, deal = outline(
        seat, hand, known, centre, piles, view.partner, parameters.numbers or NUMBERS
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
    # An empty slot is 0 in the state, but negative in a view.
    state.centre = [number if number > 0 else 0 for number in centre]
    if deal is not None:
        places = deal.draw(rng)
        for owner, cards in zip(hidden, places, strict=False):
            hands[owner] += cards
            hands[owner].sort()
        if slots:
            _fill_slots(slots, places[-1], state.centre, rng)
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
    partner: KnownToPartner | None,
    numbers: int,
) -> Outline:
    """Determine what is certain, and prepare to deal the rest."""
    seen, mask, slots = _centre(centre)
    # Counts of cards are packed into two bits for each number, so one subtraction handles all.
    pool = (1 << 2 * numbers) - 1 - seen - _counts(hand)
    for pile in piles:
        for number in pile:
            pool -= COPIES << 2 * number - 2
    depths = [0] * FIRST_HAND
    hands = []
    places = []
    for owner, public in enumerate(known):
        private = partner if partner and owner == (seat + len(piles)) % len(known) else None
        held, counts, ends, bits, missing, allowed = _hand_facts(owner, public, private)
        mask |= bits
        depths += ends
        if owner == seat:
            hands.append(hand)
            continue
        hands.append(held)
        pool -= counts
        if missing:
            places.append((missing, owner, allowed))
    # Sorted by size: the caches of `counting` then serve deals that differ only in this order.
    places.sort()
    hidden = [owner for _, owner, _ in places]
    if slots:
        places.append((len(slots), seat, ALL_ALLOWED))
    if not places:
        return Outline(mask, depths, hands, hidden, slots, None)
    unseen = (
        _COUNTS_IN_BYTE[pool & 255] + _COUNTS_IN_BYTE[pool >> 8 & 255] + _COUNTS_IN_BYTE[pool >> 16]
    )
    sizes = tuple([size for size, _, _ in places])
    deal = Deal(unseen, sizes, [allowed for _, _, allowed in places])
    return Outline(mask, depths, hands, hidden, slots, deal)


def _fill_slots(slots: list[int], cards: list[int], centre: list[int], rng: Random) -> None:
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
def _hand_facts(owner: int, public: Known, private: KnownToPartner | None) -> _HandFacts:
    size = public.size
    ends = (len(public.low), len(public.high)) if public.least else (size, size)
    held, least, most = private or (public.low + public.high, public.least, public.most)
    return _HandFacts(
        held,
        _counts(held),
        ends,
        HAND_BITS[owner][size],
        size - len(held),
        numbers_allowed(least, most, held),
    )


@lru_cache(maxsize=1024)
def _centre(centre: tuple[int, ...]) -> tuple[int, int, list[int]]:
    """Return the counts of the cards seen, the mask of filled slots, and the slots not seen."""
    return (
        _counts(tuple(number for number in centre if number > 0)),
        sum(1 << slot for slot, number in enumerate(centre) if number >= 0),
        [slot for slot, number in enumerate(centre) if number == UNSEEN],
    )
