"""Actions of Trio on the wire."""

from __future__ import annotations

from arena.games.trio.cards import Action
from arena.wire.fields import present, uint, write_number
from arena.wire.message import Message, as_tuple

_FIELDS = ("centre", "low", "high", "give", "keep")
"""The fields of a message `TrioAction`, numbered from 1."""
ACTION = Message(as_tuple, [present(uint(number + 1)) for number in range(len(_FIELDS))])


def messages(action: int) -> tuple[bytes, ...]:
    """Return the message `TrioAction` of an action."""
    chosen = Action.values[action]
    value = {"centre": chosen.slot, "give": chosen.number, "keep": True}
    return (write_number(_FIELDS.index(chosen.kind) + 1, value.get(chosen.kind, chosen.seat)),)
