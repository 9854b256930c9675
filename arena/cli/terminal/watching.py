"""Watch something that changes.

On a terminal each frame replaces the last, and can be scrolled. Otherwise each new frame is printed
below the last.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

import click

from arena.cli.options import number_option
from arena.cli.terminal.output import is_full_terminal
from arena.cli.terminal.styling import visible_lines
from leaderboard.store import Reader

_STEPS = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, " ": 10}
_HELP = "↑ ↓ scroll  q quit"
Frame = Callable[[int], Sequence[str]]
"""Returns the lines for a number of columns; 0 if there is no limit."""


every_option = number_option(
    "--every",
    "every_s",
    metavar="SECONDS",
    least=0.1,
    most=86_400,
    whole=False,
    default=1.0,
    help="Interval between updates.",
)


def watch(frames: Iterator[Frame | None], *, every_s: float) -> None:
    """Show frames until there are no more or the user quits; None repeats the last one.

    The next frame is requested only when it is due.
    """
    # Ctrl-C is the normal way to end this.
    with suppress(KeyboardInterrupt):
        if not is_full_terminal(sys.stdout):
            _watch_as_text(frames, every_s)
            return
        # Imported here: it takes as long as all the rest.
        from arena.cli.terminal.screen import show_full_screen

        watched = _Watched(frames, every_s)
        if watched.advance():
            show_full_screen(watched)


def poll_changes(reader: Reader) -> Iterator[bool]:
    """Yield whether the league has changed since the last poll; the first is True."""
    before = None
    while True:
        now = reader.row("PRAGMA data_version")
        yield now != before
        before = now


class _Watched:
    """The newest frame, which can be scrolled."""

    def __init__(self, frames: Iterator[Frame | None], every_s: float) -> None:
        self.interval_s = every_s
        self._frames = frames
        self._frame: Frame = lambda columns: ()
        self._top = 0

    def advance(self) -> bool:
        """Take the next frame; return whether there is one."""
        for frame in self._frames:
            self._frame = frame or self._frame
            return True
        return False

    def press(self, key: str) -> None:
        """Scroll."""
        self._top += _STEPS.get(key, 0)

    def render(self, columns: int, rows: int) -> list[str]:
        """Return the visible part of the frame, and the keys below it."""
        shown, self._top = visible_lines(self._frame(columns), max(1, rows - 1), self._top)
        blank = [""] * (rows - 1 - len(shown))
        return [*shown, *blank, click.style(_HELP, dim=True)]


def _watch_as_text(frames: Iterator[Frame | None], every_s: float) -> None:
    for count, frame in enumerate(frames):
        if frame is not None:
            click.echo("\n".join(["", *frame(0)] if count else frame(0)))
        time.sleep(every_s)
