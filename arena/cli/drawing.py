"""Games in a terminal: the module `drawing` of each game, with `draw` and `choices`.

Their colours are those of a terminal; `click.echo` removes them where there is none. A game that
another package brings may have such a module beside its `GAME`; otherwise its views are shown in
its notation.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from arena.games.registry import AnyGame


class Drawing(Protocol):
    """A game's module; views are of the game's own type, hence Any."""

    def draw(self, view: Any) -> str:
        """Draw the table as one seat sees it."""

    def choices(self, view: Any) -> str:
        """Describe what the view's seat may do, and what to type for it."""


class PlainDrawing:
    """Draws a game in its notation."""

    def __init__(self, game: AnyGame) -> None:
        """Take the game."""
        self._game = game

    def draw(self, view: Any) -> str:
        """Write one line for each field of the view."""
        return str(self._game.view_form.show(view))

    def choices(self, view: Any) -> str:
        """List what to type for each legal action."""
        texts = list(map(self._game.action_text, self._game.legal_actions(view)))
        return f"type one of: {', '.join(texts)}"


def drawing_of(game: AnyGame) -> Drawing:
    """Return the drawing of a game."""
    name = f"{type(game).__module__}.drawing"
    try:
        return cast(Drawing, import_module(name))
    except ModuleNotFoundError as error:
        # Something that the drawing imports may be missing, too.
        if error.name not in (name, type(game).__module__):
            raise
        return PlainDrawing(game)
