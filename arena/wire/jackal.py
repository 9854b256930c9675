"""Jackal & High on the wire."""

from __future__ import annotations

from typing import Any

from arena.games.jackal.actions import AGAIN, DIGITS, FIRST_ORDER, ORDERS, VALLEY, order_of
from arena.games.jackal.dice import ADDED, FACES, MOST_STACKS, VALLEY_AT, VALLEY_DIE
from arena.games.jackal.events import (
    CardsOrdered,
    DiceCollected,
    DicePlaced,
    DiceRolled,
    DieLost,
    DuelRolled,
    MatchEnded,
    Question,
    RoundBegan,
    StackWon,
    ValleyOpened,
    ValleyPaid,
    ValleyRolled,
    ValleyTaken,
)
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.view import View
from arena.games.outcome import Ending
from arena.wire.codec import CONTEXT, Codec
from arena.wire.fields import Conversion
from arena.wire.message import Message, OneOf, SingleField
from arena.wire.schema import Schema
from arena.wire.v1.jackal_fields import ENUMS, MESSAGES

_FIRST_DIE = ADDED[1][1].bit_length() - 1
_EACH_DIE = [(stack, face) for stack in range(1, MOST_STACKS + 1) for face in range(1, FACES + 1)]
# Two bits count the dice of each stack and face: the lower one stands for one die.
_STACKS = [(stack,) * count for stack, _ in _EACH_DIE for count in (1, 2)]
_FACES = [(face,) * count for _, face in _EACH_DIE for count in (1, 2)]


def unpack_dice(laid: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    valley = laid >> VALLEY_AT
    counts = (laid ^ valley << VALLEY_AT) >> _FIRST_DIE
    stacks: tuple[int, ...] = ()
    faces: tuple[int, ...] = ()
    while counts:
        lowest = counts & -counts
        at = lowest.bit_length() - 1
        stacks += _STACKS[at]
        faces += _FACES[at]
        counts ^= lowest
    return stacks, faces, valley


def pack_dice(stacks: tuple[int, ...], faces: tuple[int, ...], valley: int) -> int:
    on_stacks = zip(stacks, faces, strict=True)
    return valley * VALLEY_DIE + sum(ADDED[stack][face] for stack, face in on_stacks)


_schema = Schema(MESSAGES, ENUMS)
_schema.add("JackalCards", SingleField(_schema.fields("JackalCards")))
# The placed dice of a seat are stored packed.
_schema.add("JackalDice", Message(pack_dice, _schema.fields("JackalDice"), split=unpack_dice))
_schema.add("JackalAction.Placement", SingleField(_schema.fields("JackalAction.Placement")))
_schema.add("JackalAction.Order", SingleField(_schema.fields("JackalAction.Order")))
_schema.add_enum("JackalEvent.Question", Question)

parameters = Message(Parameters, _schema.fields("JackalParameters"))
view = Message(View, _schema.fields("JackalView"), context=CONTEXT)
event = OneOf(
    _schema.kinds(
        "JackalEvent",
        (
            ValleyOpened,
            RoundBegan,
            DiceRolled,
            DicePlaced,
            DieLost,
            DiceCollected,
            DuelRolled,
            StackWon,
            CardsOrdered,
            ValleyRolled,
            ValleyTaken,
            ValleyPaid,
            MatchEnded,
        ),
        {
            MatchEnded: {
                "capped": Conversion(
                    lambda ending: ending is Ending.LENGTH_CAP,
                    lambda capped: Ending.LENGTH_CAP if capped else Ending.PLAYED_OUT,
                )
            }
        },
    )
)

_ACTION = _schema.fields("JackalAction")
_VALLEY = _ACTION["valley"].put(True)
_AGAIN = _ACTION["again"].put(True)
_PLACEMENTS = {stacks: action for action, stacks in enumerate(DIGITS) if action != VALLEY}
_ORDER_ACTIONS = {
    tuple(at + 1 for at in order): FIRST_ORDER + at for at, order in enumerate(ORDERS)
}


def _write_action(action: int) -> bytes:
    if action == VALLEY:
        return _VALLEY
    if action == AGAIN:
        return _AGAIN
    if action < AGAIN:
        return _ACTION["place"].put(DIGITS[action])
    return _ACTION["order"].put(tuple(at + 1 for at in order_of(action)))


def _read_action(message: Any) -> int | None:
    kind = message.WhichOneof("action")
    if kind == "valley":
        return VALLEY
    if kind == "again":
        return AGAIN
    if kind == "order":
        return _ORDER_ACTIONS.get(tuple(message.order.positions))
    # RULES 18: dice after the last one named are kept.
    stacks = (*message.place.stacks, 0, 0, 0)[: max(3, len(message.place.stacks))]
    return _PLACEMENTS.get(stacks)


CODEC = Codec("jackal", parameters, view, event, _write_action, _read_action)
