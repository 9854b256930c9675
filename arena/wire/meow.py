"""Actions of MEOW on the wire."""

from __future__ import annotations

from typing import Any

from arena.games.meow.cards import CARDS
from arena.wire.fields import uint

write_action = uint(1).put


def read_action(message: Any) -> int | None:
    """Return the action in a message `MeowAction`; None if it names none."""
    return message.card if message.card < CARDS else None
