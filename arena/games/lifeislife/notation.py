"""The notation of Life is Life, and the kinds of values that its records consist of.

An animal is its name, and cards are lists of names. A swap is the number of the row and the animals
laid for it (`1 cat`, `3 dog cat cat`); the other action is `knock`.
"""

from __future__ import annotations

from typing import Annotated

from arena.errors import BadText
from arena.games.lifeislife.cards import (
    ACTION_OF,
    ANIMALS,
    COUNT,
    KNOCK,
    LAID,
    ROW_OF,
    ROWS,
    SHIFTS,
    animals_in,
    herd_of,
)
from arena.games.notation import Form, Packed, choice

animal_form: Form[int] = choice("an animal", {name: at for at, name in enumerate(ANIMALS)})

_KNOCK = "knock"


def _show_action(action: int) -> str:
    if action == KNOCK:
        return _KNOCK
    return " ".join((str(ROW_OF[action] + 1), *(ANIMALS[at] for at in animals_in(LAID[action]))))


def _read_action(text: str) -> int:
    """Read an action; animals may be in any order and abbreviated if the result is unambiguous."""
    words = text.lower().split(maxsplit=ROWS + 1)
    if words == [_KNOCK]:
        return KNOCK
    if not words or words[0] not in ("1", "2", "3", "4"):
        raise BadText(
            f"{text[:40]!r} is not an action: the row from 1 to 4 and the animals laid "
            f"for it, as in '2 cat dog', or {_KNOCK!r}"
        )
    row, *names = words
    if len(names) != int(row):
        raise BadText(f"{text[:80]!r} does not lay {row} for row {row}: as many as the row has")
    return ACTION_OF[herd_of(tuple(map(_read_animal, names)))]


def _read_animal(text: str) -> int:
    matches = [at for at, name in enumerate(ANIMALS) if name.startswith(text)]
    if len(matches) > 1:
        names = " or ".join(ANIMALS[at] for at in matches)
        raise BadText(f"{text[:40]!r} could be {names}")
    return matches[0] if matches else animal_form.read(text)


action_form: Form[int] = Form(_show_action, _read_action)

Animal = Annotated[int, animal_form]
Herd = Annotated[int, Packed(Animal, animals_in, herd_of, SHIFTS, COUNT)]
Row = Annotated[int, choice("a row", {str(row + 1): row for row in range(ROWS)})]
