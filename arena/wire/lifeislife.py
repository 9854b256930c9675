"""Actions of Life is Life on the wire."""

from __future__ import annotations

from arena.games.lifeislife.cards import COUNT, KNOCK, LAID, SHIFTS
from arena.wire.fields import flag, uints
from arena.wire.message import Message, SingleField, as_tuple, optional

ACTION = Message(as_tuple, [optional(1, SingleField(uints(1))), flag(2)])


def messages(action: int) -> tuple[bytes, ...]:
    """Return the message `LifeIsLifeAction` of an action."""
    counts = tuple(LAID[action] >> shift & COUNT for shift in SHIFTS)
    return (ACTION.write((None, True) if action == KNOCK else (counts, False)),)
