"""Explain why an action is illegal."""

from __future__ import annotations

from arena.games.lifeislife.cards import ACTIONS, GUARDS, KNOCK, LAID, ROW_OF
from arena.games.lifeislife.view import View


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return "" if action == KNOCK else "play"


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
    if not 0 <= action < ACTIONS:
        return "there is no such action"
    if action == KNOCK:
        return "it has not swapped in this round"
    if ROW_OF[action] >= len(view.row_herds):
        return f"there are {len(view.row_herds)} rows" if view.row_herds[1:] else "there is one row"
    if (view.hand_herd - LAID[action]) & GUARDS:
        return "the cards are not all in its hand"
    return "the row has exactly these animals"
