"""Dealing, swapping and knocking in Life is Life: clauses 1 to 4."""

from __future__ import annotations

import pytest

from arena.errors import IllegalAction
from arena.games.lifeislife import GAME
from arena.games.lifeislife.cards import ANIMALS, KNOCK, ONE, VALUES, pack_of, size_of
from arena.games.lifeislife.events import RoundBegan, Scored
from arena.games.randomness import seed_from
from tests.games.lifeislife.positions import (
    THREE,
    herd,
    knock_out,
    last,
    may,
    play,
    position,
)

rules = pytest.mark.rules


@rules(1)
def test_an_animal_is_worth_as_much_as_it_has_cards() -> None:
    values = "giraffe 9 bear 8 mole 7 goat 7 sheep 6 dog 6 rabbit 5 pig 5 cat 4 mouse 3"
    worth = dict(zip(ANIMALS, map(str, VALUES), strict=True))
    assert " ".join(f"{name} {value}" for name, value in worth.items()) == values
    assert [pack_of().cards.count(one) for one in ONE] == list(VALUES)
    assert len(pack_of().cards) == 60


@rules(1)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_round_deals_ten_cards_to_each_and_ten_to_the_rows(seats: int) -> None:
    state = GAME.start(seats, seed_from(1))
    assert [size_of(hand) for hand in state.hands] == [10] * seats
    assert [size_of(row) for row in state.rows] == [1, 2, 3, 4]
    assert size_of(state.unused) == 50 - 10 * seats
    assert sum(state.hands) + sum(state.rows) + state.unused == sum(pack_of().cards)
    assert state.lives == [5] * seats


@rules(1, 9)
def test_a_new_round_shuffles_all_cards_for_those_who_still_live() -> None:
    state = position(*THREE, lives=(5, 5, 1))
    before = (state.rows.copy(), state.hands.copy())
    knock_out(state)
    assert state.lives[2] == 0
    assert [size_of(hand) for hand in state.hands] == [10, 10, 0]
    assert size_of(state.unused) == 30
    assert (state.rows, state.hands) != before


@rules(2)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_seat_0_starts_and_turns_go_clockwise(seats: int) -> None:
    state = GAME.start(seats, seed_from(2))
    for turn in range(2 * seats):
        assert state.to_act == turn % seats
        # The first legal swap is for a single card; with this seed it never completes a set.
        state.apply(state.legal_actions()[0])


@rules(2)
@pytest.mark.parametrize(
    ("starter", "lives", "next_starter"),
    [
        (0, (5, 5, 5), 1),
        (1, (5, 5, 5), 2),
        (2, (5, 5, 5), 0),
        (2, (5, 5, 1), 0),
        (1, (5, 5, 1), 0),
    ],
    ids=["first", "second", "around", "the starter goes out", "the next one goes out"],
)
def test_the_next_living_seat_after_the_last_starter_starts(
    starter: int, lives: tuple[int, ...], next_starter: int
) -> None:
    state = position(*THREE, lives=lives, to_act=starter)
    state.starter = starter
    knock_out(state)
    assert state.starter == state.to_act == next_starter
    assert last(state, RoundBegan).starter == next_starter


@rules(2, 9)
def test_turns_skip_players_who_are_out() -> None:
    state = position(THREE[0], "", THREE[1], "", THREE[2])
    seats = []
    for _ in range(6):
        seats.append(state.to_act)
        state.apply(state.legal_actions()[0])
    assert seats == [0, 2, 4, 0, 2, 4]


@rules(3)
def test_a_swap_lays_cards_and_takes_the_whole_row() -> None:
    state = play(position(*THREE), "3 giraffe giraffe mole")
    assert state.hands[0] == herd("2 giraffe, 3 bear, 2 mole, dog, rabbit, pig")
    assert state.rows[2] == herd("2 giraffe, mole")
    assert [size_of(row) for row in state.rows] == [1, 2, 3, 4]
    assert state.to_act == 1


@rules(3)
@pytest.mark.parametrize(
    "action",
    ["1 mouse", "2 mole goat", "3 dog rabbit pig", "4 sheep cat cat mouse"],
    ids=["row 1", "row 2", "row 3", "row 4"],
)
def test_no_row_can_be_swapped_for_the_same_animals(action: str) -> None:
    hand = "mole, goat, dog, rabbit, pig, sheep, 2 cat, mouse, bear"
    state = position(hand, THREE[0], THREE[1])
    before = state.truth()
    assert not may(state, action)
    with pytest.raises(IllegalAction, match="the row has exactly these animals"):
        play(state, action)
    assert state.truth() == before


@rules(3)
@pytest.mark.parametrize(
    "action", ["1 cat", "2 mole pig", "4 mole mole mole mole", "3 goat giraffe bear"]
)
def test_laid_cards_come_from_the_hand(action: str) -> None:
    state = position(*THREE)
    before = state.truth()
    assert not may(state, action)
    with pytest.raises(IllegalAction, match="the cards are not all in its hand"):
        play(state, action)
    assert state.truth() == before


@rules(3)
@pytest.mark.parametrize(
    ("hand", "rows"),
    [
        ("9 giraffe, bear", ("bear", "2 bear")),
        ("9 giraffe, bear", ("cat", "2 bear")),
        ("8 giraffe, 2 bear", ("giraffe", "2 bear")),
        ("8 giraffe, 2 bear", ("bear", "giraffe, bear")),
        ("7 goat, 3 mouse", ("cat", "2 cat")),
    ],
    ids=str,
)
def test_there_is_always_a_choice_of_swaps(hand: str, rows: tuple[str, str]) -> None:
    others = ("6 sheep, 4 dog", "5 rabbit, 5 pig")
    state = position(hand, *others, rows=(*rows, "3 mole", "4 mole"))
    assert {"1", "2"} <= {GAME.action_text(action)[0] for action in state.legal_actions()}
    assert state.only_action() is None


@rules(4)
def test_no_player_may_knock_before_swapping_in_the_same_round() -> None:
    state = position(*THREE)
    for swap in ("1 mole", "1 goat", "1 sheep"):
        assert not may(state, "knock")
        with pytest.raises(IllegalAction, match="may not knock: it has not swapped"):
            play(state, "knock")
        play(state, swap)
    assert may(state, "knock")
    play(state, "knock", "knock", "knock")
    assert state.round == 1
    assert not may(state, "knock")


@rules(4)
def test_a_knock_gives_everyone_else_one_more_turn_to_swap_or_pass() -> None:
    state = position(*THREE, turn=3)
    play(state, "1 bear", "knock")
    assert (state.knocker, state.to_act) == (1, 2)
    play(state, "1 dog")
    assert state.to_act == 0
    play(state, "knock")
    assert state.round == 1
    assert last(state, Scored).hands[2] == herd("1 giraffe, 3 bear, 4 sheep, 2 dog")


@rules(4)
def test_a_pass_in_the_last_lap_does_not_make_it_longer() -> None:
    state = play(position(*THREE, turn=3), "knock", "knock")
    assert (state.knocker, state.round) == (0, 0)
    play(state, "knock")
    assert state.round == 1


@rules(4)
def test_everyone_has_swapped_before_the_last_lap_can_begin() -> None:
    state = GAME.start(5, seed_from(4))
    while not state.is_legal(KNOCK):
        state.apply(state.legal_actions()[0])
    assert all(GAME.view_of(state, 0).has_swapped)
