"""How do Jackal & High's values travel?"""

from __future__ import annotations

from typing import Any

from arena.games.core import Ending
from arena.games.jackal.actions import AGAIN, DIGITS, FIRST_ORDER, ORDERS, VALLEY, order_of
from arena.games.jackal.dice import ADDED, MOST_STACKS, VALLEY_AT, VALLEY_DIE, faces_on
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
from arena.wire.codec import CONTEXT, Codec
from arena.wire.composite import Alone, Message, OneOf, each
from arena.wire.fields import Field, converted, delimited, enumerated, flag, uint, uints


def _spread(laid: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    dice = [(at + 1, face) for at in range(MOST_STACKS) for face in faces_on(laid, at)]
    stacks = tuple(stack for stack, _ in dice)
    return stacks, tuple(face for _, face in dice), laid >> VALLEY_AT


def _packed(stacks: tuple[int, ...], faces: tuple[int, ...], valley: int) -> int:
    on_stacks = zip(stacks, faces, strict=True)
    return valley * VALLEY_DIE + sum(ADDED[stack][face] for stack, face in on_stacks)


class _Laid(Message[int]):
    """The placed dice of one seat, which are stored packed."""

    def write(self, record: Any) -> bytes:
        return super().write(_spread(record))


_laid = _Laid(_packed, {"stacks": uints(1), "faces": uints(2), "valley": uint(3)})
_cards = Alone("cards", uints(1))


parameters = Message(Parameters, {"paws": uints(1), "take2_paws": uint(2), "round_cap": uint(3)})

view = Message(
    View,
    {
        "round": uint(1),
        "starter": uint(2),
        "turn": uint(3),
        "cards": uints(4),
        "under": uints(5),
        "laid": each(6, _laid),
        "rolled": uints(7),
        "rolls_left": uint(8),
        "spoils": each(9, _cards),
        "valley": uint(10),
        "piles": each(11, _cards),
        "take2s": uints(12),
        "gone": uint(13),
        "unseen": uints(14),
    },
    context=CONTEXT,
)

_KINDS: dict[str, tuple[type[Any], dict[str, Field[Any]]]] = {
    "valley_opened": (ValleyOpened, {"card": uint(1)}),
    "round_began": (
        RoundBegan,
        {
            "round": uint(1),
            "starter": uint(2),
            "drawn": uints(3),
            "cards": uints(4),
            "under": uints(5),
        },
    ),
    "dice_rolled": (DiceRolled, {"seat": uint(1), "dice": uints(2), "rolls_left": uint(3)}),
    "dice_placed": (DicePlaced, {"seat": uint(1), "dice": uints(2), "stacks": uints(3)}),
    "die_lost": (DieLost, {"seat": uint(1)}),
    "dice_collected": (DiceCollected, {"valley": uints(1)}),
    "duel_rolled": (DuelRolled, {"stack": uint(1), "seat": uint(2), "dice": uints(3)}),
    "stack_won": (
        StackWon,
        {"seat": uint(1), "stack": uint(2), "card": uint(3), "take2s": uint(4), "lucky": flag(5)},
    ),
    "cards_ordered": (CardsOrdered, {"seat": uint(1), "cards": uints(2)}),
    "valley_rolled": (
        ValleyRolled,
        {"question": enumerated(1, tuple(Question)), "seat": uint(2), "dice": uints(3)},
    ),
    "valley_taken": (ValleyTaken, {"seat": uint(1), "card": uint(2)}),
    "valley_paid": (ValleyPaid, {"seat": uint(1), "card": uint(2)}),
    "match_ended": (
        MatchEnded,
        {
            "capped": converted(
                flag(1),
                lambda ending: ending is Ending.LENGTH_CAP,
                lambda capped: Ending.LENGTH_CAP if capped else Ending.PLAYED_OUT,
            ),
            "drawn": uints(2),
        },
    ),
}
event = OneOf(_KINDS)

_VALLEY = flag(2).put(True)
_AGAIN = flag(3).put(True)
_numbers = uints(1)
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
        return delimited(1, _numbers.put(DIGITS[action]))
    return delimited(4, _numbers.put(tuple(at + 1 for at in order_of(action))))


def _read_action(message: Any) -> int | None:
    kind = message.WhichOneof("action")
    if kind == "valley":
        return VALLEY
    if kind == "again":
        return AGAIN
    if kind == "order":
        return _ORDER_ACTIONS.get(tuple(message.order.positions))
    # Dice after the last one named are kept.
    stacks = (*message.place.stacks, 0, 0, 0)[: max(3, len(message.place.stacks))]
    return _PLACEMENTS.get(stacks)


CODEC = Codec(2, 3, parameters, view, event, _write_action, _read_action)
