"""Set up a match of Jackal & High."""

from __future__ import annotations

from arena.games.jackal.cards import without
from arena.games.jackal.dice import ABSENT
from arena.games.jackal.events import ValleyOpened
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.rounds import begin_round
from arena.games.jackal.state import JackalState
from arena.games.randomness import Chance


def new_state(
    seats: int, source: Chance, parameters: Parameters, *, recording: bool
) -> JackalState:
    """Deal a new match."""
    state = JackalState()
    state.seats = seats
    state.events = [] if recording else None
    state.parameters = parameters
    state.source = source
    # RULES 1
    pack = parameters.pack
    (state.valley,) = source.draw("valley", pack, 1)
    state.deck = source.deck("deck", without(pack, state.valley) + parameters.special_cards)
    state.absent = ABSENT[parameters.dice_count]
    state.cards = state.under = ()
    state.piles = [()] * seats
    state.take2s = [0] * seats
    state.spoils = [()] * seats
    state.gone = 0
    if state.events is not None:
        state.events.append(ValleyOpened(state.valley))
    begin_round(state, 0)
    return state
