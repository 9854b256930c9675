"""Sampled worlds of Life is Life are uniform, and keep everything that the table has learned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput, IllegalAction
from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import (
    GUARDS,
    ONE,
    animals_in,
    pack_of,
    size_of,
)
from arena.games.lifeislife.knowledge import Knowledge
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.lifeislife.view import View
from arena.games.randomness import seed_from
from tests.games.lifeislife.positions import herd, play, position

FIVE = (
    "9 giraffe, mouse",
    "8 bear, 2 goat",
    "5 goat, 5 sheep",
    "sheep, 3 dog, 4 rabbit, 2 pig",
    "3 dog, rabbit, 3 pig, 3 cat",
)
FULL_ROWS = ("cat", "2 mouse", "3 mole", "4 mole")
ONE_OF_EACH = "rabbit, pig, cat"


def mostly_known(unknown: tuple[str, ...], lacking: tuple[str, ...] | None = None) -> View:
    """Return seat 0's view of five hands with all cards known except these."""
    state = position(*FIVE, rows=FULL_ROWS)
    known = [hand - herd(cards) for hand, cards in zip(state.hands[1:], unknown, strict=True)]
    lacks = tuple(map(herd, lacking or [""] * 4))
    view = GAME.view_of(state, 0)
    return view._replace(known_herds=(0, *known), lacking_herds=(0, *lacks))


def fits(hand: int, lacking: int) -> bool:
    """Return whether a hand lacks what it must lack."""
    return not (pack_of().herd - hand - lacking) & GUARDS


def deals(view: View) -> Iterator[tuple[int, ...]]:
    """Deal the unseen cards in every way that fits, treating all cards as different."""
    unseen = animals_in(view.unseen_herd)
    others = [seat for seat in view.players if seat != view.seat]

    def deal(index: int, left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if index == len(others):
            yield ()
            return
        known = view.known_herds[others[index]]
        for chosen in combinations(left, 10 - size_of(known)):
            hand = known + sum(ONE[unseen[at]] for at in chosen)
            if fits(hand, view.lacking_herds[others[index]]):
                rest = tuple(at for at in left if at not in chosen)
                yield from ((hand, *more) for more in deal(index + 1, rest))

    yield from deal(0, tuple(range(len(unseen))))


def assert_even(view: View, draws: int) -> None:
    """Sample worlds, and compare the frequency of each deal with the number of ways to get it."""
    ways = Counter(deals(view))
    assert len(ways) > 1, "there is only one deal"
    rng = Random(3)
    seen = Counter(tuple(GAME.world(view, rng).hands[1:]) for _ in range(draws))
    assert set(seen) <= set(ways)
    total = sum(ways.values())
    expected = {hands: draws * number / total for hands, number in ways.items()}
    surprise = sum((seen[hands] - each) ** 2 / each for hands, each in expected.items())
    # Chi-square with n - 1 degrees of freedom: mean n - 1, deviation sqrt(2(n - 1)).
    assert surprise < len(ways) - 1 + 5 * (2 * len(ways)) ** 0.5


@pytest.mark.parametrize(
    "unknown",
    [
        ("goat", "goat, sheep", "dog, pig", "dog"),
        ("2 bear", "goat, sheep", "", "dog, cat"),
        ("bear", "", "", "pig"),
    ],
    ids=str,
)
def test_every_deal_of_the_unseen_cards_is_equally_likely(unknown: tuple[str, ...]) -> None:
    assert_even(mostly_known(unknown), draws=6_000)


@pytest.mark.parametrize(
    ("unknown", "lacking"),
    [
        (("bear", "sheep", "dog, sheep", "rabbit, dog"), (ONE_OF_EACH,) * 4),
        (("bear", "goat", "rabbit, dog", "rabbit, cat"), ("", "", "2 rabbit", ONE_OF_EACH)),
        (("bear", "goat", "rabbit, dog", "pig, cat"), ("", "", "", "rabbit, 2 pig, 2 cat")),
        (("goat", "", "rabbit", "pig, cat"), ("pig, 4 rabbit", "", "rabbit", "2 pig, 2 cat")),
    ],
    ids=str,
)
def test_every_deal_that_fits_what_hands_lack_is_equally_likely(
    unknown: tuple[str, ...], lacking: tuple[str, ...]
) -> None:
    view = mostly_known(unknown, lacking)
    assert len(set(deals(view))) < len(set(deals(mostly_known(unknown)))), "nothing is barred"
    assert_even(view, draws=6_000)


def test_unused_cards_are_dealt_as_evenly_as_those_in_hands() -> None:
    hands = ("9 giraffe, mouse", "8 bear, 2 goat", "5 goat, 5 sheep")
    view = GAME.view_of(position(*hands, rows=FULL_ROWS), 0)
    known = (0, herd("8 bear, goat"), herd("5 goat, 4 sheep"))
    assert_even(view._replace(known_herds=known), draws=6_000)


def after(start: LifeIsLifeState, hands: list[int], actions: list[str]) -> list[int] | None:
    """Return the hands after these actions, or None if they are not all legal."""
    state = start.copy()
    state.hands = hands
    try:
        play(state, *actions)
    except IllegalAction:
        return None
    return state.hands if state.round == start.round else None


@pytest.mark.parametrize(
    "history",
    [
        "1 giraffe / 1 bear / 1 goat / 1 dog / 1 pig",
        "1 giraffe / 1 bear / 1 goat / 1 rabbit / 1 pig",
        "1 giraffe / 1 bear / 1 goat / 1 dog / 1 pig / 1 giraffe / 1 goat / 1 sheep / 1 rabbit",
        "1 mouse / 1 bear / 1 goat / 2 rabbit sheep / 1 dog / 2 giraffe cat / 2 bear goat",
    ],
    ids=str,
)
def test_worlds_are_exactly_the_deals_that_the_rounds_history_allows(history: str) -> None:
    actions = history.split(" / ")
    start = position(*FIVE, rows=FULL_ROWS)
    unknown = ("bear", "goat", "2 dog, sheep", "rabbit, dog")
    known = [hand - herd(cards) for hand, cards in zip(start.hands[1:], unknown, strict=True)]
    nothing = [0] * 5
    start.knowledge = Knowledge(
        start.deadly, start.next_seat, [0, *known], nothing, start.rows.copy(), start.to_act
    )
    before = GAME.view_of(start, 0)
    histories = [after(start, [start.hands[0], *deal], actions) for deal in set(deals(before))]
    possible = {tuple(hands) for hands in histories if hands}
    view = GAME.view_of(play(start, *actions), 0)
    rng = Random(1)
    assert {tuple(GAME.world(view, rng).hands) for _ in range(3_000)} == possible


@given(
    seed=st.integers(0, 10_000),
    seats=st.integers(3, 5),
    expert=st.booleans(),
    turns=st.integers(0, 150),
    cap=st.sampled_from([2, 60]),
)
def test_no_seat_can_tell_its_world_from_the_truth(
    seed: int, seats: int, expert: bool, turns: int, cap: int
) -> None:
    parameters = Parameters(expert=expert, turn_cap=cap)
    state = GAME.start(seats, seed_from(seed), parameters)
    rng = Random(seed)
    while not state.is_over and turns:
        state.apply(state.random_action(rng))
        turns -= 1
    for seat in range(seats):
        view = GAME.view_of(state, seat)
        world = GAME.world(view, rng)
        assert GAME.view_of(world, seat) == view
        assert world.inventory() == state.inventory()
        assert world.legal_actions() == state.legal_actions() or seat != state.to_act
        for each in state.players:
            for hand in (state.hands[each], world.hands[each]):
                assert size_of(hand) == 10
                assert not (hand - view.known_herds[each]) & GUARDS
                assert fits(hand, view.lacking_herds[each])


def test_worlds_of_a_finished_match_fill_in_the_hands_that_were_not_shown() -> None:
    rows = ("cat", "2 mouse", "3 mole", "4 mole")
    hands = ("3 cat, 7 giraffe", "8 bear, 2 goat", "5 goat, 5 sheep")
    state = play(position(*hands, rows=rows, lives=(1, 1, 1)), "1 giraffe")
    assert state.is_over
    view = GAME.view_of(state, 2)
    world = GAME.world(view, Random(1))
    assert GAME.view_of(world, 2) == view
    assert world.hands[0] == state.hands[0]
    assert size_of(world.hands[1]) == 10
    assert world.outcome() == state.outcome()


def test_an_impossible_view_is_refused() -> None:
    view = mostly_known(("bear", "", "rabbit", ""), ("", "", "2 rabbit", ""))
    impossible = view._replace(lacking_herds=(0, *map(herd, ("5 rabbit", "", "2 rabbit", ""))))
    with pytest.raises(BadInput, match="no state fits this view"):
        GAME.world(impossible, Random(1))


def test_later_rounds_are_fresh_in_every_world() -> None:
    state = GAME.start(4, bytes(32))
    rng = Random(1)
    next_deals = set()
    for _ in range(5):
        world = GAME.redeal(state, 0, rng)
        while world.round == 0:
            world.apply(world.random_action(rng))
        next_deals.add((tuple(world.rows), tuple(world.hands)))
    assert len(next_deals) == 5
