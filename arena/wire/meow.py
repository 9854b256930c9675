"""MEOW on the wire."""

from __future__ import annotations

from typing import Any

from arena.games.meow.cards import CARDS
from arena.games.meow.events import CardPlayed, RoundBegan, TrickWon
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.view import View
from arena.wire.codec import CONTEXT, Codec
from arena.wire.fields import Conversion
from arena.wire.message import Message, OneOf, SingleField
from arena.wire.schema import Schema
from arena.wire.v1.meow_fields import ENUMS, MESSAGES

_schema = Schema(MESSAGES, ENUMS)
_schema.add("MeowTokens", SingleField(_schema.fields("MeowTokens")))

parameters = Message(
    Parameters,
    _schema.fields(
        "MeowParameters",
        vases_in_pairs=Conversion(
            lambda vases: vases is Vases.PAIRS,
            lambda pairs: Vases.PAIRS if pairs else Vases.ONCE,
        ),
    ),
)
view = Message(View, _schema.fields("MeowView"), context=CONTEXT)
event = OneOf(_schema.kinds("MeowEvent", (RoundBegan, CardPlayed, TrickWon)))

_card = _schema.fields("MeowAction")["card"]


def _read_action(message: Any) -> int | None:
    return message.card if message.card < CARDS else None


CODEC = Codec("meow", parameters, view, event, _card.put, _read_action)
