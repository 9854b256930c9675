"""How does a game look in a terminal? Each game has a module here: draw, tell and choices."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from arena.games.registry import AnyGame
from arena.replays.story import Teller


class Drawing(Teller, Protocol):
    """What a game's module offers; a view is of the game's own type, hence Any."""

    def choices(self, view: Any) -> str:
        """Say what the view's seat may do, and what to type for it."""


def drawing_of(game: AnyGame) -> Drawing:
    """Return the drawing of a game."""
    return cast(Drawing, import_module(f"arena.cli.drawing.{game.id}"))
