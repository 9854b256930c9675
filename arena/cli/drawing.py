"""Games in a terminal: the module `drawing` of each game, with `draw` and `choices`.

Their colours are those of a terminal; `click.echo` removes them where there is none. A game that
another package brings may have such a module beside its `GAME`; otherwise its views are shown in
its notation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple, Protocol

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


class Drawing(NamedTuple):
    """The functions of a game's module."""

    draw: Draw
    choices: Callable[[Any], str]
    """Describes what a view's seat may do, and what to type for it."""
    periods: Callable[[Any], Periods]
    """Returns the round and the turn of a view."""


def drawing_of(game: AnyGame) -> Drawing:
    """Return the drawing of a game."""
    name = f"{type(game).__module__}.drawing"
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        # Something that the drawing imports may be missing, too.
        if error.name not in (name, type(game).__module__):
            raise
        return Drawing(partial(_draw_plainly, game), partial(_list_choices, game), _find_periods)
    return Drawing(module.draw, module.choices, module.periods)


def _draw_plainly(
    game: AnyGame, view: Any, /, *, hidden: HiddenCards | None = None, **layout: Any
) -> str:
    """Write one line for each field of the view, and for each hand if all are shown."""
    lines = [str(game.view_form.show(view))]
    if hidden:
        seats = layout.get("names") or [f"seat {seat}" for seat in range(len(hidden.hands))]
        hands = zip(seats, hidden.hands, strict=True)
        lines += [f"{name} has {' '.join(hand)}" for name, hand in hands if hand]
        lines += [f"face down: {' '.join(hidden.face_down)}"] * bool(hidden.face_down)
    return "\n".join(lines)


def _list_choices(game: AnyGame, view: Any) -> str:
    return f"type one of: {', '.join(map(game.action_text, game.legal_actions(view)))}"


def _find_periods(view: Any) -> Periods:
    return Periods(getattr(view, "round", None), getattr(view, "turn", None))
