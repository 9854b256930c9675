"""Actions of Jackal & High on the wire."""

from __future__ import annotations

from arena.games.jackal.actions import Action
from arena.wire.fields import flag, uints
from arena.wire.message import Message, SingleField, as_tuple, optional

_NUMBERS = SingleField(uints(1))
ACTION = Message(as_tuple, [optional(1, _NUMBERS), flag(2), flag(3), optional(4, _NUMBERS)])


def messages(action: int) -> tuple[bytes, ...]:
    """Return the messages `JackalAction` of an action."""
    chosen = Action.values[action]
    stacks = chosen.stacks
    if not stacks:
        order = tuple(at + 1 for at in chosen.order) or None
        return (ACTION.write((None, chosen.kind == "valley", chosen.kind == "again", order)),)
    # RULES 18: dice after the last one named are kept.
    shorter = (stacks[:dice] for dice in (3, 2, 1) if not any(stacks[dice:]))
    return tuple(ACTION.write((each, False, False, None)) for each in shorter)
