"""Trio on the wire."""

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
from arena.games.trio.events import CardRevealed, CardsReturned, SwapSettled, TrioTaken
from arena.games.trio.knowledge import Earlier, Known, KnownToPartner
from arena.games.trio.parameters import Mode, Parameters
from arena.games.trio.view import View
from arena.wire.codec import CONTEXT, Codec
from arena.wire.fields import write_number
from arena.wire.message import Message, OneOf, SingleField, as_tuple
from arena.wire.schema import Schema
from arena.wire.v1.trio_fields import ENUMS, MESSAGES

_schema = Schema(MESSAGES, ENUMS)
_schema.add_enum("TrioMode", Mode)
_schema.add("TrioCards", SingleField(_schema.fields("TrioCards")))
_schema.add("TrioKnown", Message(Known, _schema.fields("TrioKnown")))
_schema.add("TrioTold", Message(KnownToPartner, _schema.fields("TrioTold")), is_optional=True)
_schema.add("TrioSwap", Message(as_tuple, _schema.fields("TrioSwap")))
_schema.add("TrioEarlier", Message(Earlier, _schema.fields("TrioEarlier")))
_schema.add("TrioPast", SingleField(_schema.fields("TrioPast")))

parameters = Message(Parameters, _schema.fields("TrioParameters"))
view = Message(View, _schema.fields("TrioView"), context=CONTEXT)
event = OneOf(_schema.kinds("TrioEvent", (CardRevealed, CardsReturned, TrioTaken, SwapSettled)))


def _number(name: str) -> int:
    return _schema.number("TrioAction", name)


def _action_bytes(action: int) -> bytes:
    if action < FIRST_HAND:
        return write_number(_number("centre"), action)
    if action < FIRST_GIVE:
        seat, is_high = divmod(action - FIRST_HAND, 2)
        return write_number(_number("high" if is_high else "low"), seat)
    if action == KEEP:
        return write_number(_number("keep"), True)
    return write_number(_number("give"), number_given(action))


_ACTION_BYTES = tuple(map(_action_bytes, range(ACTIONS)))


def _read_action(message: Any) -> int | None:
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


CODEC = Codec("trio", parameters, view, event, _ACTION_BYTES.__getitem__, _read_action)
