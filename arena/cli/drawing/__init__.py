"""How does a game look in a terminal? Each game has a module of these three functions here."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from arena.games.registry import AnyGame


class Drawing(Protocol):
    """What a game's module offers; views and events are of the game's own types, hence Any."""

    def draw(self, view: Any) -> str:
        """Draw the table as one seat sees it."""

    def tell(self, event: Any, names: Sequence[str]) -> str:
        """Say in a sentence what happened."""

    def choices(self, view: Any) -> str:
        """Say what the view's seat may do, and what to type for it."""


def drawing_of(game: AnyGame) -> Drawing:
    """Return the drawing of a game."""
    return cast(Drawing, import_module(f"arena.cli.drawing.{game.id}"))
