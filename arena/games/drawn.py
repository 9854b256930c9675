"""What `print(view)` and a notebook show: the drawing of the view's game."""

from __future__ import annotations

from importlib import import_module


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
