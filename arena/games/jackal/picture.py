"""What the cards and dice of Jackal & High look like, and where they lie."""

from __future__ import annotations

from functools import cache

from arena.games.core import HiddenCards
from arena.games.jackal.cards import LUCKY8, NO_CARD, PACK_NUMBERS, TAKE2
from arena.games.jackal.dice import FACES
from arena.games.jackal.notation import card_form
from arena.games.jackal.parameters import Parameters
from arena.games.jackal.scoring import paws
from arena.games.jackal.view import View
from arena.games.picture import Art, Piece, Placed, Zone, card, card_back, no_card, words
from arena.text import quantity

_SAND, _LINE = "#e9c98f", "#6b4a1e"
_JACKAL = (
    f'<g id="jackal" stroke="{_LINE}" stroke-width="1.5" stroke-linejoin="round">'
    f'<path d="M16 45L13 24l11 10h12l11-10-3 21-8 12-6 6-6-6z" fill="{_SAND}"/>'
    '<path d="M16.5 29l1.5 9 4-4zM43.5 29l-1.5 9-4-4z" fill="#b98a4a" stroke="none"/>'
    '<path d="M24 46l6 16 6-16-6 4z" fill="#fff6e3" stroke="none"/>'
    '<path d="M21 43l5 2M39 43l-5 2" stroke-width="2.4" stroke-linecap="round"/>'
    f'<path d="M27 59h6l-3 4z" fill="{_LINE}"/></g>'
)
_TRACK = (
    '<ellipse cx="0" cy="5" rx="5.5" ry="4.5"/><circle cx="-6" cy="-2" r="2.4"/>'
    '<circle cx="-2" cy="-6" r="2.4"/><circle cx="2" cy="-6" r="2.4"/>'
    '<circle cx="6" cy="-2" r="2.4"/>'
)

EMBLEM = ("21", "Lucky8", "13")
"""Three pieces that stand for the game."""


@cache
def art(parameters: Parameters) -> Art:
    """Return the cards and the dice; a die has the colour around it."""
    worths = zip(PACK_NUMBERS, parameters.paws, strict=True)
    pieces = {str(number): _pack_card(number, worth) for number, worth in worths}
    lucky = (
        '<rect x="4" y="4" width="52" height="76" rx="5" fill="#f7d873"/>'
        '<path d="M30 12l8 19 20 2-15 13 5 20-18-11-18 11 5-20L2 33l20-2z" fill="#fff3c4" '
        'stroke="#b98a00" stroke-width="1.5" transform="translate(6 8) scale(.8)"/>'
        + words(8, 30, 50, 26, fill="#7a5600")
        + words("Lucky", 30, 76, 12, fill="#7a5600")
    )
    two = (
        f'<g fill="{_LINE}"><g transform="translate(20 34) scale(1.3)">{_TRACK}</g>'
        f'<g transform="translate(41 45) scale(1.3)">{_TRACK}</g></g>'
        + words("Take 2", 30, 76, 13, fill=_LINE)
    )
    tip = "who wins it with the sum 8 also gets all stacks that nobody else has won"
    pieces["Lucky8"] = card(lucky, "Lucky8", tip, edge="#b98a00")
    worth = quantity(parameters.take2_paws, "paw")
    pieces["Take2"] = card(two, "Take2", f"{worth} for whoever wins its stack", edge=_LINE)
    pieces["none"] = no_card("no card")
    pieces["back"] = card_back(_TRACK, "#8a6a3c")
    for face in range(1, FACES + 1):
        pieces[f"die {face}"] = _die(face)
    pieces["die"] = _die(None)
    return Art(pieces, _JACKAL)


def _pack_card(number: int, worth: int) -> Piece:
    head = '<use href="#jackal" transform="translate(8 13) scale(.73)"/>'
    tracks = "".join(
        f'<g transform="translate({30 + 13 * (at - (worth - 1) / 2):g} 73) scale(.75)">{_TRACK}</g>'
        for at in range(worth)
    )
    label = words(number, 30, 25, 22, fill=_LINE)
    tip = f"won by dice with the sum {number}; worth {quantity(worth, 'paw')}"
    return card(f'{head}<g fill="{_LINE}">{tracks}</g>{label}', str(number), tip, edge="#b98a4a")


def _die(face: int | None) -> Piece:
    """Draw an eight-sided die, as it lies on the table: the face is the triangle in the middle."""
    body = (
        '<path d="M24 1.500L44 13v23L24 47.5 4 36V13z" fill="currentColor" stroke="#fff" '
        'stroke-width="1.5"/><path d="M24 5L41 35H7z" fill="#fff" fill-opacity=".93"/>'
        '<path d="M24 1.500L24 5M44 36L41 35M4 36L7 35" stroke="#fff"/>'
    )
    if face is None:
        return Piece(48, 49, body, "a die")
    return Piece(48, 49, body + words(face, 24, 32, 19), str(face))


def picture(view: View, *, hidden: HiddenCards | None = None) -> list[Zone]:
    """Say where the cards and dice of a view lie; `hidden` is the order of the deck, not shown."""
    zones = [_stack(view, at) for at in range(len(view.cards))]
    in_valley = [
        Placed("die", seat=seat) for seat, count in enumerate(view.in_valley) for _ in range(count)
    ]
    valley = [Placed(card_form.show(view.valley))]
    zones.append(Zone("Vulture valley", [valley, in_valley]))
    for seat in range(view.seats):
        dice = [Placed("die", seat=seat)] * view.in_hand[seat]
        if view.to_act == seat and view.rolled:
            dice = [Placed(f"die {face}", seat=seat, is_lit=True) for face in view.rolled]
        pile = [Placed(card_form.show(each)) for each in view.piles[seat]]
        pile += [Placed("Take2")] * view.take2s[seat]
        won = [Placed(card_form.show(each), is_lit=True) for each in view.spoils[seat]]
        worth = paws(view.piles[seat], view.take2s[seat], view.parameters)
        zones.append(Zone(quantity(worth, "paw"), [dice, won, pile], seat=seat))
    return zones


def _stack(view: View, at: int) -> Zone:
    top = view.cards[at]
    name = card_form.show(TAKE2 if top == NO_CARD else top)
    below = view.under[at]
    under = f"+ {below} Take2" if below else "sum 8" if top == LUCKY8 else ""
    dice = [
        Placed(f"die {face}", seat=seat)
        for seat, laid in enumerate(view.on_display)
        for face in laid[at]
    ]
    return Zone(f"Stack {at + 1}", [[Placed(name, under)], dice])
