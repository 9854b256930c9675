"""Sample a state that fits a seat's view.

All deals that fit are equally likely: the cards this seat has not seen are in the other hands and
among the cards left over, and a seat that showed it lacks a colour has none of it. Later rounds are
drawn again. Hints in the other players' choices are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING

from arena.games.meow.cards import (
    ALL_COLOURS,
    BITS,
    COLOUR_MASK,
    COLOUR_OF,
    deck_mask,
)
from arena.games.meow.state import MeowState
from arena.games.meow.view import View
from arena.games.randomness import SEED_BYTES, Source

if TYPE_CHECKING:
    from random import Random

Counts = tuple[int, int, int]
"""How many cards there are of each colour."""
Demand = tuple[int, tuple[int, ...], int]
"""A seat, the colours that it may hold, and how many cards it holds."""


def world(view: View, rng: Random) -> MeowState:
    """Sample a state that fits the view; all are equally likely."""
    state = MeowState()
    state.events = None
    state.seats = view.seats
    state.to_act = view.to_act
    state.parameters = view.parameters
    state.source = Source(rng.randbytes(SEED_BYTES))
    state.round = view.round
    state.row = view.row
    state.later = view.later
    state.won = list(view.won)
    state.leader = view.leader
    state.trick = list(view.trick)
    state.led = COLOUR_OF[view.trick[0]] if view.trick else ALL_COLOURS
    state.played = list(view.played_masks)
    state.voids = list(view.voids)
    state.hands = _hands(view, rng)
    hand = state.hands[view.to_act] if view.to_act >= 0 else 0
    state.legal_mask = hand & COLOUR_MASK[state.led] or hand
    return state


def _hands(view: View, rng: Random) -> list[int]:
    random = rng.random
    hands = [0] * view.seats
    hands[view.seat] = view.hand_mask
    parameters = view.parameters
    whole = deck_mask(view.seats, expert=parameters.expert, ranks=parameters.ranks)
    unknown = whole & ~view.hand_mask
    hand_size = parameters.hand_size
    free: list[tuple[int, int]] = []
    restricted: list[Demand] = []
    for seat, played in enumerate(view.played_masks):
        unknown &= ~played
        if seat == view.seat:
            continue
        void = view.voids[seat]
        if void:
            colours = tuple(colour for colour in range(3) if not void >> colour & 1)
            restricted.append((seat, colours, hand_size - played.bit_count()))
        else:
            free.append((seat, hand_size - played.bit_count()))
    if restricted:
        unknown = _deal_restricted(restricted, unknown, hands, rng)
    pool = [bit for bit in BITS if bit & unknown]
    left = len(pool)
    for seat, size in free:
        hand = 0
        for _ in range(size):
            at = int(random() * left)
            left -= 1
            hand |= pool[at]
            pool[at] = pool[left]
        hands[seat] = hand
    return hands


def _deal_restricted(restricted: list[Demand], unknown: int, hands: list[int], rng: Random) -> int:
    """Deal to the seats that lack a colour; return the cards that are left.

    The number of cards of each colour is drawn with the number of complete deals that continue
    from it as the weight; the cards themselves are then drawn uniformly.
    """
    pools = [[bit for bit in BITS if bit & unknown & COLOUR_MASK[colour]] for colour in range(3)]
    for at, (seat, colours, size) in enumerate(restricted):
        counts = (len(pools[0]), len(pools[1]), len(pools[2]))
        for colour, number in enumerate(_split(colours, size, counts, restricted[at + 1 :], rng)):
            pool = pools[colour]
            for _ in range(number):
                chosen = int(rng.random() * len(pool))
                pool[chosen], pool[-1] = pool[-1], pool[chosen]
                bit = pool.pop()
                hands[seat] |= bit
                unknown ^= bit
    return unknown


def _split(
    colours: tuple[int, ...], size: int, counts: Counts, later: list[Demand], rng: Random
) -> Counts:
    options = list(_splits(colours, size, counts))
    if len(options) == 1:
        return options[0]
    weights = [_ways_of(option, counts, later) for option in options]
    target = rng.random() * sum(weights)
    for option, weight in zip(options, weights, strict=True):
        target -= weight
        if target < 0:
            return option
    return options[-1]


def _splits(colours: tuple[int, ...], size: int, counts: Counts) -> Iterator[Counts]:
    """List the ways to split `size` cards among these colours, of which there are at most two."""
    split = [0, 0, 0]
    if len(colours) < 2:
        if colours:
            split[colours[0]] = size
        yield split[0], split[1], split[2]
        return
    first, second = colours
    for number in range(max(0, size - counts[second]), min(size, counts[first]) + 1):
        split[first] = number
        split[second] = size - number
        yield split[0], split[1], split[2]


def _ways_of(split: Counts, counts: Counts, later: list[Demand]) -> int:
    """Count the deals with this split for this seat and any splits for the later seats."""
    ways = 1
    for number, count in zip(split, counts, strict=True):
        ways *= comb(count, number)
    if not later or not ways:
        return ways
    left = (counts[0] - split[0], counts[1] - split[1], counts[2] - split[2])
    (_, colours, size), *rest = later
    if not rest:
        # Vandermonde's identity: summing over the last seat's splits gives a single binomial.
        return ways * comb(sum(left[colour] for colour in colours), size)
    return ways * sum(_ways_of(option, left, rest) for option in _splits(colours, size, left))
