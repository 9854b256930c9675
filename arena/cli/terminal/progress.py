"""Progress on stderr: one line with a bar.

On a terminal the line is redrawn in place and removed at the end. Otherwise it is printed every few
seconds, less and less often.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from math import inf
from typing import Self

import click

from arena.cli.terminal.output import columns_of
from arena.cli.terminal.styling import join_fitting, wrap
from arena.text import display_width, plain

_TERMINAL_INTERVAL_S = 0.1
_LOG_INTERVAL_S = 2.0
_LONGEST_LOG_INTERVAL_S = 60.0
_BAR = 20
_LEAST_BAR = 5
_NARROW = 60
"""Columns below which bars are shorter."""
_PART_GAP = "  "
"""Between the parts of a line, the last of which are left out where there is no room."""


class Progress:
    """Progress on stderr, removed at the end of a `with` block."""

    def __init__(self, *, quiet: bool) -> None:
        """Start; `quiet` shows nothing."""
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._interval_s = _TERMINAL_INTERVAL_S if self._is_terminal else _LOG_INTERVAL_S
        # A terminal shows the first line at once.
        self._shown_at = -inf if self._is_terminal else time.monotonic()
        self._shown = ""

    def update(self, line: Callable[[], str], share: float | None = None) -> None:
        """Show a line if one is due, with a bar for the share that is done."""
        now = time.monotonic()
        if self._quiet or now - self._shown_at < self._interval_s:
            return
        self._shown_at = now
        text = plain(line())
        if not self._is_terminal:
            # A log of hours should not be of thousands of lines.
            self._interval_s = min(1.5 * self._interval_s, _LONGEST_LOG_INTERVAL_S)
            print(text if share is None else f"{share:4.0%}  {text}", file=sys.stderr, flush=True)
            return
        # A full line would move the cursor on.
        columns = max(10, (columns_of(sys.stderr) or 80) - 1)
        width = _BAR if columns >= _NARROW else _LEAST_BAR
        drawn = "" if share is None else f"{click.style(bar(share, width), fg='cyan')} "
        used = 0 if share is None else width + 1
        fitting = join_fitting(text.split(_PART_GAP), columns - used)
        line_shown = drawn + (fitting or wrap(text, columns - used)[0])
        click.echo(f"{self._erase()}{line_shown}", nl=False, err=True)
        self._shown = click.unstyle(line_shown)

    def _erase(self) -> str:
        """Return what removes the line, which a terminal that became narrower has broken."""
        columns = columns_of(sys.stderr) or 80
        rows = max(1, -(-display_width(self._shown) // columns))
        up = f"\x1b[{rows - 1}A" if rows > 1 else ""
        return f"\r{up}\x1b[J"

    def __enter__(self) -> Self:
        """Do nothing: the line appears with the first update."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the line."""
        if self._is_terminal and not self._quiet:
            click.echo(self._erase(), nl=False, err=True)


def bar(share: float, columns: int = _BAR) -> str:
    """Draw a progress bar."""
    full = round(columns * share)
    return "█" * full + "░" * (columns - full)
