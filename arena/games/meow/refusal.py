"""Explain why a card may not be played."""

from __future__ import annotations

from arena.games.meow.cards import BIT_OF
from arena.games.meow.view import View


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return "play"


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
    if action not in BIT_OF:
        return "there is no such card"
    if BIT_OF[action] & view.hand_mask:
        return "the led colour must be followed"
    return "the card is not in its hand"
