"""What the cards and tokens of MEOW look like, and where they lie."""

from __future__ import annotations

from functools import cache

from arena.games.core import HiddenCards
from arena.games.meow.cards import DECK, Card, Token
from arena.games.meow.parameters import Parameters
from arena.games.meow.state import points
from arena.games.meow.view import View
from arena.games.picture import Art, Piece, Placed, Zone, card, card_back, words
from arena.text import quantity

_FUR = {"P": ("#c22f7c", "#f7cfe2"), "B": ("#2464c9", "#cfe0fa"), "G": ("#1d7f45", "#cdeeda")}
"""The colour of the lines and of the fur."""
_EYES = {
    # Pink kittens are asleep, blue ones look around, green ones beat them all and know it.
    "P": '<path d="M20 45q3 4 6 0M34 45q3 4 6 0" fill="none"/>',
    "B": '<g stroke="none"><circle cx="23" cy="45" r="3.2"/><circle cx="37" cy="45" r="3.2"/></g>'
    '<g fill="#fff" stroke="none"><circle cx="24" cy="44" r="1.1"/>'
    '<circle cx="38" cy="44" r="1.1"/></g>',
    "G": '<path d="M19 43l7 2M41 43l-7 2" stroke-width="2.2"/><g stroke="none">'
    '<circle cx="23.5" cy="46.5" r="2.2"/><circle cx="36.5" cy="46.5" r="2.2"/></g>'
    '<path d="M24 29l2-6 4 3 4-3 2 6z" fill="#e0a100" stroke="#8a6100" stroke-width="1"/>',
}
_PAW = (
    '<ellipse cx="0" cy="5" rx="6" ry="5"/><circle cx="-7" cy="-2" r="2.6"/>'
    '<circle cx="-2.6" cy="-6" r="2.8"/><circle cx="2.6" cy="-6" r="2.8"/>'
    '<circle cx="7" cy="-2" r="2.6"/>'
)
_TONES = {"bowl": "#8a6100", "bone": "#b3372d", "fish": "#0c7285", "vase": "#7d4a97"}
_THINGS = {
    "bowl": '<path d="M9 17h26l-4 10H13z"/>'
    '<path d="M12 17q3-6 7-4 3-5 7 0 5-2 6 4z" opacity=".5"/>',
    "bone": '<path d="M11 15a4 4 0 0 1 7-2l9 5a4 4 0 1 1 3 7 4 4 0 0 1-6 1l-9-5a4 4 0 1 1-4-6z"/>',
    "fish": '<path d="M8 22q10-12 20-2l8-6v14l-8-6q-10 12-20 0z"/>'
    '<circle cx="15" cy="20" r="1.8" fill="#fffdf7"/>'
    '<path d="M21 17q3 5 0 9" fill="none" stroke="#fffdf7" stroke-width="1.4"/>',
    "vase": '<path d="M16 8h12l-3 6q9 6 4 17l-3 3h-8l-3-3Q10 20 19 14z"/>'
    '<path d="M22 8l-3 8 5 4-4 6 3 8" fill="none" stroke="#fffdf7" stroke-width="1.8"/>',
}
_TIPS = {
    "bowl": "good: counts as many points as it says",
    "bone": "bad: costs as many points as it says, unless a fish removes it",
    "fish": "removes the worst fishbone of its owner at the end",
    "vase": "one costs nothing, two cost 20 points",
}

EMBLEM = ("P7", "G18", "B12")
"""Three pieces that stand for the game."""


@cache
def art(parameters: Parameters) -> Art:
    """Return the cards, and the tokens of a match."""
    pieces = {str(each): _kitten(each) for each in DECK}
    pieces |= {str(each): _token(each) for each in parameters.tokens}
    pieces["back"] = card_back(_PAW)
    return Art(pieces, "".join(_head(letter) for letter in _FUR))


def _head(letter: str) -> str:
    line, fur = _FUR[letter]
    return (
        f'<g id="kitten-{letter}" stroke="{line}" fill="{line}" stroke-width="1.6" '
        'stroke-linecap="round" stroke-linejoin="round">'
        f'<path d="M13 47L14 26l10 7q6-2 12 0l10-7 1 21q-1 15-17 15T13 47z" fill="{fur}"/>'
        '<path d="M17 32l1 7 4-4zM43 32l-1 7-4-4z" stroke="none" opacity=".55"/>'
        f'{_EYES[letter]}<path d="M28 50h4l-2 2.4z"/>'
        '<path d="M30 52.5v2M26 56q4 3 8 0M16 50l-8-2M16 53l-8 1M44 50l8-2M44 53l8 1" fill="none" '
        'stroke-width="1.1"/></g>'
    )


def _kitten(each: Card) -> Piece:
    letter = str(each)[0]
    line, _ = _FUR[letter]
    rank = words(each.rank, 16 if each.rank > 9 else 12, 22, 18, fill=line)
    mark = words(letter, 49, 20, 13, fill=line)
    foot = words(each.rank, 47, 77, 13, fill=line) + words(letter, 11, 77, 11, fill=line)
    tip = {
        "G": "green beats every other colour; the highest green in a trick wins it",
    }.get(letter, f"wins the trick if {each.colour} was led and no green is played")
    if each.rank == 1:
        tip += "; with the 18 of its colour in the trick, this 1 beats it"
    markup = f'<use href="#kitten-{letter}" y="5"/>{rank}{mark}{foot}'
    return card(markup, f"{each.colour} {each.rank}", tip, edge=line)


def _token(each: Token) -> Piece:
    tone = _TONES[each.kind]
    worth = {"bowl": f"+{int(each)}", "bone": f"−{-each}"}.get(each.kind, each.kind)
    frame = (
        f'<rect x="1" y="1" width="42" height="52" rx="12" fill="#fffdf7" stroke="{tone}" '
        f'stroke-width="2"/><g fill="{tone}">{_THINGS[each.kind]}</g>'
    )
    size = 15 if each.kind in ("bowl", "bone") else 13
    label = each.kind if each.kind in ("fish", "vase") else f"{each.kind} worth {int(each)}"
    return Piece(44, 54, frame + words(worth, 22, 47, size, fill=tone), label, _TIPS[each.kind])


def picture(view: View, *, hidden: HiddenCards | None = None) -> list[Zone]:
    """Say where the pieces of a view lie; with `hidden`, all hands are face up."""
    row = [Placed(str(token), "next" if not at else "") for at, token in enumerate(view.row)]
    trick = [
        Placed(str(each), f"seat {(view.leader + at) % view.seats}", is_lit=False)
        for at, each in enumerate(view.trick)
    ]
    zones = [
        Zone(f"Round {view.round + 1} of {view.parameters.round_count}: the row", [row]),
        Zone("The trick", [trick]),
    ]
    for seat in range(view.seats):
        if hidden:
            hand = [Placed(name) for name in hidden.hands[seat]]
        elif seat == view.seat:
            hand = [Placed(str(each)) for each in view.hand]
        else:
            hand = [Placed("back")] * view.hand_sizes[seat]
        won = [Placed(str(token)) for token in view.won[seat]]
        total = points(view.won[seat], view.parameters)
        zones.append(Zone(quantity(total, "point"), [hand, won], seat=seat))
    return zones
