"""Sampled worlds of MEOW are uniform, and keep everything that the seat knows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest

from arena.games.meow import GAME
from arena.games.meow.cards import COLOUR_MASK, DECK_MASKS, cards_in, mask_of
from arena.games.meow.parameters import Parameters
from arena.games.meow.view import View
from tests.games.meow.positions import cards


def endgame(hand: str, unseen: str, sizes: list[int], voids: list[int]) -> View:
    """Make seat 0's view of a standard round where only these cards are unseen."""
    seats = len(sizes) + 1
    left = mask_of(cards(unseen)) | mask_of(cards(hand))
    gone = list(cards_in(DECK_MASKS[seats, False] & ~left))
    played = []
    for size in [len(cards(hand)), *sizes]:
        played.append(mask_of(tuple(gone.pop() for _ in range(9 - size))))
    # All other cards count as played by seat 0; it only matters that they have been seen.
    played[0] |= mask_of(tuple(gone))
    start = GAME.view_of(GAME.start(seats, bytes(32)), 0)
    return start._replace(
        hand_mask=mask_of(cards(hand)), played_masks=tuple(played), voids=(0, *voids)
    )


def all_deals(view: View, sizes: list[int]) -> set[tuple[int, ...]]:
    """List every way to deal the unseen cards that respects the shown voids."""
    unseen = DECK_MASKS[view.seats, False] & ~view.hand_mask & ~sum(view.played_masks)

    def deal(seat: int, left: tuple[int, ...]) -> list[tuple[int, ...]]:
        if seat == view.seats:
            return [()]
        lacking = sum(COLOUR_MASK[colour] for colour in range(3) if view.voids[seat] >> colour & 1)
        return [
            (mask_of(hand), *rest)
            for hand in combinations(left, sizes[seat - 1])
            if not mask_of(hand) & lacking
            for rest in deal(seat + 1, tuple(card for card in left if card not in hand))
        ]

    return set(deal(1, cards_in(unseen)))


@pytest.mark.parametrize(
    ("sizes", "voids"),
    [
        ([2, 2], [0, 0]),
        ([2, 2], [1, 0]),
        ([2, 2, 2], [1, 2, 4]),
        ([2, 1, 2], [1, 1, 6]),
        ([1, 2, 1], [3, 4, 1]),
        ([2, 2, 1], [0, 3, 4]),
    ],
    ids=str,
)
def test_every_deal_that_fits_is_equally_likely(sizes: list[int], voids: list[int]) -> None:
    view = endgame("P1 B1", "P2 P3 P4 B2 B3 G1 G2 G3", sizes, voids)
    deals = all_deals(view, sizes)
    rng = Random(7)
    draws = 40 * len(deals)
    seen = Counter(tuple(GAME.world(view, rng).hands[1:]) for _ in range(draws))
    assert set(seen) <= deals
    surprise = sum((seen[deal] - 40) ** 2 / 40 for deal in deals)
    # Chi-square with n - 1 degrees of freedom: mean n - 1, deviation sqrt(2(n - 1)).
    assert surprise < len(deals) - 1 + 5 * (2 * len(deals)) ** 0.5


def test_later_rounds_are_fresh_in_every_world() -> None:
    state = GAME.start(4, bytes(32), Parameters(expert=True))
    rng = Random(1)
    next_deals = set()
    for _ in range(5):
        world = GAME.redeal(state, 0, rng)
        while world.round == 0:
            world.apply(world.random_action(rng))
        next_deals.add((world.row, tuple(world.hands)))
    assert len(next_deals) == 5
