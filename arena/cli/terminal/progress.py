"""Progress on stderr: one line, or several, each with a bar.

On a terminal the lines are redrawn in place and removed at the end. Otherwise the first of them is
printed every few seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from math import inf
from typing import NamedTuple, Self

from arena.cli.terminal.output import columns_of
from arena.cli.terminal.styling import display_width, join_fitting, wrap
from arena.text import plain

_TERMINAL_INTERVAL_S = 0.1
_LOG_INTERVAL_S = 10.0
_BAR = 20
_LEAST_BAR = 5
_NARROW = 60
"""Columns below which bars are shorter."""
_PART_GAP = "  "
"""Between the parts of a line, the last of which are left out where there is no room."""


class ProgressPart(NamedTuple):
    """A part of the work with its own bar."""

    name: str
    share: float
    """The part of it that is done."""


class Progress:
    """Progress on stderr, removed at the end of a `with` block."""

    def __init__(self, *, quiet: bool) -> None:
        """Start; `quiet` shows nothing."""
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._interval_s = _TERMINAL_INTERVAL_S if self._is_terminal else _LOG_INTERVAL_S
        # A terminal shows the first line at once.
        self._shown_at = -inf if self._is_terminal else time.monotonic()
        self._shown: list[str] = []

    def update(
        self,
        line: Callable[[], str],
        share: float | None = None,
        parts: Callable[[], Sequence[ProgressPart]] | None = None,
    ) -> None:
        """Show a line if one is due, with a bar for the share that is done, and its parts."""
        now = time.monotonic()
        if self._quiet or now - self._shown_at < self._interval_s:
            return
        self._shown_at = now
        text = plain(line())
        if not self._is_terminal:
            print(text, file=sys.stderr, flush=True)
            return
        # A full line would move the cursor on.
        columns = max(10, (columns_of(sys.stderr) or 80) - 1)
        width = _BAR if columns >= _NARROW else _LEAST_BAR
        lines = [_fit(text, columns) if share is None else _with_bar(text, share, width, columns)]
        for part in parts() if parts else ():
            lines.append(_with_bar(plain(part.name), part.share, width, columns))
        text = "\r\n".join(lines)
        print(f"{self._erase()}{text}", end="", file=sys.stderr, flush=True)
        self._shown = lines

    def _erase(self) -> str:
        """Return what removes the lines, which a terminal that became narrower has broken."""
        columns = columns_of(sys.stderr) or 80
        rows = sum(max(1, -(-display_width(line) // columns)) for line in self._shown)
        up = f"\x1b[{rows - 1}A" if rows > 1 else ""
        return f"\r{up}\x1b[J"

    def __enter__(self) -> Self:
        """Do nothing: the line appears with the first update."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the lines."""
        if self._is_terminal and not self._quiet:
            print(self._erase(), end="", file=sys.stderr, flush=True)


def bar(share: float, columns: int = _BAR) -> str:
    """Draw a progress bar."""
    full = round(columns * share)
    return "█" * full + "·" * (columns - full)


def _with_bar(text: str, share: float, width: int, columns: int) -> str:
    drawn = f"[{bar(share, width)}] "
    return drawn + _fit(text, columns - len(drawn))


def _fit(text: str, columns: int) -> str:
    """Leave out what does not fit: parts of the line, or words."""
    return join_fitting(text.split(_PART_GAP), columns) or wrap(text, columns)[0]
