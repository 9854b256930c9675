"""The end of Life is Life: clauses 11 and 12."""

from __future__ import annotations

import pytest

from arena.errors import BadParameter
from arena.games.lifeislife import GAME
from arena.games.lifeislife.events import Scored
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.outcome import Ending
from arena.games.randomness import seed_from
from tests.games.lifeislife.positions import THREE, herd, knock_out, last, play, position

rules = pytest.mark.rules


def finished_match(
    lives: tuple[int, ...], out: tuple[int, ...], parameters: Parameters | None = None
) -> LifeIsLifeState:
    """Make a finished match; seats without lives went out in these rounds."""
    state = GAME.start(len(lives), seed_from(0), parameters)
    state.lives = list(lives)
    state.out = list(out)
    state.to_act = -1
    return state


@rules(11)
@pytest.mark.parametrize(
    ("lives", "out", "places"),
    [
        ((0, 3, 0, 0), (4, -1, 2, 6), (3, 1, 4, 2)),
        ((0, 0, 1, 0), (6, 2, -1, 2), (2, 3, 1, 3)),
        ((0, 0, 0, 2, 0), (5, 5, 5, -1, 1), (2, 2, 2, 1, 5)),
        ((7, 0, 0), (-1, 0, 0), (1, 2, 2)),
    ],
    ids=str,
)
def test_going_out_later_is_placed_better_and_the_same_round_shares_a_place(
    lives: tuple[int, ...], out: tuple[int, ...], places: tuple[int, ...]
) -> None:
    outcome = finished_match(lives, out).outcome()
    assert outcome == (places, lives, Ending.PLAYED_OUT)


@rules(11)
def test_the_round_of_going_out_is_remembered() -> None:
    state = position(*THREE, lives=(5, 2, 3))
    state.round = 6
    knock_out(state)
    assert state.out == [-1, 6, -1]
    assert GAME.view_of(state, 0).out == (-1, 6, -1)


@rules(12)
def test_a_round_is_scored_after_sixty_turns_each_without_a_knock() -> None:
    state = position(*THREE, turn=177)
    play(state, "1 bear", "1 goat")
    assert state.round == 0
    play(state, "1 dog")
    assert state.round == 1
    assert last(state, Scored).hands[0] == herd("4 giraffe, 2 bear, 3 mole, mouse")


@rules(12)
@pytest.mark.parametrize("knocker", [0, 1, 2])
def test_a_knock_in_the_last_turns_still_has_its_last_lap(knocker: int) -> None:
    state = position(*THREE, turn=177)
    play(state, *["1 bear", "1 goat", "1 dog"][:knocker], "knock")
    assert (state.round, state.knocker) == (0, knocker)
    play(state, "knock")
    assert state.round == 0
    play(state, "knock")
    assert state.round == 1


@rules(12)
def test_the_turn_cap_is_a_parameter_and_counts_living_players_only() -> None:
    parameters = Parameters(turn_cap=2)
    state = position(THREE[0], "", THREE[1], parameters=parameters)
    play(state, "1 bear", "1 goat", "1 bear")
    assert state.round == 1
    play(state, "1 goat")
    assert (state.round, state.last_turn) == (2, 4)


@rules(12)
@pytest.mark.parametrize(
    ("lives", "places"),
    [((5, 5, 5), (1, 3, 2)), ((4, 5, 5), (1, 3, 1)), ((5, 1, 1), (1, 2, 2))],
    ids=["by lives", "equal lives share", "the dead come after"],
)
def test_after_the_last_round_the_living_are_placed_by_lives(
    lives: tuple[int, ...], places: tuple[int, ...]
) -> None:
    state = position(*THREE, lives=lives, parameters=Parameters(round_cap=1))
    knock_out(state)
    assert state.is_over
    outcome = state.outcome()
    assert outcome.places == places
    assert outcome.ending is (Ending.PLAYED_OUT if lives[1] == 1 else Ending.LENGTH_CAP)


@rules(12)
@pytest.mark.parametrize("value", [0, -3, 10_001])
def test_a_cap_out_of_range_is_refused_by_name(value: int) -> None:
    with pytest.raises(BadParameter, match=f"turn_cap: {value} is not between 1 and 10000"):
        Parameters(turn_cap=value)
    with pytest.raises(BadParameter, match=f"round_cap: {value} is not between 1 and 10000"):
        Parameters(round_cap=value)


@rules(2, 12)
@pytest.mark.parametrize("seats", [2, 6])
def test_a_wrong_number_of_players_is_refused(seats: int) -> None:
    with pytest.raises(BadParameter, match="it takes 3, 4, 5 players here"):
        GAME.start(seats, seed_from(0))
