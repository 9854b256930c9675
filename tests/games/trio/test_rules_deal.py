"""The deal, the parameters and the end of Trio: clauses 1, 2, 13 and 14."""

from __future__ import annotations

from random import Random

import pytest

from arena.errors import BadParameter, BadText, IllegalAction
from arena.games.outcome import Ending
from arena.games.randomness import seed_from
from arena.games.trio import GAME
from arena.games.trio.cards import DECK
from arena.games.trio.parameters import Mode, Parameters
from tests.games.trio.positions import play, position


@pytest.mark.rules(1)
@pytest.mark.parametrize(("seats", "hand", "centre"), [(3, 9, 9), (4, 7, 8), (5, 6, 6), (6, 5, 6)])
def test_each_number_of_players_has_its_hands_and_its_centre(
    seats: int, hand: int, centre: int
) -> None:
    state = GAME.start(seats, seed_from(1))
    assert [len(cards) for cards in state.hands] == [hand] * seats
    assert len(state.centre) == centre
    assert all(cards == sorted(cards) for cards in state.hands)
    assert state.inventory() == DECK
    assert [DECK.count(number) for number in range(1, 13)] == [3] * 12


@pytest.mark.rules(1)
def test_every_seed_deals_different_cards() -> None:
    deals = {str(GAME.start(4, seed_from(number)).hands) for number in range(50)}
    assert len(deals) == 50
    first = [GAME.start(3, seed_from(number)).centre[0] for number in range(600)]
    assert all(20 < first.count(number) < 90 for number in range(1, 13))


@pytest.mark.rules(2)
@pytest.mark.parametrize(("seats", "hand"), [(4, 9), (6, 6)])
def test_teams_are_dealt_everything(seats: int, hand: int) -> None:
    state = GAME.start(seats, seed_from(1), Parameters(teams=True))
    assert [len(cards) for cards in state.hands] == [hand] * seats
    assert state.centre == []
    assert state.inventory() == DECK


@pytest.mark.rules(2)
def test_partners_sit_opposite_and_share_their_pile() -> None:
    assert GAME.sides(6, Parameters(teams=True)) == (0, 1, 2, 0, 1, 2)
    assert GAME.sides(4, Parameters()) == (0, 1, 2, 3)
    state = position("1 2", "3 4", "1 5", "1 6", teams=True, turn=2)
    play(state, "low 0, low 2, low 3")
    assert state.piles == [(1,), ()]


@pytest.mark.rules(2)
@pytest.mark.parametrize("seats", [2, 3, 5, 7])
def test_teams_need_four_or_six(seats: int) -> None:
    with pytest.raises(BadParameter, match=f"trio cannot seat {seats}: it takes 4, 6 players"):
        GAME.start(seats, seed_from(1), Parameters(teams=True))


@pytest.mark.rules(13)
def test_the_winner_is_first_even_with_fewer_trios() -> None:
    piles = ["2", "1 3", "", "8 9"]
    state = position("5 5 5", "1", "1", "1", piles=piles, mode=Mode.SPICY)
    outcome = play(state, "low 0, low 0, low 0").outcome()
    assert outcome.places == (1, 2, 4, 2)
    assert outcome.scores == (2, 2, 0, 2)
    assert outcome.ending is Ending.PLAYED_OUT
    state = position("7 7 7", "1", "1", "1", piles=["", "1 3", "2", ""])
    assert play(state, "low 0, low 0, low 0").outcome().places == (1, 2, 3, 4)


@pytest.mark.rules(13)
def test_partners_share_place_and_score_and_places_count_teams() -> None:
    piles = ["1 3", "2", "4"]
    state = position("8 8 8", "1", "1", "1", "1", "1", piles=piles, teams=True)
    outcome = play(state, "low 0, low 0, low 0").outcome()
    assert outcome.places == (1, 2, 2, 1, 2, 2)
    assert outcome.scores == (3, 1, 1, 3, 1, 1)


@pytest.mark.rules(14)
def test_after_the_last_turn_trios_decide() -> None:
    state = position("1 2", "3 4", "5 6", piles=["8", "9 10", "11"], turn_cap=2, turn=4)
    play(state, "low 0, low 1")
    assert not state.is_over
    play(state, "low 0, low 1")
    assert state.is_over
    outcome = state.outcome()
    assert outcome.places == (2, 1, 2)
    assert outcome.scores == (1, 2, 1)
    assert outcome.ending is Ending.LENGTH_CAP


@pytest.mark.rules(14)
def test_a_win_in_the_last_turn_is_a_win() -> None:
    state = position("7 7 7", "3 4", "5 6", turn_cap=1, turn=2)
    outcome = play(state, "low 0, low 0, low 0").outcome()
    assert (outcome.places, outcome.ending) == ((2, 2, 1), Ending.PLAYED_OUT)
    state = position("4 4 4", "3 4", "5 6", turn_cap=1, turn=2)
    outcome = play(state, "low 0, low 0, low 0").outcome()
    assert (outcome.places, outcome.ending) == ((2, 2, 1), Ending.LENGTH_CAP)


@pytest.mark.rules(14)
@pytest.mark.parametrize("cap", [0, -1, 10_001])
def test_a_bad_cap_is_refused(cap: int) -> None:
    with pytest.raises(BadParameter, match=f"turn_cap: {cap} is not between 1 and 10000"):
        Parameters(turn_cap=cap)
    assert Parameters().turn_cap == 120


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("mode=hot", "mode: 'hot' is not a mode: one of simple, spicy"),
        ("teams=some", "teams: 'some' is neither yes nor no"),
        ("cap=3", "a match of trio has no 'cap'"),
    ],
)
def test_bad_parameters_are_named(text: str, complaint: str) -> None:
    with pytest.raises(BadText, match=complaint):
        GAME.parameters_form.read(text)


@pytest.mark.parametrize(
    ("action", "why"),
    [
        (-1, "there is no such action"),
        (10**30, "there is no such action"),
        (8, "the centre has 8 slots, numbered from 0"),
        (19, "there are 4 seats, numbered from 0"),
        (33, "nothing is swapped during a turn"),
    ],
)
def test_a_refusal_says_why_and_shows_the_view_of_the_seat_to_act(action: int, why: str) -> None:
    state = GAME.start(4, seed_from(1))
    before = state.truth()
    with pytest.raises(IllegalAction, match=why) as refusal:
        state.apply(action)
    assert state.truth() == before
    assert str(refusal.value).endswith(GAME.view_form.show(GAME.view_of(state, 0)))


@pytest.mark.rules(17)
def test_a_small_match_has_fewer_numbers_and_cards_and_two_can_play_it() -> None:
    state = GAME.start(2, 7, "numbers=3 hand=2")
    assert state.inventory() == (1, 1, 1, 2, 2, 2, 3, 3, 3)
    assert [len(hand) for hand in state.hands] == [2, 2]
    assert len(state.centre) == 5
    teams = GAME.start(4, 7, "teams=yes numbers=4")
    assert [len(hand) for hand in teams.hands] == [3, 3, 3, 3]
    with pytest.raises(BadParameter, match="cannot seat 2"):
        GAME.start(2, 7)


@pytest.mark.rules(17)
def test_fewer_trios_can_win_a_small_match() -> None:
    state = GAME.start(2, 7, "numbers=2 hand=3 trios=1")
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    assert sorted(state.outcome().scores) == [0, 1]
    assert state.outcome().ending is Ending.PLAYED_OUT


@pytest.mark.rules(17)
def test_a_small_match_ends_when_all_cards_are_taken() -> None:
    rng = Random(1)
    state = GAME.start(2, 7, "spicy numbers=3 hand=2", recording=True)
    while not state.is_over:
        state.apply(state.random_action(rng))
    outcome = state.outcome()
    assert sum(outcome.scores) == 3
    assert outcome.ending is Ending.PLAYED_OUT
    assert outcome.places[outcome.scores.index(max(outcome.scores))] == 1
    assert "when the last cards were taken" in GAME.explain(state, ("Ann", "Bob")).sentence
