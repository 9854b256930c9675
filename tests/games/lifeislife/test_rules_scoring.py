"""Sudden death, majorities and lives in Life is Life: clauses 5 to 9."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.lifeislife.cards import VALUES, count_of
from arena.games.lifeislife.events import Scored, SuddenDeath, WentOut
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.scoring import costs_of, totals_of
from arena.games.outcome import Ending
from tests.games.lifeislife.positions import THREE, herd, knock_out, last, play, position

rules = pytest.mark.rules
EXPERT = Parameters(expert=True)


def near(animals: str) -> tuple[str, str, str]:
    """Return three hands; the first has these animals and needs one more for a set."""
    return (f"{animals}, 3 giraffe, 3 bear", THREE[1], THREE[2])


@rules(5)
@pytest.mark.parametrize(
    ("held", "single"), [("3 cat, mole", "cat"), ("4 rabbit", "rabbit"), ("4 pig", "pig")]
)
def test_a_swap_that_completes_a_set_costs_the_others_a_life(held: str, single: str) -> None:
    rows = (single, "mole, goat", "3 dog", "4 mole")
    state = play(position(*near(held), rows=rows), "1 giraffe")
    event = last(state, SuddenDeath)
    assert (event.seat, event.gained, event.lost) == (0, 0, (0, 1, 1))
    assert count_of(event.hand, 0) == 2
    assert (state.lives, state.round) == ([5, 4, 4], 1)
    assert not [each for each in state.events or [] if isinstance(each, Scored)]


@rules(5)
@pytest.mark.parametrize("incomplete", ["2 cat", "3 rabbit", "3 pig", "2 mouse"])
def test_an_incomplete_set_and_all_mice_have_no_effect(incomplete: str) -> None:
    name = incomplete.split()[1]
    hands = (f"{incomplete}, 3 giraffe, 3 bear, 2 mole", THREE[1], THREE[2])
    rows = (name, "mole, goat", "dog, 2 mole", "sheep, dog, mole, goat")
    state = play(position(*hands, rows=rows), "1 mole")
    assert (state.lives, state.round, state.to_act) == ([5, 5, 5], 0, 1)


@rules(5)
def test_a_sudden_death_in_the_last_lap_costs_the_knocker_a_life_too() -> None:
    hands = (THREE[1], f"{THREE[2]}", "4 pig, 3 giraffe, 3 bear")
    state = position(*hands, rows=("pig", "mole, goat", "3 mole", "2 mole, 2 cat"), turn=3)
    play(state, "knock", "knock", "1 bear")
    assert (state.lives, state.round) == ([4, 4, 5], 1)
    assert not [each for each in state.events or [] if isinstance(each, Scored)]


@rules(5)
def test_a_dealt_set_counts_only_after_its_holders_own_swap() -> None:
    hands = (THREE[1], "5 pig, 3 giraffe, 2 mole", THREE[2])
    rows = ("mouse", "mole, goat", "dog, rabbit, mole", "sheep, cat, cat, mouse")
    state = play(position(*hands, rows=rows), "1 bear")
    assert state.round == 0
    play(state, "1 giraffe")
    assert (state.lives, state.round) == ([4, 5, 4], 1)


@rules(5)
def test_a_dealt_set_that_its_holder_breaks_up_has_no_effect() -> None:
    hands = (THREE[1], "5 pig, 3 giraffe, 2 mole", THREE[2])
    rows = ("mouse", "mole, goat", "dog, rabbit, mole", "sheep, cat, cat, mouse")
    state = play(position(*hands, rows=rows), "1 bear", "1 pig")
    assert (state.lives, state.round) == ([5, 5, 5], 0)


@rules(5, 12)
def test_a_sudden_death_in_the_very_last_turn_comes_before_scoring() -> None:
    state = position(*near("4 pig"), rows=("pig", "mole, goat", "3 dog", "4 mole"), turn=179)
    play(state, "1 bear")
    assert last(state, SuddenDeath).seat == 0
    assert state.lives == [5, 4, 4]


@rules(6)
def test_in_the_expert_game_four_cats_have_no_effect() -> None:
    rows = ("cat", "mole, goat", "3 dog", "4 mole")
    state = play(position(*near("3 cat, mole"), rows=rows, parameters=EXPERT), "1 giraffe")
    assert (state.lives, state.round, state.to_act) == ([5, 5, 5], 0, 1)


@rules(6)
@pytest.mark.parametrize(("held", "single"), [("4 rabbit", "rabbit"), ("4 pig", "pig")])
def test_in_the_expert_game_the_holder_gains_a_life_even_beyond_five(
    held: str, single: str
) -> None:
    rows = (single, "mole, goat", "3 dog", "4 mole")
    state = play(position(*near(held), rows=rows, parameters=EXPERT), "1 giraffe")
    assert last(state, SuddenDeath).gained == 1
    assert state.lives == [6, 4, 4]


@rules(7)
def test_giraffes_4_3_1_give_nine_points_to_the_first_only() -> None:
    hands = [herd("4 giraffe"), herd("3 giraffe"), herd("giraffe")]
    assert totals_of(hands) == [9, 0, 0]


@rules(7)
def test_a_third_player_who_is_out_does_not_make_it_three() -> None:
    hands = ("9 giraffe, mouse", "", "8 bear, 2 mole")
    rows = ("pig", "2 goat", "3 dog", "4 sheep")
    state = knock_out(position(*hands, rows=rows, lives=(5, 0, 5)))
    assert last(state, Scored).totals == (9, 0, 15)


@rules(7)
@given(
    hands=st.lists(st.lists(st.integers(0, 3), min_size=10, max_size=10), min_size=2, max_size=5)
)
def test_totals_agree_with_counting_animal_by_animal(hands: list[list[int]]) -> None:
    packed = [sum(number << 5 * animal for animal, number in enumerate(hand)) for hand in hands]
    totals = [0] * len(hands)
    for animal, value in enumerate(VALUES):
        counts = [hand[animal] for hand in hands]
        most = max(counts)
        if counts.count(most) == 1 and (most > 1 or len(hands) > 2):
            totals[counts.index(most)] += value
    assert totals_of(packed) == totals


@rules(8)
@pytest.mark.parametrize(
    ("totals", "costs"),
    [
        ([15, 13, 10, 7, 7], [0, 1, 1, 2, 2]),
        ([9, 9, 4], [0, 0, 2]),
        ([9, 4], [0, 2]),
        ([9, 4, 4], [0, 2, 2]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        ([20, 20], [0, 0]),
        ([3, 8, 8, 5], [2, 0, 0, 1]),
    ],
    ids=str,
)
def test_the_highest_lose_nothing_the_lowest_two_all_others_one(
    totals: list[int], costs: list[int]
) -> None:
    assert costs_of(totals) == costs


@rules(8)
def test_a_scored_round_costs_lives_and_its_points_are_forgotten() -> None:
    # Giraffes and moles: 16; goats, the bears being shared: 7; sheep and dogs: 12.
    state = knock_out(position(*THREE))
    event = last(state, Scored)
    assert (event.totals, event.lost) == ((16, 7, 12), (0, 2, 1))
    assert (state.lives, state.round) == ([5, 3, 4], 1)
    hands = tuple(state.hands)
    totals = tuple(totals_of(hands))
    assert last(knock_out(state), Scored).totals == totals


@rules(9)
def test_lives_stop_at_zero_and_the_player_is_out_at_once() -> None:
    state = knock_out(position(*THREE, lives=(2, 1, 3)))
    assert last(state, Scored).lost == (0, 1, 1)
    assert last(state, WentOut).seat == 1
    assert (state.lives, state.players, state.hands[1]) == ([2, 0, 2], (0, 2), 0)


@rules(9)
def test_the_last_living_player_wins_and_the_match_is_over() -> None:
    state = knock_out(position(*THREE, lives=(1, 2, 1)))
    assert state.is_over
    assert state.outcome() == ((1, 2, 2), (1, 0, 0), Ending.PLAYED_OUT)
    assert state.legal_actions() == []


@rules(5, 9)
def test_a_sudden_death_can_end_the_match() -> None:
    rows = ("pig", "mole, goat", "3 dog", "4 mole")
    state = play(position(*near("4 pig"), rows=rows, lives=(1, 1, 1)), "1 bear")
    assert state.is_over
    assert state.outcome().places == (1, 2, 2)


@rules(9)
@given(totals=st.lists(st.integers(0, 60), min_size=2, max_size=5))
def test_scoring_always_spares_a_player(totals: list[int]) -> None:
    assert 0 in costs_of(totals)
