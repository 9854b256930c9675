"""Draw a match of MEOW as text, with colours for a terminal."""

from __future__ import annotations

from arena.games.meow import GAME
from arena.games.meow.cards import COLOUR_OF, COLOURS
from arena.games.meow.notation import token_form
from arena.games.meow.state import points
from arena.games.meow.view import View
from arena.text import quantity, styled

_INK = ("magenta", "blue", "green")


def draw(view: View) -> str:
    """Draw the row, the seats, the trick and the hand."""
    lines = [
        styled(f"MEOW · round {view.round + 1} of {view.parameters.round_count}", bold=True),
        f"  row    {' '.join(map(_token, view.row)) or '(empty)'}   the leftmost is the prize",
    ]
    if view.later:
        lines.append(f"  later  {' '.join(map(token_form.show, view.later))}   order unknown")
    lines += [_seat_line(view, seat) for seat in range(view.seats)]
    if view.trick:
        played = (
            f"seat {(view.leader + number) % view.seats} {_card(card)}"
            for number, card in enumerate(view.trick)
        )
        lines.append(f"  trick  {'  '.join(played)}")
    lines.append(f"  hand   {_cards(view.hand)}")
    return "\n".join(lines)


def _seat_line(view: View, seat: int) -> str:
    who = "you" if seat == view.seat else "   "
    tokens = " ".join(map(token_form.show, view.won[seat])) or "nothing yet"
    lacks = [name for bit, name in enumerate(COLOURS) if view.voids[seat] >> bit & 1]
    note = f", has no {' nor '.join(lacks)}" if lacks else ""
    line = (
        f"  seat {seat} {who}{points(view.won[seat], view.parameters):>4} points: {tokens}\n"
        f"             {quantity(view.hand_sizes[seat], 'card')}{note}"
    )
    played = view.played[seat]
    return f"{line}; played {_cards(played)}" if played else line


def _card(card: int) -> str:
    return styled(GAME.action_text(card), fg=_INK[COLOUR_OF[card]], bold=True)


def _cards(cards: tuple[int, ...]) -> str:
    groups = [[card for card in cards if COLOUR_OF[card] == colour] for colour in range(3)]
    return "  ".join(" ".join(map(_card, group)) for group in groups if group)


def _token(token: int) -> str:
    good = token > 0
    return styled(f"[{token_form.show(token)}]", fg="yellow" if good else "red")


def choices(view: View) -> str:
    """List the playable cards."""
    actions = GAME.legal_actions(view)
    must = " (the led colour must be followed)" if len(actions) < len(view.hand) else ""
    return (
        f"play one of {_cards(tuple(actions))}{must}; "
        f"for example, type: {GAME.action_text(actions[0])}"
    )
