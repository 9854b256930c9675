"""Explain why an action is illegal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import IllegalAction
from arena.games.lifeislife.cards import ACTIONS, GUARDS, KNOCK, LAID, ROW_OF
from arena.games.refusals import illegal

if TYPE_CHECKING:
    from arena.games.lifeislife.state import LifeIsLifeState
    from arena.games.lifeislife.view import View


def refusal(state: LifeIsLifeState, action: int) -> IllegalAction:
    """Make the error for an action that is not legal in this state."""
    # Imported here to avoid a cycle: the game imports its state.
    from arena.games.lifeislife import GAME

    verb = "" if action == KNOCK else "play"
    return illegal(GAME, state, action, _reason, verb=verb)


def _reason(view: View, action: int) -> str:
    if not 0 <= action < ACTIONS:
        return "there is no such action"
    if action == KNOCK:
        return "it has not swapped in this round"
    if ROW_OF[action] >= len(view.row_herds):
        return f"there are {len(view.row_herds)} rows" if view.row_herds[1:] else "there is one row"
    if (view.hand_herd - LAID[action]) & GUARDS:
        return "the cards are not all in its hand"
    return "the row has exactly these animals"
