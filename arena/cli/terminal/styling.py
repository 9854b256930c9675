"""Truncate, wrap and scroll coloured text.

Colours take no columns. All other control characters are replaced: they could move the cursor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from arena.text import display_width, plain

_PIECE = re.compile(r"(\x1b\[[0-9;]*m)|(.)", re.DOTALL)
_RESET = "\x1b[0m"
_INDENT = 4
Cell = tuple[str, str]
"""The colour of a character, and the character."""


def truncate(text: str, columns: int) -> str:
    """Cut a line to a number of columns; an ellipsis marks the cut."""
    if _is_plain_and_fits(text, columns):
        return text
    cells = _cells(text)
    fitting = _count_fitting(cells, columns)
    if fitting < len(cells):
        cells = [*cells[: _count_fitting(cells, columns - 1)], ("", "…")]
    return _join(cells)


def pad(text: str, columns: int) -> str:
    """Pad a line with spaces to a number of columns, or cut it."""
    if _is_plain_and_fits(text, columns):
        return text.ljust(columns)
    text = truncate(text, columns)
    used = sum(display_width(letter) for _, letter in _cells(text))
    return text + " " * (columns - used)


def wrap(text: str, columns: int, *, break_words: bool = True, indent: int = _INDENT) -> list[str]:
    """Wrap a line between words into lines of at most `columns` columns.

    All but the first are indented. A word that does not fit into a line is broken, or kept whole
    without `break_words`.
    """
    if _is_plain_and_fits(text, columns):
        return [text]
    cells = _cells(text)
    lines = []
    while (fitting := _count_fitting(cells, columns)) < len(cells):
        blanks = [at for at, (_, letter) in enumerate(cells) if at > indent and letter == " "]
        earlier = [at for at in blanks if at <= fitting]
        later = blanks if blanks else [len(cells)]
        end = earlier[-1] if earlier else max(fitting, 1) if break_words else later[0]
        lines.append(cells[:end])
        rest = cells[end:]
        while rest and rest[0][1] == " ":
            rest.pop(0)
        if not rest:
            return [_join(line) for line in lines]
        cells = [("", " ")] * (indent if columns > 2 * indent else 0) + rest
    return [_join(line) for line in [*lines, cells]]


def wrap_lines(lines: Iterable[str], columns: int, *, break_words: bool = True) -> list[str]:
    """Wrap each of the lines; 0 columns mean no limit."""
    if not columns:
        return list(lines)
    return [part for line in lines for part in wrap(line, columns, break_words=break_words)]


def join_fitting(parts: Sequence[str], columns: int) -> str:
    """Join the first parts, with gaps between them, as many as fit into a line."""
    for count in range(len(parts), 0, -1):
        line = "  ".join(parts[:count])
        if display_width(line) <= columns:
            return line
    return ""


def visible_lines(lines: Sequence[str], rows: int, top: int) -> tuple[list[str], int]:
    """Return `rows` lines from `top` on, and the top, corrected so that they fill the rows.

    The first and the last line say how many are hidden above and below.
    """
    lowest = max(0, len(lines) - rows)
    top = min(max(top, 0), lowest)
    shown = list(lines[top : top + rows])
    if top:
        shown[0] = f"↑ {top + 1} more lines"
    if top < lowest:
        shown[-1] = f"↓ {lowest - top + 1} more lines"
    return shown, top


def _is_plain_and_fits(text: str, columns: int) -> bool:
    """Tell whether a text needs no work, as most lines of a screen: one column a character."""
    return len(text) <= columns and text.isascii() and text.isprintable()


def _cells(text: str) -> list[Cell]:
    cells = []
    colour = ""
    for change, letter in _PIECE.findall(text):
        if letter:
            cells.append((colour, plain(letter)))
        else:
            colour = "" if change == _RESET else colour + change
    return cells


def _count_fitting(cells: Sequence[Cell], columns: int) -> int:
    """Count the cells that fit into a number of columns."""
    used = 0
    for count, (_, letter) in enumerate(cells):
        used += display_width(letter)
        if used > columns:
            return count
    return len(cells)


def _join(cells: Sequence[Cell]) -> str:
    pieces = []
    now = ""
    for colour, letter in cells:
        if colour != now:
            pieces.append((_RESET if now else "") + colour)
            now = colour
        pieces.append(letter)
    return "".join(pieces) + (_RESET if now else "")
