"""Set up a match of MEOW."""

from __future__ import annotations

from arena.games.meow.parameters import Parameters
from arena.games.meow.state import MeowState
from arena.games.randomness import Chance


def new_state(seats: int, source: Chance, parameters: Parameters, *, recording: bool) -> MeowState:
    """Deal a new match."""
    state = MeowState()
    state.seats = seats
    state.events = [] if recording else None
    state.parameters = parameters
    state.source = source
    state.round = 0
    state.later = tuple(sorted(parameters.tokens))
    state.won = [()] * seats
    state.trick = []
    state.deal()
    return state
