"""What does somebody see who waits?

On a terminal it is one line, drawn again in its place and taken away at the end. Elsewhere a line
comes now and then, for those who have waited.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from math import inf
from typing import Self

from arena.cli.styled import clipped
from arena.replays.story import plain

_TERMINAL_S = 0.1
_ELSEWHERE_S = 10.0
_BAR = 20


class Progress:
    """A line on stderr that says how it goes, until the end of a block."""

    def __init__(self, *, quiet: bool) -> None:
        """Begin to wait; whoever wants it quiet sees nothing."""
        self._quiet = quiet
        self._is_terminal = sys.stderr.isatty()
        self._pause_s = _TERMINAL_S if self._is_terminal else _ELSEWHERE_S
        # Whoever looks on is told at once that it has begun.
        self._told = -inf if self._is_terminal else time.monotonic()

    def tell(self, line: Callable[[], str], share: float | None = None) -> None:
        """Ask for a line and show it if it is time to; `share` is what is done, for a bar."""
        now = time.monotonic()
        if self._quiet or now - self._told < self._pause_s:
            return
        self._told = now
        text = plain(line())
        if not self._is_terminal:
            print(text, file=sys.stderr, flush=True)
            return
        if share is not None:
            text = f"[{bar(share)}] {text}"
        # A line that is wrapped could not be taken back.
        text = clipped(text, shutil.get_terminal_size().columns - 1)
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        """Take the line away at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Take the line away."""
        if self._is_terminal and not self._quiet:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def bar(share: float) -> str:
    """Draw how much of something is done."""
    full = round(_BAR * share)
    return "█" * full + "·" * (_BAR - full)
