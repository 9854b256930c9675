"""Explain why an action is illegal."""

from __future__ import annotations

from arena.games.trio.cards import (
    ACTIONS,
    FIRST_GIVE,
    FIRST_HAND,
    SEAT_OF,
    high,
    low,
    number_given,
)
from arena.games.trio.view import View


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return "turn up" if 0 <= action < FIRST_GIVE else ""


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
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
