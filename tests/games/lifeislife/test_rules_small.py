"""RULES.md 15: small matches of Life is Life."""

from __future__ import annotations

from random import Random

import pytest

from arena.errors import BadParameter, IllegalAction
from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import ANIMALS, KNOCK, ROW_OF
from arena.games.lifeislife.events import Scored, SuddenDeath
from tests.games.lifeislife.positions import herd, position

rules = pytest.mark.rules

SMALL = "kinds=4 copies=2 hand=3 rows=1 lives=2"


@rules(15)
def test_a_small_match_has_fewer_animals_cards_rows_and_lives() -> None:
    state = GAME.start(2, 7, SMALL)
    assert [ANIMALS[each] for each in state.inventory()] == [
        "rabbit", "rabbit", "pig", "pig", "cat", "cat", "mouse", "mouse"
    ]  # fmt: skip
    view = GAME.view_of(state, 0)
    assert len(view.hand) == 3
    assert list(map(len, view.rows)) == [1]
    assert view.lives == (2, 2)


@rules(15)
def test_two_can_play_a_match_with_small_hands_but_no_other() -> None:
    assert GAME.seats_for(GAME.read_parameters(SMALL)) == (2,)
    assert GAME.seats_for(GAME.read_parameters("copies=4 hand=6")) == (2, 3, 4)
    with pytest.raises(BadParameter, match="cannot seat 2: it takes 3, 4, 5 players"):
        GAME.start(2, 7)


@rules(15)
def test_two_of_two_rabbits_are_a_complete_set() -> None:
    hands = ("rabbit, pig, cat", "pig, cat, mouse")
    state = position(*hands, rows=("rabbit",), parameters=GAME.read_parameters(SMALL))
    state.apply(GAME.parse_action("1 cat"))
    assert [each for each in state.events or () if isinstance(each, SuddenDeath)] == [
        SuddenDeath(0, herd("2 rabbit, pig"), 0, (0, 1))
    ]


@rules(15)
def test_an_animal_is_worth_as_many_points_as_it_has_cards() -> None:
    words = "kinds=5 copies=3 hand=4 rows=1 turn_cap=1 round_cap=1"
    hands = ("2 mouse, 2 dog", "2 rabbit, pig, cat")
    state = position(*hands, rows=("cat",), parameters=GAME.read_parameters(words))
    for action in ("1 dog", "1 cat"):
        state.apply(GAME.parse_action(action))
    scored = (state.events or [])[-1]
    assert isinstance(scored, Scored)
    assert scored.totals == (3, 3)


@rules(15)
def test_a_row_that_does_not_exist_is_refused() -> None:
    state = GAME.start(2, 7, SMALL)
    missing = next(swap for swap, row in enumerate(ROW_OF) if row == 1)
    assert not state.is_legal(missing)
    with pytest.raises(IllegalAction, match="there is one row"):
        state.apply(missing)


@rules(15)
def test_a_small_match_always_leaves_a_legal_swap() -> None:
    rng = Random(1)
    for seed in range(20):
        state = GAME.start(2, seed, "kinds=5 copies=1 hand=2 rows=1 turn_cap=5")
        while not state.is_over:
            legal = state.legal_actions()
            assert legal[0] != KNOCK
            assert (state.only_action() is None) == (len(legal) > 1)
            state.apply(state.random_action(rng))
