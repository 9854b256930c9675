"""Awarding the stacks of Jackal & High: clauses 8 to 11, 13 and 19."""

from __future__ import annotations

import pytest

from arena.errors import IllegalAction
from arena.games.jackal import GAME
from arena.games.jackal.cards import LUCKY8
from arena.games.jackal.events import CardsOrdered, DiceCollected, DuelRolled, StackWon
from tests.games.jackal.positions import do, events_of, legal, position, settle_round

rules = pytest.mark.rules


@rules(8)
def test_dice_that_miss_the_number_go_to_the_valley() -> None:
    state = settle_round("Lucky8 9 5", "1:7 2:4+5", "3:2+3 valley:1")
    assert events_of(state, DiceCollected) == [((1, 1),)]


@rules(8)
def test_on_each_stack_a_seats_dice_are_summed_by_themselves() -> None:
    state = settle_round("9 9 9", "1:4 2:5 3:1", "1:5 2:4 3:8")
    assert events_of(state, DiceCollected) == [((3, 3),)]
    assert state.cards == (9, 9, 9)


@rules(9)
def test_a_stack_met_by_one_seat_alone_is_won_without_a_roll() -> None:
    state = settle_round("5 9 21", "1:5 2:1+1", "1:4 2:1+1")
    assert events_of(state, DuelRolled) == []
    assert events_of(state, StackWon) == [(0, 1, 5, 0, False)]


@rules(9)
def test_the_highest_sum_wins_a_duel() -> None:
    duel = {"duel 0 1 0": {0: (1, 2), 1: (4,)}}
    state = settle_round("1 6 21", "2:3+3 3:1", "2:6 3:1+1", contests=duel)
    assert events_of(state, StackWon) == [(1, 2, 6, 0, False)]
    assert events_of(state, DuelRolled) == [(2, 0, (1, 2)), (2, 1, (4,))]


@rules(9, 10)
def test_the_sheets_duel_with_equal_sums_goes_to_fewer_dice() -> None:
    duel = {"duel 0 0 0": {0: (7,), 1: (3, 4)}}
    state = settle_round("6 21 21", "1:6 2:1+1", "1:2+4 2:1", under=(1, 0, 0), contests=duel)
    assert state.piles[0] == (6,)
    assert state.take2s == [1, 0]


@rules(9)
def test_only_those_still_tied_roll_again_until_one_wins() -> None:
    duel = {
        "duel 0 0 0": {0: (5,), 1: (2, 3), 2: (5,), 3: (4,)},
        "duel 0 0 1": {0: (1,), 2: (1,), 1: (8, 8), 3: (8,)},
        "duel 0 0 2": {0: (2,), 2: (3,)},
    }
    state = settle_round(
        "6 21 21 21 21", "1:6 2:1+1", "1:2+4 2:1", "1:6 2:1+1", "1:6 2:1+1", contests=duel
    )
    assert state.piles[2][0] == 6
    assert [event.seat for event in events_of(state, DuelRolled)] == [0, 1, 2, 3, 0, 2, 0, 2]


@rules(9)
def test_duels_go_from_left_to_right_and_clockwise_from_the_starter() -> None:
    duels = {"duel 1 0 0": {0: (2,), 2: (3,)}, "duel 1 2 0": {1: (3,), 2: (2,)}}
    state = settle_round(
        "6 21 4 21", "1:6 2:1+1", "3:4 2:1+1", "1:6 3:4 2:1", starter=1, contests=duels
    )
    rolls = [(event.stack, event.seat) for event in events_of(state, DuelRolled)]
    assert rolls == [(1, 2), (1, 0), (3, 1), (3, 2)]
    assert [(event.seat, event.card) for event in events_of(state, StackWon)] == [(2, 6), (1, 4)]


@rules(10)
def test_the_winner_gets_the_take2_cards_of_the_stack() -> None:
    state = settle_round("5 9 21", "1:5 2:1+1", "2:4+5 1:1", under=(2, 1, 1), take2s=(1, 0))
    assert state.take2s == [3, 1]
    assert state.under[0] == 1


@rules(10)
def test_stacks_that_no_one_won_stay_even_a_lucky8() -> None:
    state = settle_round("5 Lucky8 21", "1:5 2:7 3:1", "2:7 1:1+1", under=(0, 2, 0), deck="3 4")
    assert state.cards == (LUCKY8, 21, 3)
    assert state.under == (2, 0, 0)
    assert state.gone == 0


@rules(10)
def test_the_lucky8_brings_every_stack_that_no_one_else_won_but_not_the_valley() -> None:
    state = settle_round(
        "5 Lucky8 21 3", "1:5 2:1+1", "2:8 1:1+1", "1:1+1 3:1", under=(0, 1, 2, 0), valley="9"
    )
    assert state.to_act == 1
    assert GAME.view_of(state, 0).spoils == ((), (21, 3), ())
    assert state.take2s == [0, 3, 0]
    assert (state.gone, state.valley, state.cards) == (1, 9, ())
    assert [(event.card, event.lucky) for event in events_of(state, StackWon)] == [
        (5, False),
        (LUCKY8, False),
        (21, True),
        (3, True),
    ]


@rules(9, 10)
def test_the_sheets_three_rivals_for_the_lucky8_play_for_all_the_rest() -> None:
    duel = {"duel 0 1 0": {0: (5,), 1: (2, 1), 2: (3, 2)}}
    state = settle_round(
        "1 Lucky8 3 4", "2:8 3:1+1", "2:3+5 4:1", "2:7+1 4:1", valley="5", contests=duel
    )
    assert state.spoils[0] == (1, 3, 4)
    assert state.gone == 1


@rules(10)
def test_the_winner_of_the_lucky8_alone_keeps_no_card_for_it() -> None:
    state = settle_round("5 4 Lucky8", "1:5 3:8 2:3", "2:4 1:1+1", valley="9")
    assert sorted(state.piles[0] + state.piles[1] + (state.valley,)) == [4, 5, 9]
    assert state.gone == 1


@rules(11)
def test_won_cards_go_on_top_of_the_pile() -> None:
    state = settle_round("5 9 21", "1:5 2:4+5", "2:1 3:1+1", piles=("3 2", "4"), valley="7")
    do(state, "order 1 2")
    assert state.piles[0] == (3, 2, 5, 9)


@rules(11)
def test_a_single_won_card_needs_no_decision() -> None:
    state = settle_round("5 9 21", "1:5 2:1+1", "2:4+5 3:1", valley="7")
    assert (state.round, state.to_act) == (1, 1)


@rules(11)
def test_orders_are_asked_clockwise_from_the_starter() -> None:
    state = settle_round(
        "5 9 2 6", "1:5 3:2 2:1", "2:4 2:3 3:1", "2:4+5 4:6", starter=1, valley="7"
    )
    assert (state.to_act, legal(state)) == (2, ["order 1 2", "order 2 1"])
    assert (do(state, "order 1 2").to_act, legal(state)) == (0, ["order 1 2", "order 2 1"])
    do(state, "order 2 1")
    assert [event.seat for event in events_of(state, CardsOrdered)] == [2, 0]


@rules(11, 12)
def test_the_order_is_made_before_the_valley_takes_the_top_card() -> None:
    state = settle_round("5 9 21", "1:5 2:4+5", "2:1 3:1+1", valley="7")
    assert (state.valley, state.round) == (7, 0)
    rolls = {0: (1,), 1: (8, 8, 8)}
    state = settle_round("2 1 21", "1:2 2:1 3:3", "3:1+1+1", valley_rolls=rolls)
    do(state, "order 2 1")
    assert (state.piles[0], state.valley) == ((1,), 2)


@rules(11, 12)
def test_take2_cards_are_never_lost() -> None:
    state = settle_round(
        "5 9 21", "1:1+1+1", "1:2+2 2:1", take2s=(2, 0), valley_rolls={0: (1, 1, 1), 1: (8, 8, 8)}
    )
    assert state.take2s == [2, 0]


@rules(19)
def test_the_last_card_named_lies_on_top_and_cards_count_as_displayed() -> None:
    state = settle_round("5 Lucky8 3 4", "2:8 1:1+1", "1:1+1 3:1", "4:1+1 3:1")
    assert state.spoils[0] == (5, 3, 4)
    assert len(legal(state)) == 6
    do(state, "ORDER 2 3  1")
    assert events_of(state, CardsOrdered) == [(0, (3, 4, 5))]
    assert (*state.piles[0], state.valley) == (3, 4, 5)


@rules(19)
@pytest.mark.parametrize(("seats", "orders"), [(2, 2), (3, 6), (4, 24), (5, 120)])
def test_a_seat_that_wins_everything_may_choose_any_order(seats: int, orders: int) -> None:
    numbers = " ".join(map(str, range(15, 15 + seats)))
    state = settle_round(f"Lucky8 {numbers}", "1:8 2:1+1", *["2:1+1+1"] * (seats - 1))
    assert len(set(legal(state))) == orders
    with pytest.raises(IllegalAction, match=f"put its {seats} won cards in order"):
        do(state, "place 1")


@rules(13)
def test_every_seat_begins_the_next_round_with_three_dice() -> None:
    state = position("21 21 21", "1:1+1", "1:2+2 valley:1", rolled=(4,), turn=1, rolls_left=2)
    view = GAME.view_of(do(state, "place 1"), 0)
    assert view.in_hand == (3, 3)
    assert view.in_valley == (0, 0)
    assert view.on_display == (((), (), ()), ((), (), ()))
