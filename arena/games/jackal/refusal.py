"""Why may a seat not do what it wanted to do?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.errors import IllegalAction
from arena.games.core import illegal
from arena.games.jackal.actions import ACTIONS, AGAIN, DIGITS, VALLEY
from arena.games.jackal.dice import faces_on, in_hand

if TYPE_CHECKING:
    from arena.games.jackal.state import JackalState


def refusal(state: JackalState, action: int) -> IllegalAction:
    """Make the error for an action that is not legal in this state."""
    # Imported here because the game imports the states, and nothing but an error needs it.
    from arena.games.jackal import GAME

    seat = state.to_act
    known = 0 <= action < ACTIONS
    words = GAME.action_text(action) if known else f"do {action}"
    if seat < 0:
        return illegal(words, seat, "the match is over", "")
    why = _reason(state, action) if known else f"actions are 0 to {ACTIONS - 1}"
    return illegal(words, seat, why, GAME.view_form.show(GAME.view_of(state, seat)))


def _reason(state: JackalState, action: int) -> str:
    won = state.spoils[state.to_act]
    if won:
        return f"it has to put its {len(won)} won cards in order"
    if action == VALLEY:
        if state.rolls_left:
            return "it has rolls left"
        return "a die fits on the display"
    if action == AGAIN:
        return "it has no roll left"
    if action > AGAIN:
        return "it has no won cards to put in order"
    return _misplacement(state, DIGITS[action])


def _misplacement(state: JackalState, stacks: tuple[int, ...]) -> str:
    laid = state.laid[state.to_act]
    dice = in_hand(laid)
    if any(stacks[dice:]):
        return f"it has rolled only {dice} dice" if dice > 1 else "it has rolled only one die"
    if max(stacks) > len(state.cards):
        return f"the display has {len(state.cards)} stacks"
    for stack, card in enumerate(state.cards, start=1):
        placed = sum(face for face, at in zip(state.rolled, stacks, strict=True) if at == stack)
        total = placed + sum(faces_on(laid, stack - 1))
        if total > card:
            return f"its dice on stack {stack} would sum to {total}, more than {card}"
    raise AssertionError(f"{stacks} fits")
