"""What `print(view)`, `print(state)` and a notebook show: the drawing of the game."""

from __future__ import annotations

from importlib import import_module

from arena.games.core import HiddenCards, State

_WIDTH = 78
_MARGIN = 13


def draw_view(view: object) -> str:
    """Draw the position as the seat of a view sees it, without colours."""
    from arena.text import unstyled

    return unstyled(_draw(view))


def view_as_html(view: object) -> str:
    """Draw the position as the seat of a view sees it, in colours, for a notebook."""
    from arena.text import as_html

    return as_html(_draw(view))


def _draw(view: object) -> str:
    # Imported late: every bot imports its views, and hardly any prints them.
    package = type(view).__module__.rpartition(".")[0]
    drawing: str = import_module(f"{package}.drawing").draw(view)
    return drawing


def draw_state(state: State) -> str:
    """Draw a state as the seat to act sees it, followed by all cards that are hidden."""
    game = state.game
    view = game.view_of(state, max(state.to_act, 0))
    return "\n".join([str(view), *_hidden_lines(game.hidden_cards(state))])


def _hidden_lines(cards: HiddenCards) -> list[str]:
    from textwrap import wrap

    rows = {f"seat {seat}": hand for seat, hand in enumerate(cards.hands) if hand}
    if cards.face_down:
        rows["face down"] = cards.face_down
    lines = ["Hidden from some seats:"] if rows else []
    for title, row in rows.items():
        text = f"{'  ' + title:<{_MARGIN}}{' '.join(row)}"
        lines += wrap(text, _WIDTH, subsequent_indent=" " * _MARGIN)
    return lines
