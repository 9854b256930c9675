"""RULES.md 22: small matches of Jackal & High."""

from __future__ import annotations

from random import Random

import pytest

from arena.errors import BadParameter
from arena.games.jackal import GAME
from arena.games.jackal.events import DiceRolled, DuelRolled, Question, StackWon, ValleyRolled
from arena.games.jackal.state import JackalState

rules = pytest.mark.rules


def played(words: str, seats: int, seed: int) -> JackalState:
    """Play a match at random, and record its events."""
    state = GAME.start(seats, seed, words, recording=True)
    rng = Random(seed)
    while not state.is_over:
        state.apply(state.random_action(rng))
    return state


@rules(22)
def test_a_small_match_has_fewer_cards_and_dice() -> None:
    state = GAME.start(2, 7, "numbers=3 specials=1 dice=2")
    assert state.inventory() == (1, 1, 2, 2, 3, 3, 8, 22, 2, 2)
    assert GAME.view_of(state, 0).in_hand == (2, 2)
    assert len(GAME.view_of(state, 0).rolled) == 2


@rules(22)
def test_a_round_has_as_many_turns_as_a_seat_has_dice() -> None:
    for dice in (1, 2, 3):
        state = GAME.start(3, 7, f"dice={dice} round_cap=9", recording=True)
        turns = set()
        while not state.is_over:
            turns.add(state.turn)
            state.apply(state.random_action(Random(1)))
        assert turns == set(range(dice))


@rules(22)
def test_the_only_die_of_a_first_turn_is_rolled_once() -> None:
    rolled = [each for each in played("dice=1", 2, 7).events or () if isinstance(each, DiceRolled)]
    assert len(rolled) > 9
    assert {(len(each.dice), each.rolls_left) for each in rolled} == {(1, 0)}


@rules(22)
@pytest.mark.parametrize("faces", [2, 4])
def test_dice_may_have_fewer_faces(faces: int) -> None:
    events = played(f"numbers=5 faces={faces}", 3, 7).events or ()
    shown = [face for each in events if isinstance(each, DiceRolled) for face in each.dice]
    assert set(shown) == set(range(1, faces + 1))


@rules(22)
def test_a_duel_that_stays_tied_goes_to_the_first_in_turn_order() -> None:
    ties = 0
    for seed in range(40):
        events = played("numbers=3 dice=1 faces=2 contest_rolls=1", 2, seed).events or []
        starter = 0
        for at, event in enumerate(events):
            starter = getattr(event, "starter", starter)
            if isinstance(event, DuelRolled) and isinstance(events[at + 1], DuelRolled):
                first, second = event, events[at + 1]
                assert first.seat == starter
                winner = next(
                    each.seat
                    for each in events[at:]
                    if isinstance(each, StackWon) and each.stack == event.stack
                )
                if first.dice == second.dice:  # type: ignore[attr-defined]  # it is a DuelRolled
                    ties += 1
                    assert winner == starter
    assert ties > 3


@rules(22)
def test_limited_rolls_limit_both_questions_of_the_valley() -> None:
    questions = {
        rolls: {
            each.question
            for seed in range(10)
            for each in played(f"numbers=3 dice=1 faces=2 contest_rolls={rolls}", 4, seed).events
            or ()
            if isinstance(each, ValleyRolled)
        }
        for rolls in (1, 2)
    }
    assert questions == {1: {Question.BOTH}, 2: set(Question)}


@rules(22)
def test_the_first_display_must_be_complete() -> None:
    assert GAME.seats_for(GAME.read_parameters("numbers=2")) == (2, 3)
    with pytest.raises(BadParameter, match="cannot seat 4: it takes 2, 3 players here"):
        GAME.start(4, 7, "numbers=2")
    for seed in range(200):
        assert not GAME.start(3, seed, "numbers=2").is_over
