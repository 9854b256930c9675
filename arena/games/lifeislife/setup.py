"""Set up a match of Life is Life."""

from __future__ import annotations

from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.state import LifeIsLifeState
from arena.games.randomness import Chance


def new_state(
    seats: int, source: Chance, parameters: Parameters, *, recording: bool
) -> LifeIsLifeState:
    """Deal a new match."""
    state = LifeIsLifeState()
    state.seats = seats
    state.events = [] if recording else None
    state.parameters = parameters
    state.source = source
    state.set_pack(parameters.pack)
    state.lives = [parameters.life_count] * seats
    state.out = [-1] * seats
    state.round = 0
    state.starter = 0
    state.set_players(tuple(range(seats)))
    state.deal()
    return state
