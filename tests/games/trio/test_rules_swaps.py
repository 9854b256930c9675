"""Swaps between partners in Trio: clauses 9 to 11 and 16."""

from __future__ import annotations

import pytest

from arena.errors import IllegalAction
from arena.games.randomness import seed_from
from arena.games.trio import GAME
from arena.games.trio.knowledge import unknown_hand
from arena.games.trio.parameters import Parameters
from arena.games.trio.state import TrioState
from tests.games.trio.positions import event_texts, legal, play, position


def four(*, swapping: bool = True, turn: int = 0) -> TrioState:
    """Make a team game of four, about to swap."""
    return position(
        "1 1 2 12", "3 4 4 12", "1 5 6 11", "4 8 9 10", teams=True, swapping=swapping, turn=turn
    )


@pytest.mark.rules(9, 16)
@pytest.mark.parametrize("seats", [4, 6])
def test_before_the_first_turn_every_seat_is_asked(seats: int) -> None:
    state = GAME.start(seats, seed_from(3), Parameters(teams=True))
    asked = []
    for _ in range(seats):
        asked.append(state.to_act)
        play(state, "keep")
    assert asked == list(range(seats))
    assert state.to_act == 0
    assert "keep" not in legal(state)


@pytest.mark.rules(9)
def test_after_a_trio_the_other_teams_are_asked() -> None:
    # The sheet's example: three 9s as the highest of Cristina, of Anna and of Alfredo himself.
    hands = ["1 2 9", "3 4", "5 6 9", "2 3 9", "4 5", "6 8"]
    state = play(position(*hands, teams=True), "high 2, high 3, high 0")
    assert state.piles == [(9,), (), ()]
    asked = []
    for _ in range(4):
        asked.append(state.to_act)
        play(state, "keep")
    assert asked == [1, 2, 4, 5]
    assert state.to_act == 1
    assert "low 0" in legal(state)


@pytest.mark.rules(9)
def test_a_turn_without_a_trio_offers_no_swap() -> None:
    state = play(four(swapping=False), "low 0, low 1")
    assert state.to_act == 1
    assert "give" not in legal(state)


@pytest.mark.rules(10)
def test_a_seat_gives_a_card_from_its_own_hand_or_keeps_all() -> None:
    state = four()
    assert legal(state) == "give 1, give 2, give 12, keep"
    with pytest.raises(IllegalAction, match="seat 0 may not give 5: it holds no 5"):
        play(state, "give 5")
    with pytest.raises(IllegalAction, match="no cards are turned up now"):
        play(state, "low 0")


@pytest.mark.rules(10, 16)
def test_cards_change_hands_when_both_partners_give() -> None:
    state = play(four(), "give 12, keep, give 1")
    assert state.hands[0] == [1, 1, 2, 12]
    play(state, "give 8")
    assert state.hands == [[1, 1, 1, 2], [3, 4, 4, 12], [5, 6, 11, 12], [4, 8, 9, 10]]
    assert event_texts(state) == [
        "settled seat=0 partner=2 swapped=yes",
        "settled seat=1 partner=3 swapped=no",
    ]


@pytest.mark.rules(10, 16)
def test_a_partner_is_asked_even_if_the_other_keeps_its_cards() -> None:
    state = play(four(), "keep, give 3")
    assert (state.to_act, legal(state)) == (2, "give 1, give 5, give 6, give 11, keep")


@pytest.mark.rules(10, 11)
def test_equal_cards_may_be_swapped() -> None:
    state = play(four(), "give 1, keep, give 1, keep")
    assert state.hands[0] == [1, 1, 2, 12]
    assert event_texts(state)[0] == "settled seat=0 partner=2 swapped=yes"
    assert GAME.view_of(state, 0).log == ((1, 1),)


@pytest.mark.rules(10)
def test_a_team_with_an_empty_hand_is_not_asked() -> None:
    hands = ["1 1 1", "3 4", "5 6", "2 3", "", "6 8"]
    state = play(position(*hands, teams=True), "low 0, low 0, low 0")
    assert state.swaps is not None
    assert state.swaps.phase == (2, 5)
    state = position("1 1 1", "3", "5", "", teams=True)
    play(state, "low 0, low 0, low 0")
    assert (state.to_act, legal(state)) == (1, "low 1, low 2")


@pytest.mark.rules(10)
def test_a_finished_match_offers_no_swap() -> None:
    state = position("7 7 7", "3", "5", "6", teams=True)
    assert play(state, "low 0, low 0, low 0").is_over
    state = position("1", "3", "5", "6 6 6", teams=True, turn_cap=1, turn=3)
    assert play(state, "low 3, low 3, low 3").is_over


@pytest.mark.rules(10, 11)
def test_pending_choices_show_in_no_other_view() -> None:
    one, other = play(four(), "give 1, give 3"), play(four(), "keep, keep")
    for seat in (2, 3):
        assert GAME.view_of(one, seat) == GAME.view_of(other, seat)
    assert GAME.view_of(one, 0).chosen == GAME.parse_action("give 1")


@pytest.mark.rules(11)
def test_a_failed_offer_stays_secret_to_the_partner_too() -> None:
    one = play(four(), "give 1, keep, keep, keep")
    other = play(four(), "keep, keep, keep, keep")
    for seat in range(4):
        assert GAME.view_of(one, seat) == GAME.view_of(other, seat)


@pytest.mark.rules(11)
def test_only_the_partners_see_the_cards() -> None:
    one = play(four(), "give 12, keep, give 11, keep")
    other = play(four(), "give 2, keep, give 5, keep")
    for seat in (1, 3):
        assert GAME.view_of(one, seat) == GAME.view_of(other, seat)
        assert GAME.view_of(one, seat).swaps == (1, 0)
    mine, partners = GAME.view_of(one, 0), GAME.view_of(one, 2)
    assert (mine.log, partners.log) == (((12, 11),), ((11, 12),))
    assert mine.partner is not None
    assert mine.partner.cards == (12,)
    assert mine.partner == partners.told


@pytest.mark.rules(11, 12)
def test_after_a_swap_the_table_knows_less_but_not_nothing() -> None:
    # Seat 1 takes the 4s of its team; before that, both ends of hand 0 have been seen.
    state = play(four(swapping=False), "low 0, high 0")
    play(state, "high 1, high 1")
    play(state, "high 2, high 3")
    state.turn, state.to_act = 5, 1
    state.hands[1] = [4, 4, 12]
    play(state, "low 3, low 1, low 1")
    play(state, "give 2, give 5")
    view = GAME.view_of(state, 3)
    assert view.known[0] == unknown_hand(4)
    assert GAME.view_form.show(view).split("\n")[-2:] == [
        "shared: 1 11 12 | -",
        "earlier: cards=1,12 least=1 most=12 gone=1 strange=1 | - | "
        "cards=11 least=1 most=11 gone=1 strange=1 | -",
    ]
