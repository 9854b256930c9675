"""Life is Life on the wire."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arena.games.lifeislife.cards import ACTION_OF, COUNT, KNOCK, LAID, ONE, SHIFTS
from arena.games.lifeislife.events import (
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.view import View
from arena.wire.codec import CONTEXT, Codec
from arena.wire.fields import bit_fields
from arena.wire.message import Message, OneOf, SingleField
from arena.wire.schema import Schema
from arena.wire.v1.lifeislife_fields import ENUMS, MESSAGES

_HERD = bit_fields(SHIFTS, COUNT)
counts_of_herd: Callable[[int], tuple[int, ...]] = _HERD.encode
herd_of_counts: Callable[[tuple[int, ...]], int] = _HERD.decode

_schema = Schema(MESSAGES, ENUMS)
_schema.add(
    "LifeIsLifeCards",
    SingleField(_schema.fields("LifeIsLifeCards", counts=_HERD)),
)

parameters = Message(Parameters, _schema.fields("LifeIsLifeParameters"))
view = Message(View, _schema.fields("LifeIsLifeView"), context=CONTEXT)
event = OneOf(
    _schema.kinds("LifeIsLifeEvent", (RoundBegan, Swapped, Knocked, SuddenDeath, Scored, WentOut))
)

_ACTION = _schema.fields("LifeIsLifeAction")
_KNOCK = _ACTION["knock"].put(True)


def _write_action(action: int) -> bytes:
    return _KNOCK if action == KNOCK else _ACTION["swap"].put(LAID[action])


def _read_action(message: Any) -> int | None:
    if message.WhichOneof("action") == "knock":
        return KNOCK
    counts = tuple(message.swap.counts)
    if len(counts) != len(ONE) or max(counts) > COUNT:
        return None
    return ACTION_OF.get(herd_of_counts(counts))


CODEC = Codec("lifeislife", parameters, view, event, _write_action, _read_action)
