"""Explain why a card may not be played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import IllegalAction
from arena.games.meow.cards import BIT_OF
from arena.games.refusals import illegal

if TYPE_CHECKING:
    from arena.games.meow.state import MeowState
    from arena.games.meow.view import View


def refusal(state: MeowState, action: int) -> IllegalAction:
    """Make the error for an action that is not legal in this state."""
    # Imported here to avoid a cycle: the game imports its state.
    from arena.games.meow import GAME

    return illegal(GAME, state, action, _reason, verb="play")


def _reason(view: View, action: int) -> str:
    if action not in BIT_OF:
        return "there is no such card"
    if BIT_OF[action] & view.hand_mask:
        return "the led colour must be followed"
    return "the card is not in its hand"
