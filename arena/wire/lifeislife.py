"""How do Life is Life's values travel?"""

from __future__ import annotations

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
from arena.wire.composite import Alone, Message, OneOf, each, nested
from arena.wire.fields import converted, delimited, flag, sint, sints, uint, uints


def _counts(herd: int) -> tuple[int, ...]:
    return tuple([herd >> shift & COUNT for shift in SHIFTS])


def _herd(counts: tuple[int, ...]) -> int:
    return sum([count * one for count, one in zip(counts, ONE, strict=False)])


_cards = Alone("counts", converted(uints(1), _counts, _herd))

parameters = Message(Parameters, {"expert": flag(1), "turn_cap": uint(2), "round_cap": uint(3)})

view = Message(
    View,
    {
        "lives": uints(1),
        "out": sints(2),
        "round": uint(3),
        "starter": uint(4),
        "turn": uint(5),
        "last_turn": uint(6),
        "knocker": sint(7),
        "rows": each(8, _cards),
        "hand": nested(9, _cards),
        "known": each(10, _cards),
        "lacking": each(11, _cards),
    },
    context=CONTEXT,
)

event = OneOf(
    {
        "round_began": (
            RoundBegan,
            {"round": uint(1), "starter": uint(2), "rows": each(3, _cards)},
        ),
        "swapped": (
            Swapped,
            {
                "seat": uint(1),
                "row": uint(2),
                "laid": nested(3, _cards),
                "taken": nested(4, _cards),
            },
        ),
        "knocked": (Knocked, {"seat": uint(1)}),
        "sudden_death": (
            SuddenDeath,
            {"seat": uint(1), "hand": nested(2, _cards), "gained": uint(3), "lost": uints(4)},
        ),
        "scored": (Scored, {"hands": each(1, _cards), "totals": uints(2), "lost": uints(3)}),
        "went_out": (WentOut, {"seat": uint(1)}),
    },
)

_KNOCK = flag(2).put(True)


def _write_action(action: int) -> bytes:
    return _KNOCK if action == KNOCK else delimited(1, _cards.write(LAID[action]))


def _read_action(message: Any) -> int | None:
    if message.WhichOneof("action") == "knock":
        return KNOCK
    counts = tuple(message.swap.counts)
    if len(counts) != len(ONE) or max(counts) > COUNT:
        return None
    return ACTION_OF.get(_herd(counts))


CODEC = Codec(4, 5, parameters, view, event, _write_action, _read_action)
