"""Games in a terminal: the module `drawing` of each game, with `draw` and `choices`.

Their colours are those of a terminal; `click.echo` removes them where there is none. A game that
another package brings may have such a module beside its `GAME`; otherwise its views are shown in
its notation.
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


class PlainDrawing:
    """Draws a game in its notation."""

    def __init__(self, game: AnyGame) -> None:
        """Take the game."""
        self._game = game

    def draw(
        self,
        view: Any,
        /,
        *,
        names: Sequence[str] = (),
        width: int = WIDTH,
        hidden: HiddenCards | None = None,
    ) -> str:
        """Write one line for each field of the view, and for each hand if all are shown."""
        lines = [str(self._game.view_form.show(view))]
        if hidden:
            seats = names or [f"seat {seat}" for seat in range(len(hidden.hands))]
            hands = zip(seats, hidden.hands, strict=True)
            lines += [f"{name} has {' '.join(hand)}" for name, hand in hands if hand]
            lines += [f"face down: {' '.join(hidden.face_down)}"] * bool(hidden.face_down)
        return "\n".join(lines)

    def choices(self, view: Any) -> str:
        """List what to type for each legal action."""
        texts = list(map(self._game.action_text, self._game.legal_actions(view)))
        return f"type one of: {', '.join(texts)}"

    def periods(self, view: Any) -> Periods:
        """Return the round and the turn, if the view has such fields."""
        return Periods(getattr(view, "round", None), getattr(view, "turn", None))


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
