"""The notation of MEOW, and the kinds of values that its records consist of."""

from __future__ import annotations

from typing import Annotated

from arena.games.meow.cards import COLOURS, Card, cards_in, mask_of
from arena.games.notation import Form, Packed, choice

_colours: Form[int] = choice(
    "a set of colours",
    {
        "+".join(name for bit, name in enumerate(COLOURS) if colours >> bit & 1) or "none": colours
        for colours in range(8)
    },
)

CardSet = Annotated[int, Packed(Card, cards_in, mask_of)]
ColourSet = Annotated[int, _colours._replace(has_blanks=True)]
