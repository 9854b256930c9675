"""The notation of Life is Life, and the kinds of values that its records consist of.

An animal is its name, and cards are lists of names. A swap is the number of the row and the animals
laid for it (`1 cat`, `3 dog cat cat`); the other action is `knock`.
"""

from __future__ import annotations

from typing import Annotated

from arena.errors import BadText
from arena.games.lifeislife.cards import (
    ACTION_OF,
    COUNT,
    KNOCK,
    ROWS,
    SHIFTS,
    Action,
    Animal,
    animals_in,
    herd_of,
)
from arena.games.notation import Form, Packed, choice


def _read_action(text: str) -> Action:
    """Read an action; animals may be in any order and abbreviated if the result is unambiguous."""
    words = text.lower().split(maxsplit=ROWS + 1)
    if words == ["knock"]:
        return Action(KNOCK)
    if not words or words[0] not in ("1", "2", "3", "4"):
        raise BadText(
            f"{text[:40]!r} is not an action: the row from 1 to 4 and the animals laid "
            f"for it, as in '2 cat dog', or 'knock'"
        )
    row, *names = words
    if len(names) != int(row):
        raise BadText(f"{text[:80]!r} does not lay {row} for row {row}: as many as the row has")
    return Action(ACTION_OF[herd_of(map(_read_animal, names))])


def _read_animal(text: str) -> Animal:
    matches = [animal for animal in Animal if str(animal).startswith(text)]
    if len(matches) > 1:
        names = " or ".join(map(str, matches))
        raise BadText(f"{text[:40]!r} could be {names}")
    return matches[0] if matches else _animal_form.read(text)


_animal_form: Form[Animal] = choice("an animal", {str(animal): animal for animal in Animal})
action_form: Form[int] = Form(lambda action: str(Action(action)), _read_action)

Herd = Annotated[int, Packed(Animal, animals_in, herd_of, SHIFTS, COUNT)]
Row = Annotated[int, choice("a row", {str(row + 1): row for row in range(ROWS)})]
