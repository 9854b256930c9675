"""Actions of MEOW on the wire."""

from __future__ import annotations

from arena.wire.fields import uint
from arena.wire.message import SingleField

ACTION = SingleField(uint(1))


def messages(action: int) -> tuple[bytes, ...]:
    """Return the message `MeowAction` of an action."""
    return (ACTION.write(action),)
