"""The notation of Trio: actions, views and events as text.

An action is `centre 3`, `low 2`, `high 2`, `give 7` or `keep`; slots and seats count from 0. In
lists and events, a place is written with a hyphen (`low-2`). A centre slot is its number, `?` until
it has been seen, or `x` when it is empty.
"""

from __future__ import annotations

from arena.errors import BadText
from arena.games.forms import (
    Form,
    choice,
    integer,
    lines,
    mapped,
    optional,
    pairs,
    several,
    tagged,
    yes_no,
)
from arena.games.trio.cards import (
    EMPTY,
    FIRST_GIVE,
    KEEP,
    NUMBERS,
    SEATS,
    SLOTS,
    UNSEEN,
    give,
    high,
    low,
)
from arena.games.trio.events import CardRevealed, CardsReturned, Event, SwapSettled, TrioTaken
from arena.games.trio.knowledge import Earlier, Known, KnownToPartner
from arena.games.trio.parameters import Mode, Parameters
from arena.games.trio.swaps import NOT_YET
from arena.games.trio.view import View

_ACTIONS = {
    **{f"centre {slot}": slot for slot in range(SLOTS)},
    **{f"low {seat}": low(seat) for seat in range(SEATS)},
    **{f"high {seat}": high(seat) for seat in range(SEATS)},
    **{f"give {number}": give(number) for number in range(1, NUMBERS + 1)},
    "keep": KEEP,
}
_words: Form[int] = choice("an action", _ACTIONS)
action_form: Form[int] = Form(_words.show, lambda text: _words.read(" ".join(text.split())))
place_form: Form[int] = choice(
    "a place",
    {word.replace(" ", "-"): action for word, action in _ACTIONS.items() if action < FIRST_GIVE},
)
_chosen: Form[int] = choice(
    "a choice", {"-": NOT_YET, **{word: at for word, at in _ACTIONS.items() if at >= FIRST_GIVE}}
)
_slot: Form[int] = choice(
    "a slot", {"?": UNSEEN, "x": EMPTY, **{str(n): n for n in range(1, NUMBERS + 1)}}
)

parameters_form: Form[Parameters] = pairs(
    "a match of trio",
    Parameters,
    mode=choice("a mode", {mode.value: mode for mode in Mode}),
    teams=yes_no,
    turn_cap=integer,
    numbers=integer,
    hand=integer,
    trios=integer,
)

_cards = several(integer, ",")
known_form: Form[Known] = pairs(
    "knowledge of a hand",
    Known,
    size=integer,
    low=_cards,
    high=_cards,
    least=integer,
    most=integer,
)
partner_form: Form[KnownToPartner] = pairs(
    "knowledge of a partner's hand", KnownToPartner, cards=_cards, least=integer, most=integer
)
earlier_form: Form[Earlier] = pairs(
    "earlier knowledge of a hand",
    Earlier,
    cards=_cards,
    least=integer,
    most=integer,
    gone=integer,
    strange=integer,
)


def _pair(values: tuple[int, ...]) -> tuple[int, int]:
    if len(values) != 2:
        raise BadText(f"a swap is two numbers, given and got, not {len(values)}")
    return values[0], values[1]


view_form: Form[View] = lines(
    "a view",
    View,
    parameters=parameters_form,
    seats=integer,
    seat=integer,
    to_act=integer,
    turn=integer,
    piles=several(several(integer), " | "),
    hand=several(integer),
    known=several(known_form, " | "),
    centre=several(_slot),
    shown=several(place_form),
    phase=several(integer),
    chosen=_chosen,
    partner=optional(partner_form),
    told=optional(partner_form),
    log=several(mapped(several(integer, ">"), tuple, _pair)),
    swaps=several(integer),
    shared=several(several(integer), " | "),
    earlier=several(several(earlier_form, " / "), " | "),
)

event_form: Form[Event] = tagged(
    "an event",
    revealed=(CardRevealed, {"seat": integer, "place": place_form, "number": integer}),
    returned=(CardsReturned, {"seat": integer}),
    taken=(TrioTaken, {"seat": integer, "number": integer}),
    settled=(SwapSettled, {"seat": integer, "partner": integer, "swapped": yes_no}),
)
