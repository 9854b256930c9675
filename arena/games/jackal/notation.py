"""The notation of Jackal & High, and the kinds of values that its records consist of.

A pack card is its number, the others are `Lucky8` and `Take2`. An action is `place 2 - 1` (the
first of the rolled dice on stack 2, the second kept, the third on stack 1; dice after the last one
named are kept), `valley`, `again`, or `order 2 1 3` (the second of the won cards goes down first,
the third last and on top). A seat's placed dice are `1:3+5 4:7 valley:1`.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

from arena.errors import BadText
from arena.games.jackal.actions import Action
from arena.games.jackal.cards import CARD_WORDS
from arena.games.jackal.dice import (
    ADDED,
    DICE,
    FACES,
    MOST_STACKS,
    VALLEY_AT,
    VALLEY_DIE,
    faces_on,
    pack_dice,
    unpack_dice,
)
from arena.games.notation import NOTHING, Flag, Form, Packed, choice, integer
from arena.games.outcome import Ending

_ACTIONS = {str(action): action for action in Action.values}


def _read_action(text: str) -> Action:
    words = text.lower().split()
    while words[:1] == ["place"] and len(words) <= DICE + 1 and words[-1] == NOTHING:
        words.pop()
    action = _ACTIONS.get(" ".join(words))
    if action is None:
        raise BadText(
            f"{text[:40]!r} is not an action: "
            "one like 'place 2 - 1', 'valley', 'again' or 'order 2 1 3'"
        )
    return action


action_form: Form[int] = Form(lambda action: str(Action.values[action]), _read_action)

card_form: Form[int] = choice("a card", CARD_WORDS)


def _show_laid(laid: int) -> str:
    places = [
        f"{stack + 1}:" + "+".join(map(str, faces_on(laid, stack)))
        for stack in range(MOST_STACKS)
        if faces_on(laid, stack)
    ]
    if laid >> VALLEY_AT:
        places.append(f"valley:{laid >> VALLEY_AT}")
    return " ".join(places) or NOTHING


def _read_laid(text: str) -> int:
    places = [place.partition(":") for place in text.split() if place != NOTHING]
    dice = 0
    laid = 0
    for where, _, what in places:
        if where.lower() == "valley":
            count = _bounded(what, 1, DICE)
            dice += count
            laid += VALLEY_DIE * count
            continue
        stack = _bounded(where, 1, MOST_STACKS)
        for word in what.split("+"):
            dice += 1
            laid += ADDED[stack][_bounded(word, 1, FACES)]
    if dice > DICE:
        raise BadText(f"{text[:40]!r} has {dice} dice, a seat has {DICE}")
    return laid


def _bounded(text: str, least: int, most: int) -> int:
    number = integer.read(text)
    if not least <= number <= most:
        raise BadText(f"{number} is not between {least} and {most}")
    return number


class PlacedDice(NamedTuple):
    """The placed dice of a seat."""

    stacks: tuple[int, ...]
    faces: tuple[int, ...]
    """The face of a die on each of these stacks."""
    valley: int


laid_form: Form[int] = Form(_show_laid, _read_laid, has_blanks=True)
Card = Annotated[int, card_form]
Laid = Annotated[int, laid_form, Packed(PlacedDice, unpack_dice, pack_dice)]
HowEnded = Annotated[
    Ending,
    choice("an ending", {each.code: each for each in Ending}),
    Flag(Ending.LENGTH_CAP, Ending.PLAYED_OUT),
]
