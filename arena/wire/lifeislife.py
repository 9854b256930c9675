"""Actions of Life is Life on the wire."""

from __future__ import annotations

from typing import Any

from arena.games.lifeislife.cards import ACTION_OF, COUNT, KNOCK, LAID, ONE, SHIFTS
from arena.wire.fields import bit_fields, converted, flag, uints
from arena.wire.message import SingleField, nested

_COUNTS = bit_fields(SHIFTS, COUNT)
_SWAP = nested(1, SingleField(converted(uints(1), _COUNTS)))
_KNOCK = flag(2).put(True)


def write_action(action: int) -> bytes:
    """Write a message `LifeIsLifeAction`."""
    return _KNOCK if action == KNOCK else _SWAP.put(LAID[action])


def read_action(message: Any) -> int | None:
    """Return the action in such a message; None if it names none."""
    if message.WhichOneof("action") == "knock":
        return KNOCK
    counts = tuple(message.swap.counts)
    if len(counts) != len(ONE) or max(counts) > COUNT:
        return None
    return ACTION_OF.get(_COUNTS.decode(counts))
