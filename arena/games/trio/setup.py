"""Set up a match of Trio."""

from __future__ import annotations

from arena.games.core import NOBODY
from arena.games.randomness import Chance
from arena.games.trio.cards import (
    DECK,
    FIRST_GIVE,
    HAND_BITS,
    UNSEEN,
)
from arena.games.trio.knowledge import unknown_hand
from arena.games.trio.parameters import Parameters, hand_size
from arena.games.trio.state import TrioState
from arena.games.trio.swaps import Swaps


def new_state(seats: int, source: Chance, parameters: Parameters, *, recording: bool) -> TrioState:
    """Deal a new match."""
    state = TrioState()
    state.seats = seats
    state.events = [] if recording else None
    state.parameters = parameters
    state.turn = 0
    state.turn_limit = parameters.turn_cap * seats
    size = hand_size(seats, parameters)
    count = parameters.deck_size
    sets = (size,) * seats + (1,) * (count - seats * size)
    cards = source.draw("deal", DECK[:count], count, sets)
    state.hands = [sorted(cards[seat * size : (seat + 1) * size]) for seat in range(seats)]
    state.centre = cards[seats * size :]
    state.piles = [()] * (seats // 2 if parameters.teams else seats)
    state.shown = []
    state.number = 0
    state.known = [unknown_hand(size)] * seats
    state.depths = [0] * FIRST_GIVE
    state.seen = [UNSEEN] * len(state.centre)
    state.open_mask = (1 << len(state.centre)) - 1
    for seat in range(seats):
        state.open_mask |= HAND_BITS[seat][size]
    state.swaps = Swaps(seats) if parameters.teams else None
    state.to_act = 0
    state.legal_mask = state.open_mask
    if state.swaps is not None:
        # RULES 9: before the first turn every team may swap.
        state.offer_swaps(state.swaps, except_team=NOBODY)
    return state
