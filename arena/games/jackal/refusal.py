"""Explain why an action is illegal."""

from __future__ import annotations

from arena.games.jackal.actions import ACTIONS, AGAIN, DIGITS, VALLEY
from arena.games.jackal.dice import faces_on
from arena.games.jackal.view import View


def verb(action: int) -> str:
    """Return the word for an action whose text does not begin with one."""
    return {VALLEY: "choose", AGAIN: "roll"}.get(action, "")


def reason(view: View, action: int) -> str:
    """Say why the view's seat may not play this action."""
    if not 0 <= action < ACTIONS:
        return "there is no such action"
    won = view.spoils[view.seat]
    if won:
        return f"it has to put its {len(won)} won cards in order"
    if action == VALLEY:
        return "it has rolls left" if view.rolls_left else "a die fits on the display"
    if action == AGAIN:
        return "it has no roll left"
    if action > AGAIN:
        return "it has no won cards to put in order"
    return _misplacement(view, DIGITS[action])


def _misplacement(view: View, stacks: tuple[int, ...]) -> str:
    dice = len(view.rolled)
    if any(stacks[dice:]):
        return f"it has rolled only {dice} dice" if dice > 1 else "it has rolled only one die"
    if max(stacks) > len(view.cards):
        return f"the display has {len(view.cards)} stacks"
    laid = view.laid[view.seat]
    for stack, card in enumerate(view.cards, start=1):
        placed = sum(face for face, at in zip(view.rolled, stacks, strict=False) if at == stack)
        total = placed + sum(faces_on(laid, stack - 1))
        if total > card:
            return f"its dice on stack {stack} would sum to {total}, more than {card}"
    raise AssertionError(f"{stacks} fits")
