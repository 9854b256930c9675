"""What the animals of Life is Life look like, and where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from arena.games.core import HiddenCards
from arena.games.lifeislife.cards import ANIMALS, VALUES
from arena.games.lifeislife.parameters import Parameters
from arena.games.lifeislife.view import View
from arena.games.picture import Art, Piece, Placed, Zone, card, card_back, words
from arena.text import quantity

_EARS = {
    "horns": "M9 8L8 2M15 8l1-6M5 9l-3-2 3-1zM19 9l3-2-3-1z",
    "round": "M3.6 7a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0"
    "M13.6 7a3.4 3.4 0 1 0 6.8 0a3.4 3.4 0 1 0-6.8 0",
    "large": "M1.4 7a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0"
    "M13.4 7a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0-9.2 0",
    "long": "M8 11C5 6 6 1 8 1s3 5 2.6 9zM16 11c3-5 2-10 0-10s-3 5-2.6 9z",
    "pointed": "M4.5 12L5 3l6 5zM19.5 12L19 3l-6 5z",
    "hanging": "M7 7C2 6 1 12 3 17c3 0 4-4 4-6zM17 7c5-1 6 5 4 10-3 0-4-4-4-6z",
    "curved": "M9 9C8 4 5 2 2 3c3 1 3 4 4 7zM15 9c1-5 4-7 7-6-3 1-3 4-4 7z",
    "none": "",
}
_NOSES = {
    "dot": "M10.8 15h2.4l-1.2 1.5z",
    "snout": "M8.4 16a3.6 2.6 0 1 0 7.2 0a3.6 2.6 0 1 0-7.2 0M10.6 16v.2M13.4 16v.2",
    "muzzle": "M8.8 17.4a3.2 2.8 0 1 0 6.4 0a3.2 2.8 0 1 0-6.4 0M11 16.6h2",
    "pink": "M9.6 17a2.4 2.2 0 1 0 4.8 0a2.4 2.2 0 1 0-4.8 0",
}
_SHAPES = {
    "wide": "M4.5 14a7.5 7 0 1 0 15 0a7.5 7 0 1 0-15 0",
    "long": "M6 13a6 5.6 0 0 1 12 0c0 3-1.6 9-6 9s-6-6-6-9",
}
_HEADS = {
    "giraffe": ("horns", "long", "muzzle", "#eebc4f", "#d59a34"),
    "bear": ("round", "wide", "muzzle", "#9a6a42", "#c49a71"),
    "mole": ("none", "wide", "pink", "#6e6670", "#e59aa5"),
    "goat": ("curved", "long", "dot", "#cfc8bb", "#4a3a33"),
    "sheep": ("hanging", "wide", "dot", "#f3efe4", "#4a3a33"),
    "dog": ("hanging", "long", "muzzle", "#c98f55", "#edd3b3"),
    "rabbit": ("long", "wide", "dot", "#d9cfc8", "#dd8f9b"),
    "pig": ("pointed", "wide", "snout", "#f2a9b2", "#e3808d"),
    "cat": ("pointed", "wide", "dot", "#e6914b", "#b4525c"),
    "mouse": ("large", "long", "dot", "#a9b2bd", "#dd8f9b"),
}
"""Ears, shape and nose; the colours of the skin and the nose."""
_LEAF = '<path d="M-8 6C-8-6 2-9 9-9 9 2 4 9-8 6z"/>'

EMBLEM = ("cat", "giraffe", "pig")
"""Three pieces that stand for the game."""


@cache
def art(parameters: Parameters) -> Art:
    """Return a card for each animal."""
    # RULES 15: no animal has more copies in a small match.
    most = parameters.copies or max(VALUES)
    values = zip(ANIMALS, VALUES, strict=True)
    pieces = {name: _animal(name, min(value, most)) for name, value in values}
    pieces["back"] = card_back(_LEAF)
    return Art(pieces)


def _animal(name: str, worth: int) -> Piece:
    ears, shape, nose, skin, tone = _HEADS[name]
    line = 'stroke="#3a2f28" stroke-width=".8" stroke-linejoin="round"'
    head = (
        f'<g transform="translate(7 17) scale(1.92)"><g fill="{skin}" {line}>'
        f'<path d="{_EARS[ears]}"/><path d="{_SHAPES[shape]}"/></g>'
        f'<path d="{_NOSES[nose]}" fill="{tone}" {line} stroke-linecap="round"/>'
        '<path d="M9.2 12.3v.1M14.8 12.3v.1" stroke="#221a16" stroke-width="2.1" '
        'stroke-linecap="round"/></g>'
    )
    text = words(worth, 11, 19, 15, fill="#5a6572") + words(name, 30, 77, 12)
    return card(head + text, name, f"a majority of {name} cards scores {worth} points")


def picture(view: View, *, hidden: HiddenCards | None = None) -> list[Zone]:
    """Say where the animals of a view lie; with `hidden`, all hands are face up."""
    zones = [
        Zone(f"Row {at + 1}", [[Placed(str(each)) for each in row]])
        for at, row in enumerate(view.rows)
    ]
    for seat in range(view.seats):
        lives = quantity(view.lives[seat], "life", "lives")
        if seat not in view.players:
            zones.append(Zone("out", [], note=f"since round {view.out[seat] + 1}", seat=seat))
            continue
        if hidden:
            hand, unknown = _counted(hidden.hands[seat]), 0
        elif seat == view.seat:
            hand, unknown = _counted([str(each) for each in view.hand]), 0
        else:
            hand = _counted([str(each) for each in view.known[seat]])
            unknown = view.parameters.hand_size - len(view.known[seat])
        if unknown:
            hand.append(Placed("back", f"× {unknown}"))
        note = "announced the last lap" if view.knocker == seat else ""
        zones.append(Zone(lives, [hand], note=note, seat=seat))
    return zones


def _counted(hand: Sequence[str]) -> list[Placed]:
    """Put equal animals on one card."""
    counts = {name: hand.count(name) for name in ANIMALS if name in hand}
    return [Placed(name, f"× {many}" if many > 1 else "") for name, many in counts.items()]
