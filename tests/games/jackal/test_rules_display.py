"""The display of Jackal & High: clauses 1 to 3 and 17."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.games.jackal import GAME
from arena.games.jackal.cards import LUCKY8, TAKE2
from arena.games.jackal.events import MatchEnded, RoundBegan, ValleyOpened
from arena.games.jackal.parameters import Parameters
from arena.games.outcome import Ending
from arena.games.randomness import seed_from
from tests.games.jackal.positions import (
    begin_second_round,
    cards,
    do,
    events_of,
    position,
    settle_round,
)

rules = pytest.mark.rules


@rules(1)
def test_there_are_35_cards_and_three_dice_for_each_seat() -> None:
    inventory = GAME.start(3, seed_from(1)).inventory()
    counts = Counter(inventory[:35])
    assert inventory[35:] == (3, 3, 3)
    assert [counts[number] for number in range(1, 8)] == [2] * 7
    assert [counts[number] for number in range(9, 22)] == [1] * 13
    assert (counts[LUCKY8], counts[TAKE2]) == (4, 4)


@rules(1)
def test_the_match_begins_with_a_random_pack_card_in_the_valley_and_the_rest_shuffled() -> None:
    states = [GAME.start(2, seed_from(number), recording=True) for number in range(300)]
    valleys = {state.valley for state in states}
    assert valleys == {*range(1, 8), *range(9, 22)}
    assert all(events_of(state, ValleyOpened) == [(state.valley,)] for state in states)
    assert len({tuple(state.deck) for state in states}) == 300


@rules(2)
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_display_has_one_stack_more_than_seats(seats: int) -> None:
    state = GAME.start(seats, seed_from(1))
    assert len(state.cards) == len(state.under) == seats + 1


@rules(2)
def test_new_cards_are_laid_from_left_to_right() -> None:
    assert begin_second_round("", "5 9 2 7").cards == (5, 9, 2)


@rules(2)
def test_what_remains_moves_to_the_left_and_new_stacks_follow_on_the_right() -> None:
    state = settle_round("5 9 12", "1:5 2:1 3:1", "2:1 2:1 3:1", deck="3 4", starter=1)
    assert state.cards == (9, 12, 3)
    assert state.deck == [4]


@rules(2)
def test_a_take2_is_covered_until_a_pack_card_or_a_lucky8_lies_on_top() -> None:
    state = begin_second_round("", "Take2 Take2 5 Take2 Lucky8 9 11")
    assert state.cards == (5, LUCKY8, 9)
    assert state.under == (2, 1, 0)
    assert state.deck == [11]


@rules(2)
def test_a_second_lucky8_leaves_the_game_and_the_next_card_takes_its_place() -> None:
    state = begin_second_round("", "Lucky8 Take2 Lucky8 Take2 Lucky8 6 Lucky8 3 4")
    assert state.cards == (LUCKY8, 6, 3)
    assert state.under == (0, 2, 0)
    assert (state.gone, state.deck) == (3, [4])


@rules(2)
def test_a_lucky8_left_from_an_earlier_round_counts() -> None:
    state = begin_second_round("9 Lucky8", "Lucky8 13 4")
    assert state.cards == (9, LUCKY8, 13)
    assert state.gone == 1


@rules(2)
def test_a_lucky8_may_come_again_once_the_first_is_won() -> None:
    state = settle_round("Lucky8 9 21", "1:8 2:2 2:2", "1:1 2:2 3:1", deck="Lucky8 3 4 5")
    assert do(state, "order 1 2").cards == (LUCKY8, 3, 4)


@rules(2, 16)
def test_all_cards_drawn_for_the_display_are_public() -> None:
    state = begin_second_round("Lucky8", "Take2 Lucky8 6 7")
    drawn = cards("Take2 Lucky8 6 7")
    assert events_of(state, RoundBegan) == [(1, 1, drawn, (LUCKY8, 6, 7), (0, 1, 0))]


@rules(3)
def test_the_match_ends_when_the_deck_cannot_complete_the_display() -> None:
    state = begin_second_round("5", "9", piles=("3", "4"))
    assert state.is_over
    assert state.outcome() == ((2, 1), (1, 1), Ending.PLAYED_OUT)
    assert events_of(state, MatchEnded) == [(Ending.PLAYED_OUT, (9,))]


@rules(3)
@pytest.mark.parametrize("deck", ["Take2", "Take2 Take2", "Take2 Lucky8", "Lucky8", "Lucky8 Take2"])
def test_an_open_take2_and_a_lucky8_too_many_complete_nothing(deck: str) -> None:
    assert begin_second_round("9 Lucky8", deck).is_over


@rules(3)
def test_display_and_valley_count_for_no_one_at_the_end() -> None:
    state = begin_second_round("21 20", "Take2", valley="19", piles=("1", "2"), under=(1, 1))
    before = position("21 20", "-", "-", deck="Take2", valley="19", piles=("1", "2"), under=(1, 1))
    assert state.outcome().scores == (1, 1)
    assert state.inventory() == before.inventory()


@rules(3)
def test_with_no_stack_missing_a_round_is_played_from_an_empty_deck() -> None:
    state = begin_second_round("9 10 11", "")
    assert not state.is_over
    assert state.round == 1


@rules(17)
def test_after_the_last_round_the_match_ends_before_the_refill() -> None:
    capped = Parameters(round_cap=1)
    state = settle_round(
        "5 9 12", "1:5 2:1 3:1", "2:1 2:1 3:1", deck="3 4", valley="7", parameters=capped
    )
    assert state.is_over
    assert (state.cards, state.deck) == ((9, 12), [4, 3])
    assert state.outcome().ending is Ending.LENGTH_CAP
    assert events_of(state, MatchEnded) == [(Ending.LENGTH_CAP, ())]


@rules(17)
def test_the_cap_comes_first_even_when_the_deck_has_run_out_too() -> None:
    state = begin_second_round("9", "", parameters=Parameters(round_cap=1))
    assert state.outcome().ending is Ending.LENGTH_CAP


@rules(17)
def test_below_the_cap_rounds_go_on() -> None:
    assert not begin_second_round("9", "3 4", parameters=Parameters(round_cap=2)).is_over
    assert Parameters().round_cap == 200
