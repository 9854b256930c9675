"""Turns, trios and wins in Trio: clauses 3 to 8 and 15."""

from __future__ import annotations

import pytest

from arena.errors import IllegalAction
from arena.games.randomness import seed_from
from arena.games.trio import GAME
from arena.games.trio.parameters import Mode
from tests.games.trio.positions import event_texts, legal, play, position


@pytest.mark.rules(3, 6)
def test_two_different_numbers_end_the_turn_and_go_back() -> None:
    # The sheet's first example: Daniele's lowest is a 3, Anna's a 2.
    state = position("5 6 7", "2 2 9", "8 9 10", "3 4 11", centre="2 1")
    play(state, "low 3, low 1")
    assert state.to_act == 1
    assert state.hands == [[5, 6, 7], [2, 2, 9], [8, 9, 10], [3, 4, 11]]
    assert event_texts(state)[-1] == "returned seat=0"


@pytest.mark.rules(3, 4, 6)
def test_three_equal_cards_are_taken_and_end_the_turn() -> None:
    # The sheet's second example: a 2 of the centre and Anna's own lowest, twice.
    state = position("5 6 7", "2 2 9", "8 9 10", "3 4 11", centre="2 1", turn=1)
    play(state, "centre 0, low 1, low 1")
    assert state.piles[1] == (2,)
    assert state.hands[1] == [9]
    assert state.centre == [0, 1]
    assert state.to_act == 2
    assert event_texts(state)[-1] == "taken seat=1 number=2"


@pytest.mark.rules(3)
def test_a_player_may_not_stop_while_the_cards_match() -> None:
    state = play(position("1 1 4", "1 5 6", "7 8 9", turn=2), "low 0, low 1")
    assert state.to_act == 2
    assert len(state.legal_actions()) == 6


@pytest.mark.rules(3, 15)
def test_turns_go_round_from_seat_0() -> None:
    state = GAME.start(3, seed_from(4))
    assert state.to_act == 0
    state = position("1 2 3", "4 5 6", "7 8 9")
    seats = []
    for _ in range(4):
        seats.append(state.to_act)
        play(state, "low 0, high 2")
    assert seats == [0, 1, 2, 0]


@pytest.mark.rules(4)
def test_any_hand_can_be_asked_for_either_end() -> None:
    state = position("1 2 3", "4 5 6", "7 8 9", centre="11 12")
    assert legal(state) == "centre 0, centre 1, low 0, high 0, low 1, high 1, low 2, high 2"
    play(state, "high 0, low 0")
    assert [event.split()[-1] for event in event_texts(state)[:2]] == ["number=3", "number=1"]


@pytest.mark.rules(4)
def test_asking_again_shows_the_next_card() -> None:
    state = play(position("1 1 9", "3 5 5 5", "7 8 9"), "high 1, high 1, high 1")
    assert state.piles[0] == (5,)
    assert state.hands[1] == [3]
    state = play(position("1 1 9", "3 5 5 5", "7 8 9"), "low 0, low 0, low 0")
    assert event_texts(state)[-2:] == ["revealed seat=0 place=low-0 number=9", "returned seat=0"]


@pytest.mark.rules(4, 6)
def test_both_ends_of_one_hand_can_make_a_trio() -> None:
    state = play(position("1 2 3", "6 6 6", "7 8 9"), "low 1, high 1, low 1")
    assert state.piles[0] == (6,)
    assert state.hands[1] == []


@pytest.mark.rules(5)
def test_a_face_up_or_empty_slot_cannot_be_chosen() -> None:
    state = play(position("4 5 9", "4 5 9", "5 8 9", centre="4 4 1", turn=2), "centre 0")
    with pytest.raises(IllegalAction, match="may not turn up centre 0: that card is face up"):
        play(state, "centre 0")
    play(state, "centre 1, low 1")
    with pytest.raises(IllegalAction, match="may not turn up centre 1: that slot is empty"):
        play(state, "centre 1")


@pytest.mark.rules(5)
def test_a_hand_with_one_face_down_card_is_asked_for_its_lowest_only() -> None:
    state = play(position("4 4", "4 5 9", "5 8 9"), "high 0")
    assert legal(state).startswith("low 0, low 1")
    with pytest.raises(IllegalAction, match="seat 0 has one card to turn up: its lowest"):
        play(state, "high 0")
    play(state, "low 0")
    assert legal(state).startswith("low 1")
    with pytest.raises(IllegalAction, match="all cards of seat 0 are face up"):
        play(state, "low 0")
    play(state, "high 1")
    assert legal(state).startswith("low 0, high 0")


@pytest.mark.rules(5)
def test_an_empty_hand_cannot_be_asked() -> None:
    state = position("", "3", "5 8 9")
    assert legal(state) == "low 1, low 2, high 2"
    with pytest.raises(IllegalAction, match="seat 0 has no cards"):
        play(state, "low 0")


@pytest.mark.rules(6)
def test_emptied_slots_stay_where_they_are() -> None:
    state = play(position("1 2", "3 5", "8 9", centre="7 4 4 4 6"), "centre 1, centre 2, centre 3")
    assert state.centre == [7, 0, 0, 0, 6]
    assert legal(state).startswith("centre 0, centre 4, low 0")


@pytest.mark.rules(7)
def test_a_player_without_cards_plays_on() -> None:
    state = position("", "3 3 5", "8 9", centre="3 1")
    play(state, "low 1, low 1, centre 0")
    assert state.piles[0] == (3,)
    play(state, "low 1, low 2, low 1, low 2")
    assert state.to_act == 0
    assert not state.is_over


@pytest.mark.rules(7)
def test_the_last_three_cards_can_still_be_turned_up() -> None:
    state = position("", "7", "7 7", piles=["1 2", "3 4", "5 6"])
    for expected in ("low 1, low 2, high 2", "low 1, low 2", "low 1"):
        assert legal(state) == expected
        state.apply(state.legal_actions()[-1])
    assert state.outcome().places == (1, 2, 2)


@pytest.mark.rules(8)
def test_three_trios_win_the_simple_mode() -> None:
    state = position("4 4 4", "1 2", "8 9", piles=["1", "2 3", "5"])
    assert not play(state.copy(), "low 0, low 0, low 0").is_over
    state = position("4 4 4", "1 2", "8 9", piles=["1 2", "2 3", "5"])
    assert play(state, "low 0, low 0, low 0").is_over


@pytest.mark.rules(8)
@pytest.mark.parametrize("mode", list(Mode))
def test_the_sevens_win_at_once(mode: Mode) -> None:
    state = play(position("7 7 7 9", "1 2", "8 9", mode=mode), "low 0, low 0, low 0")
    assert state.is_over
    assert state.outcome().places == (1, 2, 2)


@pytest.mark.rules(8)
@pytest.mark.parametrize("had", range(1, 13))
def test_spicy_is_won_by_two_numbers_that_sum_to_7_or_differ_by_7(had: int) -> None:
    connected = "1-6 1-8 2-5 2-9 3-4 3-10 4-11 5-12"
    for number in range(1, 13):
        if number in (had, 7) or had == 7:
            continue
        hand = f"{number} {number} {number}"
        state = position(hand, "1 2", "8 9", piles=[str(had)], mode=Mode.SPICY)
        play(state, "low 0, low 0, low 0")
        pair = f"{min(had, number)}-{max(had, number)}"
        assert state.is_over == (pair in connected.split())


@pytest.mark.rules(8)
def test_only_the_taker_can_win() -> None:
    state = position("4 4 4", "1 2", "8 9", piles=["", "3"], mode=Mode.SPICY)
    assert not play(state, "low 0, low 0, low 0").is_over
    state = position("9", "4 4 4", "8 9", piles=["1 2", "3"], turn=2)
    assert not play(state, "low 1, low 1, low 1").is_over
