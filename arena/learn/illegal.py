"""What environments do with an action that is not legal."""

from __future__ import annotations

from enum import Enum
from random import Random
from typing import Any

from arena.errors import BadInput, IllegalAction
from arena.games.registry import AnyGame

WORST_REWARD = -1.0
"""The reward of the last place."""


class Illegal(Enum):
    """What to do with an action that is not legal."""

    END = "end"
    """End the match: the seat that played it gets the reward of the last place, the others 0."""
    RANDOM = "random"
    """Play a legal action at random instead, as a stand-in does in a league."""
    RAISE = "raise"
    """Raise `IllegalAction`, and change nothing."""


def illegal_from(word: str) -> Illegal:
    """Return what a word stands for."""
    try:
        return Illegal(word)
    except ValueError:
        words = ", ".join(each.value for each in Illegal)
        raise BadInput(f"illegal={word!r} is not known: choose one of {words}") from None


def legal_or_none(
    game: AnyGame, state: Any, action: Any, illegal: Illegal, rng: Random
) -> int | None:
    """Return the action to play in a state, or None if the match has to end here."""
    if not hasattr(action, "__index__"):
        raise BadInput(
            f"an action is a whole number from 0 to {game.action_count - 1}, not {action!r}"
        )
    number = action.__index__()
    if state.is_legal(number):
        return int(number)
    if illegal is Illegal.END:
        return None
    if illegal is Illegal.RANDOM:
        return int(state.random_action(rng))
    raise IllegalAction(
        f"action {number} is not legal for seat {state.to_act}; action_mask has the legal ones"
    )
