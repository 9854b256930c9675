"""The notation of Life is Life: cards, actions, views and events as text.

An animal is its name, and cards are lists of names. A swap is the number of the row and the animals
laid for it (`1 cat`, `3 dog cat cat`); the other action is `knock`.
"""

from __future__ import annotations

from arena.errors import BadText
from arena.games.forms import Form, choice, integer, lines, mapped, pairs, several, tagged, yes_no
from arena.games.lifeislife.cards import (
    ACTION_OF,
    ANIMALS,
    KNOCK,
    LAID,
    ROW_OF,
    ROWS,
    animals_in,
    herd_of,
)
from arena.games.lifeislife.events import (
    Event,
    Knocked,
    RoundBegan,
    Scored,
    SuddenDeath,
    Swapped,
    WentOut,
)
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.view import View

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

parameters_form: Form[Parameters] = pairs(
    "a match of lifeislife",
    Parameters,
    expert=yes_no,
    turn_cap=integer,
    round_cap=integer,
    kinds=integer,
    copies=integer,
    hand=integer,
    rows=integer,
    lives=integer,
)

_herd: Form[int] = mapped(several(animal_form), animals_in, herd_of)
_herds: Form[tuple[int, ...]] = several(_herd, " | ")

view_form: Form[View] = lines(
    "a view",
    View,
    parameters=parameters_form,
    seats=integer,
    seat=integer,
    to_act=integer,
    lives=several(integer),
    out=several(integer),
    round=integer,
    starter=integer,
    turn=integer,
    last_turn=integer,
    knocker=integer,
    row_herds=_herds,
    hand_herd=_herd,
    known_herds=_herds,
    lacking_herds=_herds,
)

_row: Form[int] = choice("a row", {str(row + 1): row for row in range(ROWS)})
_word: Form[int] = mapped(several(animal_form, "+"), animals_in, herd_of)
_words: Form[tuple[int, ...]] = several(_word, ",")
_numbers: Form[tuple[int, ...]] = several(integer, ",")

event_form: Form[Event] = tagged(
    "an event",
    round=(RoundBegan, {"round": integer, "starter": integer, "rows": _words}),
    swapped=(Swapped, {"seat": integer, "row": _row, "laid": _word, "taken": _word}),
    knocked=(Knocked, {"seat": integer}),
    sudden=(
        SuddenDeath,
        {"seat": integer, "hand": _word, "gained": integer, "lost": _numbers},
    ),
    scored=(Scored, {"hands": _words, "totals": _numbers, "lost": _numbers}),
    out=(WentOut, {"seat": integer}),
)
