"""How do Trio's values travel?"""

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
from arena.games.trio.knowledge import Earlier, Known, Told
from arena.games.trio.parameters import Mode, Parameters
from arena.games.trio.view import View
from arena.wire.codec import CONTEXT, Codec
from arena.wire.composite import Alone, Message, OneOf, each, optional
from arena.wire.fields import enumerated, flag, sint, sints, uint, uints, written

_cards = Alone("cards", uints(1))
_known: Message[Known] = Message(
    Known,
    {"size": uint(1), "low": uints(2), "high": uints(3), "least": uint(4), "most": uint(5)},
)
_told: Message[Told] = Message(Told, {"cards": uints(1), "least": uint(2), "most": uint(3)})
_swap: Message[tuple[int, int]] = Message(
    lambda gave, got: (gave, got), {"gave": uint(1), "got": uint(2)}
)
_earlier: Message[Earlier] = Message(
    Earlier,
    {"cards": uints(1), "least": uint(2), "most": uint(3), "gone": uint(4), "strange": uint(5)},
)

parameters = Message(
    Parameters, {"mode": enumerated(1, tuple(Mode)), "teams": flag(2), "turn_cap": uint(3)}
)

view = Message(
    View,
    {
        "turn": uint(1),
        "piles": each(2, _cards),
        "hand": uints(3),
        "known": each(4, _known),
        "centre": sints(5),
        "shown": uints(6),
        "phase": uints(7),
        "chosen": sint(8),
        "partner": optional(9, _told),
        "told": optional(10, _told),
        "log": each(11, _swap),
        "swaps": uints(12),
        "shared": each(13, _cards),
        "earlier": each(14, Alone("layers", each(1, _earlier))),
    },
    context=CONTEXT,
)

event = OneOf(
    {
        "card_revealed": (CardRevealed, {"seat": uint(1), "place": uint(2), "number": uint(3)}),
        "cards_returned": (CardsReturned, {"seat": uint(1)}),
        "trio_taken": (TrioTaken, {"seat": uint(1), "number": uint(2)}),
        "swap_settled": (SwapSettled, {"seat": uint(1), "partner": uint(2), "swapped": flag(3)}),
    },
)


def _action_bytes(action: int) -> bytes:
    if action < FIRST_HAND:
        return written(1, action)
    if action < FIRST_GIVE:
        seat, is_high = divmod(action - FIRST_HAND, 2)
        return written(3 if is_high else 2, seat)
    return written(5, 1) if action == KEEP else written(4, number_given(action))


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


CODEC = Codec(1, 2, parameters, view, event, _ACTION_BYTES.__getitem__, _read_action)
