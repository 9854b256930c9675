"""Explain why an action is illegal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import IllegalAction
from arena.games.refusals import check_action, illegal
from arena.games.trio.cards import (
    ACTIONS,
    FIRST_GIVE,
    FIRST_HAND,
    SEAT_OF,
    high,
    low,
    number_given,
)

if TYPE_CHECKING:
    from arena.games.trio.state import TrioState
    from arena.games.trio.view import View


def refusal(state: TrioState, action: int) -> IllegalAction:
    """Make the error for an action that is not legal in this state."""
    # Imported here to avoid a cycle: the game imports its state.
    from arena.games.trio import GAME

    check_action(action)
    verb = "turn up" if 0 <= action < FIRST_GIVE else ""
    return illegal(GAME, state, action, _reason, verb=verb)


def _reason(view: View, action: int) -> str:
    if not 0 <= action < ACTIONS:
        return "there is no such action"
    if view.phase:
        if action < FIRST_GIVE:
            return "partners are choosing a swap, no cards are turned up now"
        return f"it holds no {number_given(action)}"
    if action >= FIRST_GIVE:
        return "nothing is swapped during a turn"
    if action < FIRST_HAND:
        return _slot(view, action)
    return _hand(view, action)


def _slot(view: View, slot: int) -> str:
    if slot >= len(view.centre):
        return f"the centre has {len(view.centre)} slots, numbered from 0"
    if slot in view.shown:
        return "that card is face up already"
    return "that slot is empty"


def _hand(view: View, place: int) -> str:
    owner = SEAT_OF[place]
    if owner >= view.seats:
        return f"there are {view.seats} seats, numbered from 0"
    if not view.known[owner].size:
        return f"seat {owner} has no cards"
    face_up = view.shown.count(low(owner)) + view.shown.count(high(owner))
    if face_up == view.known[owner].size:
        return f"all cards of seat {owner} are face up"
    return f"seat {owner} has one card to turn up: its lowest"
