"""Actions of Jackal & High on the wire."""

from __future__ import annotations

from typing import Any

from arena.games.jackal.actions import AGAIN, DIGITS, FIRST_ORDER, ORDERS, VALLEY, Action
from arena.wire.fields import flag, uints
from arena.wire.message import SingleField, nested

_PLACE, _ORDER = (nested(number, SingleField(uints(1))) for number in (1, 4))
_VALLEY, _AGAIN = (flag(number).put(True) for number in (2, 3))
_PLACEMENTS = {stacks: action for action, stacks in enumerate(DIGITS) if action != VALLEY}
_ORDER_ACTIONS = {
    tuple(at + 1 for at in order): FIRST_ORDER + at for at, order in enumerate(ORDERS)
}


def write_action(action: int) -> bytes:
    """Write a message `JackalAction`."""
    if action == VALLEY:
        return _VALLEY
    if action == AGAIN:
        return _AGAIN
    if action < AGAIN:
        return _PLACE.put(DIGITS[action])
    return _ORDER.put(tuple(at + 1 for at in Action(action).order))


def read_action(message: Any) -> int | None:
    """Return the action in such a message; None if it names none."""
    kind = message.WhichOneof("action")
    if kind == "valley":
        return VALLEY
    if kind == "again":
        return AGAIN
    if kind == "order":
        return _ORDER_ACTIONS.get(tuple(message.order.positions))
    # RULES 18: dice after the last one named are kept.
    stacks = (*message.place.stacks, 0, 0, 0)[: max(3, len(message.place.stacks))]
    return _PLACEMENTS.get(stacks)
