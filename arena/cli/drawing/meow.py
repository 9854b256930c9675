"""How does a match of MEOW look in a terminal?"""

from __future__ import annotations

from collections.abc import Sequence

import click

from arena.games.meow import GAME
from arena.games.meow.cards import COLOUR_OF, COLOURS, FISH, ROUNDS, VASE, rank_of
from arena.games.meow.events import CardPlayed, Event, RoundBegan, TrickWon
from arena.games.meow.notation import token_form
from arena.games.meow.state import points
from arena.games.meow.view import View

_INK = ("magenta", "blue", "green")


def draw(view: View) -> str:
    """Draw the row, every seat, the trick and the hand."""
    lines = [
        click.style(f"MEOW · round {view.round + 1} of {ROUNDS}", bold=True),
        f"  row    {' '.join(map(_token, view.row)) or '(empty)'}   the leftmost is played for",
    ]
    if view.later:
        lines.append(f"  later  {' '.join(map(token_form.show, view.later))}   in unknown order")
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
        f"             {view.hand_sizes[seat]} cards{note}"
    )
    gone = view.played[seat]
    return f"{line}; played {_cards(gone)}" if gone else line


def _card(card: int) -> str:
    return click.style(GAME.action_text(card), fg=_INK[COLOUR_OF[card]], bold=True)


def _cards(cards: tuple[int, ...]) -> str:
    groups = [[card for card in cards if COLOUR_OF[card] == colour] for colour in range(3)]
    return "  ".join(" ".join(map(_card, group)) for group in groups if group)


def _token(token: int) -> str:
    good = token > 0
    return click.style(f"[{token_form.show(token)}]", fg="yellow" if good else "red")


def tell(event: Event, names: Sequence[str]) -> str:
    """Say in a sentence what happened."""
    if isinstance(event, RoundBegan):
        row = " ".join(map(token_form.show, event.row))
        return f"Round {event.round + 1} is for {row}; {names[event.leader]} leads."
    if isinstance(event, CardPlayed):
        return f"{names[event.seat]} plays {COLOURS[COLOUR_OF[event.card]]} {rank_of(event.card)}."
    assert isinstance(event, TrickWon)
    return f"{names[event.seat]} wins the trick and takes {_prize(event.token)}."


def _prize(token: int) -> str:
    if token == FISH:
        return "a fish"
    if token == VASE:
        return "a broken vase"
    return f"a bowl worth {token}" if token > 0 else f"a fishbone worth {token}"


def choices(view: View) -> str:
    """List the playable cards."""
    actions = GAME.legal_actions(view)
    must = " (the led colour must be followed)" if len(actions) < len(view.hand) else ""
    return (
        f"play one of {_cards(tuple(actions))}{must}; type its name: {GAME.action_text(actions[0])}"
    )
