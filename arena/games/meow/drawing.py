"""Draw a match of MEOW as text, with colours for a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from arena.games.core import HiddenCards
from arena.games.layout import WIDTH, Layout, Periods
from arena.games.meow import GAME
from arena.games.meow.cards import Card, Colour, Token
from arena.games.meow.state import points
from arena.games.meow.view import View
from arena.games.registry import variant_words
from arena.text import quantity, styled

_MARGIN = 9
_INK = ("magenta", "blue", "green")
_READ = Card.form().read


def draw(
    view: View,
    *,
    names: Sequence[str] = (),
    width: int = WIDTH,
    hidden: HiddenCards | None = None,
) -> str:
    """Draw the row, the seats, the trick and the hand; with `hidden`, the hands of all."""
    layout = Layout(view.seats, view.seat, names, width, hidden)
    row = " ".join(map(_token, view.row)) or "(empty)"
    variant, rounds = variant_words(GAME, view.parameters)[0], view.parameters.round_count
    lines = [
        styled(f"MEOW · {variant} · round {view.round + 1} of {rounds}", bold=True),
        *layout.lines("row", f"{row}   the prize is first", _MARGIN),
    ]
    if view.later:
        later = " ".join(
            str(token) + (f"×{count}" if count > 1 else "")
            for token, count in Counter(view.later).items()
        )
        lines += layout.lines("later", f"{later}   order unknown", _MARGIN)
    for seat in range(view.seats):
        lines += _seat_lines(view, seat, layout)
    if view.trick:
        played = (
            f"{layout.name((view.leader + number) % view.seats)} {_card(card)}"
            for number, card in enumerate(view.trick)
        )
        lines += layout.lines("trick", "  ".join(played), _MARGIN)
    if hidden is None:
        lines += layout.lines("hand", _cards(view.hand), _MARGIN)
    elif hidden.face_down:
        left_out = _cards([_READ(card) for card in hidden.face_down])
        lines += layout.lines("not dealt", left_out, _MARGIN + 4)
    return "\n".join(lines)


def _seat_lines(view: View, seat: int, layout: Layout) -> list[str]:
    tokens = " ".join(map(str, view.won[seat])) or "nothing yet"
    total = points(view.won[seat], view.parameters)
    lines = layout.lines(layout.label(seat), f"{total:>3} points: {tokens}", layout.margin)
    text = quantity(view.hand_sizes[seat], "card")
    if layout.hidden and layout.hidden.hands[seat]:
        text = f"has {_cards([_READ(card) for card in layout.hidden.hands[seat]])}"
    elif lacks := view.lacks[seat]:
        text += f", has no {' nor '.join(map(str, lacks))}"
    if view.played[seat]:
        text += f"; played {_cards(view.played[seat])}"
    return [*lines, *layout.lines("", text, layout.margin)]


def _card(card: Card) -> str:
    return styled(str(card), fg=_INK[card.colour], bold=True)


def _cards(cards: Sequence[Card]) -> str:
    groups = [[card for card in cards if card.colour is colour] for colour in Colour]
    return "  ".join(" ".join(map(_card, group)) for group in groups if group)


def _token(token: Token) -> str:
    good = token > 0
    return styled(f"[{token}]", fg="yellow" if good else "red")


def choices(view: View) -> str:
    """List the playable cards."""
    actions = GAME.legal_actions(view)
    must = " (the led colour must be followed)" if len(actions) < len(view.hand) else ""
    return f"play one of {_cards(tuple(actions))}{must}; for example, type: {actions[0]}"


def periods(view: View) -> Periods:
    """Return the round and the trick."""
    return Periods(view.round, (view.round, len(view.row)))
