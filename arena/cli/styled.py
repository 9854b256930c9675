"""How is coloured text made to fit a terminal?

Colours take no room. Nothing but letters and changes of colour ever gets through: what could move
the cursor is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.cli.tables import columns_of
from arena.replays.story import plain

_PIECE = re.compile(r"(\x1b\[[0-9;]*m)|(.)", re.DOTALL)
_RESET = "\x1b[0m"
_HANGING = 4
"""How far a line that goes on is set in."""
Cell = tuple[str, str]
"""A letter with its colour before it."""


def clipped(text: str, columns: int) -> str:
    """Cut a line to so many columns; dots say that there was more."""
    cells = _cells(text)
    fitting = _fitting(cells, columns)
    if fitting < len(cells):
        cells = [*cells[: _fitting(cells, columns - 1)], ("", "…")]
    return _written(cells)


def folded(text: str, columns: int) -> list[str]:
    """Fold a line between words into lines of so many columns at most."""
    cells = _cells(text)
    lines = []
    while (fitting := _fitting(cells, columns)) < len(cells):
        blanks = [at for at in range(_HANGING + 1, fitting + 1) if cells[at][1] == " "]
        end = blanks[-1] if blanks else max(fitting, 1)
        lines.append(cells[:end])
        rest = cells[end:]
        while rest and rest[0][1] == " ":
            rest.pop(0)
        hanging = _HANGING if columns > 2 * _HANGING else 0
        cells = [("", " ")] * hanging + rest
    return [_written(line) for line in [*lines, cells]]


def window(lines: Sequence[str], rows: int, top: int) -> tuple[list[str], int]:
    """Cut out so many lines from `top` on, or as far down as there are enough; return its top.

    What is left out above and below is counted in the first and the last line.
    """
    lowest = max(0, len(lines) - rows)
    top = min(max(top, 0), lowest)
    shown = list(lines[top : top + rows])
    if top:
        shown[0] = f"↑ {top + 1} more lines"
    if top < lowest:
        shown[-1] = f"↓ {lowest - top + 1} more lines"
    return shown, top


def _cells(text: str) -> list[Cell]:
    cells = []
    colour = ""
    for change, letter in _PIECE.findall(text):
        if letter:
            cells.append((colour, plain(letter)))
        else:
            colour = "" if change == _RESET else colour + change
    return cells


def _fitting(cells: Sequence[Cell], columns: int) -> int:
    """Count the cells that fit into so many columns."""
    used = 0
    for count, (_, letter) in enumerate(cells):
        used += columns_of(letter)
        if used > columns:
            return count
    return len(cells)


def _written(cells: Sequence[Cell]) -> str:
    pieces = []
    now = ""
    for colour, letter in cells:
        if colour != now:
            pieces.append((_RESET if now else "") + colour)
            now = colour
        pieces.append(letter)
    return "".join(pieces) + (_RESET if now else "")
