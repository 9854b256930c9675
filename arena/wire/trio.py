"""Actions of Trio on the wire."""

from __future__ import annotations

from typing import Any

from arena.games.trio.cards import (
    ACTIONS,
    FIRST_GIVE,
    FIRST_HAND,
    KEEP,
    NUMBERS,
    SEATS,
    SLOTS,
    give,
    high,
    low,
    number_given,
)
from arena.wire.fields import write_number

_CENTRE, _LOW, _HIGH, _GIVE, _KEEP = range(1, 6)
"""The numbers of the fields."""


def _action_bytes(action: int) -> bytes:
    if action < FIRST_HAND:
        return write_number(_CENTRE, action)
    if action < FIRST_GIVE:
        seat, is_high = divmod(action - FIRST_HAND, 2)
        return write_number(_HIGH if is_high else _LOW, seat)
    if action == KEEP:
        return write_number(_KEEP, True)
    return write_number(_GIVE, number_given(action))


write_action = tuple(map(_action_bytes, range(ACTIONS))).__getitem__


def read_action(message: Any) -> int | None:
    """Return the action in a message `TrioAction`; None if it names none."""
    kind = message.WhichOneof("action")
    if kind is None:
        return None
    value: int = getattr(message, kind)
    if kind == "centre" and value < SLOTS:
        return value
    if kind == "low" and value < SEATS:
        return low(value)
    if kind == "high" and value < SEATS:
        return high(value)
    if kind == "give" and 1 <= value <= NUMBERS:
        return give(value)
    return KEEP if kind == "keep" else None
