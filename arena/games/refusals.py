"""Refuse actions, seats and parameters that the rules do not allow, with a sentence."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING

from arena.errors import BadInput, BadParameter, IllegalAction

if TYPE_CHECKING:
    from arena.games.core import State

CAP_LIMIT = 10_000
"""Upper limit of every parameter that caps the length of a match."""


def check_action(action: object) -> None:
    """Refuse an action that is not a number, whether or not the rules allow it."""
    try:
        index(action)  # type: ignore[arg-type]  # that is what is checked
    except TypeError:
        raise BadInput(
            f"an action is a number, not {action!r}: `legal_actions` lists the legal ones, and "
            "`Game.parse_action` reads a text"
        ) from None


def check_seat(seat: object, seats: int) -> None:
    """Refuse a seat that a state does not have."""
    if not hasattr(seat, "__index__"):
        raise BadInput(f"a seat is a number, not {seat!r}")
    if seat not in range(seats):
        raise BadInput(
            f"there is no seat {seat}: the seats are 0 to {seats - 1}, and `to_act` is -1 when the "
            "match is over"
        )


def check_between(name: str, value: int, least: int, most: int) -> None:
    """Refuse a parameter value that is out of bounds."""
    if not least <= value <= most:
        raise BadParameter(f"{name}: {value} is not between {least} and {most}")


def illegal(state: State, action: int) -> IllegalAction:
    """Make the error for a refused action, with the position as the acting seat sees it.

    The reason follows from that seat's view, so it cannot reveal what the seat may not know.
    """
    check_action(action)
    game = state.game
    view = game.view_of(state, max(state.to_act, 0))
    sentence = game.why_illegal(view, action)
    return IllegalAction(sentence if state.is_over else f"{sentence}\n{game.view_form.show(view)}")
