"""The four games in a terminal: the module `drawing` of each game, with `draw` and `choices`.

Their colours are those of a terminal; `click.echo` removes them where there is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from arena.games.core import HiddenCards
from arena.games.layout import WIDTH, Periods
from arena.games.registry import AnyGame


class Draw(Protocol):
    """Draws the table; views are of the game's own type, hence Any."""

    def __call__(
        self,
        view: Any,
        /,
        *,
        names: Sequence[str] = (),
        width: int = WIDTH,
        hidden: HiddenCards | None = None,
    ) -> str:
        """Draw the table as one seat sees it; with `hidden`, with all cards face up."""


class Drawing(Protocol):
    """A game's module."""

    @property
    def draw(self) -> Draw:
        """Return the function that draws the table."""

    def choices(self, view: Any) -> str:
        """Describe what the view's seat may do, and what to type for it."""

    def periods(self, view: Any) -> Periods:
        """Return the round and the turn."""


def drawing_of(game: AnyGame) -> Drawing:
    """Return the drawing of a game."""
    return cast(Drawing, import_module(f"arena.games.{game.id}.drawing"))
