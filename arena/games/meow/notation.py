"""The notation of MEOW: cards, tokens, actions, views and events as text.

A card is its colour's letter and its rank (`P5`, `B13`, `G18`), a bowl or bone its worth (`7`,
`-3`), and the others are `fish` and `vase`.
"""

from __future__ import annotations

from arena.games.forms import Form, choice, integer, lines, mapped, pairs, several, tagged, yes_no
from arena.games.meow.cards import (
    CARDS,
    COLOUR_OF,
    COLOURS,
    FISH,
    VASE,
    WORTH_LIMIT,
    cards_in,
    mask_of,
    rank_of,
)
from arena.games.meow.events import CardPlayed, Event, RoundBegan, TrickWon
from arena.games.meow.parameters import Parameters, Vases
from arena.games.meow.view import View

card_form: Form[int] = choice(
    "a card",
    {f"{'PBG'[COLOUR_OF[card]]}{rank_of(card)}": card for card in range(CARDS)},
)
_WORTHS = (*range(1, WORTH_LIMIT + 1), *range(-1, -WORTH_LIMIT - 1, -1))
token_form: Form[int] = choice(
    "a token", {"fish": FISH, "vase": VASE, **{str(worth): worth for worth in _WORTHS}}
)
vases_form: Form[Vases] = choice("a count of vases", {vases.value: vases for vases in Vases})

parameters_form: Form[Parameters] = pairs(
    "a match of meow",
    Parameters,
    expert=yes_no,
    tokens=several(token_form, ","),
    vases=vases_form,
    ranks=integer,
    hand=integer,
    rounds=integer,
)

_cards: Form[int] = mapped(several(card_form), cards_in, mask_of)
_void = choice(
    "a set of colours",
    {
        "+".join(name for bit, name in enumerate(COLOURS) if voids >> bit & 1) or "none": voids
        for voids in range(8)
    },
)

view_form: Form[View] = lines(
    "a view",
    View,
    parameters=parameters_form,
    seats=integer,
    seat=integer,
    to_act=integer,
    round=integer,
    row=several(token_form),
    later=several(token_form),
    won=several(several(token_form), " | "),
    leader=integer,
    trick=several(card_form),
    hand_mask=_cards,
    played_masks=several(_cards, " | "),
    voids=several(_void, " | "),
)

event_form: Form[Event] = tagged(
    "an event",
    round=(
        RoundBegan,
        {"round": integer, "leader": integer, "row": several(token_form, ",")},
    ),
    played=(CardPlayed, {"seat": integer, "card": card_form}),
    won=(TrickWon, {"seat": integer, "token": token_form}),
)
