"""Sampled worlds of Jackal & High are uniform, and keep everything that the seat knows."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.jackal import GAME
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.state import JackalState
from arena.games.randomness import seed_from
from tests.games.jackal.positions import cards, do, position, settle_round


@pytest.mark.parametrize(
    "deck", ["5 9", "1 2 3", "Take2 Take2 9", "5 5 Lucky8 Take2", "1 2 3 4 5", "7 7 7 6 6"]
)
def test_every_order_of_the_deck_is_equally_likely(deck: str) -> None:
    view = GAME.view_of(position("9 9 9", "-", "-", deck=deck, rolled=(1, 2, 3)), 0)
    orders = set(permutations(cards(deck)))
    rng = Random(7)
    draws = 60 * len(orders)
    seen = Counter(tuple(GAME.world(view, rng).deck) for _ in range(draws))
    assert set(seen) <= orders
    surprise = sum((seen[order] - 60) ** 2 / 60 for order in orders)
    # Chi-square with n - 1 degrees of freedom: mean n - 1, deviation sqrt(2(n - 1)).
    assert surprise < len(orders) - 1 + 5 * (2 * len(orders)) ** 0.5


def test_every_card_of_a_long_deck_comes_next_in_proportion() -> None:
    state = GAME.start(2, seed_from(1))
    rng = Random(3)
    draws = 300 * len(state.deck)
    seen = Counter(GAME.redeal(state, 1, rng).deck[-1] for _ in range(draws))
    distance = sum(abs(seen[card] - 300 * count) for card, count in Counter(state.deck).items()) / (
        2 * draws
    )
    assert distance < 0.03


@pytest.mark.parametrize("seat", [0, 1])
def test_rolled_dice_stay_and_later_dice_are_drawn_afresh(seat: int) -> None:
    state = position("21 21 21", "1:1+1", "2:5", to_act=0, turn=1, rolled=(4,), rolls_left=2)
    rng = Random(2)
    worlds = [GAME.redeal(state, seat, rng) for _ in range(40)]
    assert {world.rolled for world in worlds} == {(4, 0, 0)}
    assert {do(world, "again").rolled[0] for world in worlds} == set(range(1, 9))
    assert len({do(world, "place 1").rolled for world in worlds}) > 10


def test_dice_to_come_in_a_world_are_fair() -> None:
    view = GAME.view_of(position("21 21 21", "-", "-", rolled=(1, 1, 1)), 0)
    rng = Random(5)
    faces = Counter(
        face for _ in range(400) for face in do(GAME.world(view, rng), "place 1").rolled
    )
    assert sum((faces[face] - 150) ** 2 / 150 for face in range(1, 9)) < 7 + 5 * 14**0.5


def test_a_world_keeps_the_cards_that_wait_for_their_order() -> None:
    state = settle_round("5 9 21", "1:5 2:4+5", "2:1 3:1+1", valley="7")
    world = GAME.redeal(state, 1, Random(1))
    assert (world.to_act, world.spoils) == (0, [(5, 9), ()])
    assert world.legal_actions() == state.legal_actions()


def play_randomly(seats: int, seed: int, steps: int, parameters: Parameters) -> JackalState:
    """Play this many random decisions, or to the end."""
    state = GAME.start(seats, seed_from(seed), parameters)
    rng = Random(seed)
    while steps and not state.is_over:
        state.apply(state.random_action(rng))
        steps -= 1
    return state


@given(st.integers(2, 5), st.integers(0, 10**6), st.integers(0, 300))
def test_a_world_plays_on_to_its_end(seats: int, seed: int, steps: int) -> None:
    rng = Random(seed)
    world = GAME.redeal(play_randomly(seats, seed, steps, Parameters(round_cap=60)), 0, rng)
    inventory = world.inventory()
    while not world.is_over:
        world.apply(world.random_action(rng))
    assert world.inventory() == inventory
    assert min(world.outcome().places) == 1
