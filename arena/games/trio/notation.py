"""The notation of Trio, and the kinds of values that its records consist of.

An action is `centre 3`, `low 2`, `high 2`, `give 7` or `keep`; slots and seats count from 0. In
lists and events, a place is written with a hyphen (`low-2`). A centre slot is its number, `?` until
it has been seen, or `x` when it is empty.
"""

from __future__ import annotations

from typing import Annotated

from arena.errors import BadText
from arena.games.notation import Form, choice, integer, mapped, several
from arena.games.trio.cards import EMPTY, FIRST_GIVE, NOT_YET, NUMBERS, UNSEEN, Action

_words = Action.form()
action_form: Form[int] = Form(_words.show, lambda text: _words.read(" ".join(text.split())))
place_form: Form[int] = choice(
    "a place", {str(each).replace(" ", "-"): each for each in Action.values[:FIRST_GIVE]}
)
_chosen: Form[int] = choice(
    "a choice", {"-": NOT_YET, **{str(each): each for each in Action.values[FIRST_GIVE:]}}
)
_slot: Form[int] = choice(
    "a slot", {"?": UNSEEN, "x": EMPTY, **{str(n): n for n in range(1, NUMBERS + 1)}}
)


def _pair(values: tuple[int, ...]) -> tuple[int, int]:
    if len(values) != 2:
        raise BadText(f"a swap is two numbers, given and got, not {len(values)}")
    return values[0], values[1]


Place = Annotated[Action, place_form]
Choice = Annotated[int, _chosen]
Slot = Annotated[int, _slot]
Swap = Annotated[tuple[int, int], mapped(several(integer, ">"), tuple, _pair)]
