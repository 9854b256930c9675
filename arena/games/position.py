"""A whole state as text, for people: what `print(state)` shows."""

from __future__ import annotations

from importlib import import_module
from textwrap import wrap
from typing import TYPE_CHECKING

from arena.games.core import Game, HiddenCards, State

if TYPE_CHECKING:
    from arena.games.registry import AnyGame

_WIDTH = 78
_MARGIN = 13


def position_text(state: State) -> str:
    """Draw a state as the seat to act sees it, followed by all cards that are hidden."""
    game = _game_of(state)
    view = game.view_of(state, max(state.to_act, 0))
    return "\n".join([str(view), *_hidden_lines(game.hidden_cards(state))])


def _game_of(state: State) -> AnyGame:
    """Find the `GAME` in the module of the state's class, or in the package around it."""
    name = type(state).__module__
    game = getattr(import_module(name), "GAME", None)
    if not isinstance(game, Game):
        game = import_module(name.rpartition(".")[0]).GAME
    found: AnyGame = game
    return found


def _hidden_lines(cards: HiddenCards) -> list[str]:
    rows = {f"seat {seat}": hand for seat, hand in enumerate(cards.hands) if hand}
    if cards.face_down:
        rows["face down"] = cards.face_down
    lines = ["Hidden from some seats:"] if rows else []
    for title, row in rows.items():
        text = f"{'  ' + title:<{_MARGIN}}{' '.join(row)}"
        lines += wrap(text, _WIDTH, subsequent_indent=" " * _MARGIN)
    return lines
