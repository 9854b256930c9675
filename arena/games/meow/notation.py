"""The notation of MEOW, and the kinds of values that its records consist of.

A card is its colour's letter and its rank (`P5`, `B13`, `G18`), a bowl or bone its worth (`7`,
`-3`), and the others are `fish` and `vase`.
"""

from __future__ import annotations

from typing import Annotated

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
from arena.games.notation import Form, Packed, choice

card_form: Form[int] = choice(
    "a card",
    {f"{'PBG'[COLOUR_OF[card]]}{rank_of(card)}": card for card in range(CARDS)},
)
_WORTHS = (*range(1, WORTH_LIMIT + 1), *range(-1, -WORTH_LIMIT - 1, -1))
token_form: Form[int] = choice(
    "a token", {"fish": FISH, "vase": VASE, **{str(worth): worth for worth in _WORTHS}}
)
_colours: Form[int] = choice(
    "a set of colours",
    {
        "+".join(name for bit, name in enumerate(COLOURS) if colours >> bit & 1) or "none": colours
        for colours in range(8)
    },
)

Card = Annotated[int, card_form]
CardSet = Annotated[int, Packed(Card, cards_in, mask_of)]
Token = Annotated[int, token_form]
ColourSet = Annotated[int, _colours._replace(has_blanks=True)]
