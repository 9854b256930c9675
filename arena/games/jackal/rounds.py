"""Begin a round, or end the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.games.core import NOBODY
from arena.games.jackal.cards import LUCKY8, NO_CARD, TAKE2
from arena.games.jackal.dice import DICE_OF_ROUND, NO_ROLL, room_of
from arena.games.jackal.events import MatchEnded, RoundBegan
from arena.games.outcome import Ending

if TYPE_CHECKING:
    from arena.games.jackal.state import JackalState


def begin_round(state: JackalState, number: int) -> None:
    """Complete the display and roll for the starter, or end the match."""
    seats = state.seats
    # RULES 13
    state.laid = [0] * seats
    # RULES 17: the cap applies before the display is completed.
    if number == state.parameters.round_cap:
        _end(state, Ending.LENGTH_CAP, [])
        return
    drawn: list[int] = []
    if len(state.cards) <= seats:
        drawn = _refill(state)
        # RULES 3
        if len(state.cards) <= seats or state.cards[-1] == NO_CARD:
            _end(state, Ending.PLAYED_OUT, drawn)
            return
    state.round = number
    faces = state.parameters.face_count
    state.dice = state.source.dice(f"dice {number}", DICE_OF_ROUND * seats, faces)
    # RULES 4: each round the next seat starts.
    starter = state.starter = number % seats
    if state.events is not None:
        state.events.append(RoundBegan(number, starter, tuple(drawn), state.cards, state.under))
    # As if the seat before the starter had just ended a turn.
    state.to_act = starter - 1
    state.turn = -1
    state.begin_next_turn()


def _refill(state: JackalState) -> list[int]:
    """Draw stacks until the display is complete or the deck is empty; return the cards drawn."""
    cards = list(state.cards)
    under = list(state.under)
    deck = state.deck
    drawn: list[int] = []
    take2s = 0
    while deck and len(cards) <= state.seats:
        card = deck.pop()
        drawn.append(card)
        # RULES 2: a Take2 waits for a card on top; the next card replaces a second Lucky8.
        if card == TAKE2:
            take2s += 1
        elif card == LUCKY8 and LUCKY8 in cards:
            state.gone += 1
        else:
            cards.append(card)
            under.append(take2s)
            take2s = 0
    if take2s:
        # RULES 3: the deck ran out with nothing on a Take2, so the stack is not complete.
        cards.append(NO_CARD)
        under.append(take2s)
    state.cards = tuple(cards)
    state.under = tuple(under)
    state.room = room_of(state.cards, state.parameters.dice_count)
    return drawn


def _end(state: JackalState, ending: Ending, drawn: list[int]) -> None:
    state.to_act = NOBODY
    state.rolled = NO_ROLL
    state.rolls_left = 0
    if state.events is not None:
        state.events.append(MatchEnded(ending, tuple(drawn)))
