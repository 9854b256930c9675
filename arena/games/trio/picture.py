"""What the cards of Trio look like, and where they lie."""

from __future__ import annotations

import math
from functools import cache

from arena.games.core import HiddenCards
from arena.games.picture import Art, Piece, Placed, Zone, card, card_back, no_card, words
from arena.games.trio.cards import EMPTY, NUMBERS, SEVEN, Action, is_connected
from arena.games.trio.parameters import Parameters
from arena.games.trio.view import View
from arena.text import quantity

_HUES = (
    "#b3372d", "#b8560f", "#946300", "#5f7300", "#2c7d2c", "#0f7f63",
    "#a87b00", "#0c7285", "#2464c9", "#5452c4", "#8a3fb0", "#b02d78",
)  # fmt: skip
_FLOWER = '<g transform="scale(.9)">' + "".join(
    f'<ellipse cx="{7 * math.cos(turn):.1f}" cy="{7 * math.sin(turn):.1f}" rx="4.4" ry="4.4"/>'
    for turn in (math.tau * n / 5 for n in range(5))
) + '<circle r="3.4" fill="#6c7f9c"/></g>'  # fmt: skip

EMBLEM = ("5", "7", "2")
"""Three pieces that stand for the game."""


@cache
def art(parameters: Parameters) -> Art:
    """Return the cards: each has a flower with as many petals as its number."""
    pieces = {str(number): _flower(number) for number in range(1, NUMBERS + 1)}
    pieces["back"] = card_back(_FLOWER)
    pieces["empty"] = no_card("empty", "its card was taken")
    return Art(pieces)


def _flower(number: int) -> Piece:
    hue = _HUES[number - 1]
    reach, width = 15.5, min(8.0, 46 / number)
    petals = "".join(
        f'<ellipse cx="30" cy="{44 - reach:g}" rx="{width:.1f}" ry="9" '
        f'transform="rotate({360 * n / number:.1f} 30 44)"/>'
        for n in range(number)
    )
    flower = (
        f'<g fill="{hue}" fill-opacity=".32" stroke="{hue}" stroke-width="1">{petals}</g>'
        f'<circle cx="30" cy="44" r="14" fill="#fffdf7" stroke="{hue}" stroke-width="2"/>'
    )
    star = ""
    if number == SEVEN:
        star = words("★", 47, 19, 15, fill=hue)
    numbers = words(number, 30, 51.5, 21, fill=hue) + words(
        number, 12 if number < 10 else 14, 18, 14, fill=hue
    )
    other = [n for n in range(1, NUMBERS + 1) if is_connected(number, n)]
    tip = "a trio of sevens wins at once" if number == SEVEN else (
        f"goes with {' and '.join(map(str, other))} in the spicy variant"
    )  # fmt: skip
    return card(flower + numbers + star, str(number), tip, edge=hue)


def picture(view: View, *, hidden: HiddenCards | None = None) -> list[Zone]:
    """Say where the cards of a view lie; with `hidden`, all are face up."""
    slots = list(map(_slot, view.centre))
    if hidden:
        slots = ["empty" if name == "x" else name for name in hidden.face_down]
    up = set(view.shown)
    centre = [
        Placed(name if at not in up else str(view.number), str(at), is_lit=at in up)
        for at, name in enumerate(slots)
    ]
    zones = [Zone("The centre", [centre])]
    for seat in range(view.seats):
        team = seat % len(view.piles)
        pile = view.piles[team]
        known = view.known[seat]
        if hidden:
            hand = list(hidden.hands[seat])
        elif seat == view.seat:
            hand = list(map(str, view.hand))
        else:
            between = known.size - len(known.low) - len(known.high)
            hand = [*map(str, known.low), *["back"] * between, *map(str, known.high)]
        title = quantity(len(pile), "trio")
        if view.parameters.teams:
            title = f"team {team}, {title}"
        lit = _turned_up(view.shown, seat, len(hand))
        cards = [Placed(name, is_lit=at in lit) for at, name in enumerate(hand)]
        zones.append(Zone(title, [cards, [Placed(str(number)) for number in pile]], seat=seat))
    return zones


def _slot(number: int) -> str:
    return "empty" if number == EMPTY else str(number) if number else "back"


def _turned_up(shown: tuple[Action, ...], seat: int, size: int) -> set[int]:
    """Return which cards of a hand, counted from its lowest, are face up."""
    own = [place.kind for place in shown if place.seat == seat]
    low, high = own.count("low"), own.count("high")
    return {*range(low), *range(size - high, size)}
