"""What `print(view)`, `print(state)` and a notebook show: the drawing of the game."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from arena.games.core import HiddenCards, State

_WIDTH = 78
_MARGIN = 13
_PICTURE = 1000


def draw_view(view: object) -> str:
    """Draw the position as the seat of a view sees it, without colours."""
    from arena.text import unstyled

    return unstyled(_draw(view))


# Views and states are of the game's own types, hence Any.


def view_as_html(view: Any) -> str:
    """Draw the position as the seat of a view sees it, as a picture for a notebook."""
    module = import_module(f"{type(view).__module__.rpartition('.')[0]}.picture")
    return _as_picture(module, view, module.picture(view), f"as seat {view.seat} sees it")


def state_as_html(state: Any) -> str:
    """Draw a position with all cards for a notebook, as text if the game has no pictures."""
    from html import escape

    game = state.game
    try:
        module = import_module(f"{type(game).__module__}.picture")
    except ModuleNotFoundError:
        return f"<pre>{escape(str(state))}</pre>"
    view = game.view_of(state, max(state.to_act, 0))
    zones = module.picture(view, hidden=game.hidden_cards(state))
    return _as_picture(module, view, zones, "all cards")


def _as_picture(module: Any, view: Any, zones: Any, what: str) -> str:
    from arena.games.picture import PictureTitle, document, draw

    title = import_module(module.__package__).GAME.title
    art = module.art(view.parameters)
    names = [f"seat {seat}" for seat in range(view.seats)]
    drawn = draw(zones, art, PictureTitle(title, what), names, width=_PICTURE)
    return document([drawn], art, label=f"{title}, {what}")


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
