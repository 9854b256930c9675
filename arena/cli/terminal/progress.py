"""A progress line on stderr.

On a terminal it is one line, redrawn in place and removed at the end. Otherwise a line is printed
every few seconds.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from math import inf
from typing import Self

from arena.cli.terminal.styling import truncate
from arena.text import plain

_TERMINAL_INTERVAL_S = 0.1
_LOG_INTERVAL_S = 10.0
_BAR = 20


class Progress:
    """A progress line on stderr, removed at the end of a `with` block."""

    def __init__(self, *, quiet: bool) -> None:
        """Start; `quiet` shows nothing."""
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._interval_s = _TERMINAL_INTERVAL_S if self._is_terminal else _LOG_INTERVAL_S
        # A terminal shows the first line at once.
        self._shown_at = -inf if self._is_terminal else time.monotonic()

    def update(self, line: Callable[[], str], share: float | None = None) -> None:
        """Show a line if one is due; `share` is the part that is done, for a bar."""
        now = time.monotonic()
        if self._quiet or now - self._shown_at < self._interval_s:
            return
        self._shown_at = now
        text = plain(line())
        if not self._is_terminal:
            print(text, file=sys.stderr, flush=True)
            return
        if share is not None:
            text = f"[{bar(share)}] {text}"
        # A wrapped line could not be removed.
        text = truncate(text, shutil.get_terminal_size().columns - 1)
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        """Do nothing: the line appears with the first update."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the line."""
        if self._is_terminal and not self._quiet:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bar(share: float, columns: int = _BAR) -> str:
    """Draw a progress bar."""
    full = round(columns * share)
    return "█" * full + "·" * (columns - full)
