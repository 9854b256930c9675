"""Watch something that changes.

On a terminal each frame replaces the last, and can be scrolled. Otherwise each new frame is printed
below the last.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import click

from arena.cli.terminal.screen import QUIT, full_screen
from arena.cli.terminal.styling import visible_lines
from arena.cli.terminal.values import BoundedFloat
from leaderboard.store import Reader

_STEPS = {"up": -1, "down": 1, "page up": -10, "page down": 10, " ": 10}
_HELP = "↑ ↓ scroll  q quit"
_LONGEST_S = 86_400
Frame = Callable[[int], Sequence[str]]
"""Returns the lines for a number of columns; 0 if there is no limit."""


def every_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the option `--every` to a command."""
    return click.option(
        "--every",
        "every_s",
        metavar="SECONDS",
        type=BoundedFloat(0.1, _LONGEST_S),
        default=1.0,
        show_default=True,
        help="Interval between updates.",
    )(command)


def watch(frames: Iterator[Frame | None], *, every_s: float) -> None:
    """Show frames until there are no more or the user quits; None repeats the last one.

    The next frame is requested only when it is due.
    """
    # Ctrl-C is the normal way to end this.
    with suppress(KeyboardInterrupt):
        if sys.stdout.isatty():
            _watch_on_screen(frames, every_s)
        else:
            _watch_as_text(frames, every_s)


def poll_changes(reader: Reader) -> Iterator[bool]:
    """Yield whether the league has changed since the last poll; the first is True."""
    before = None
    while True:
        now = reader.row("PRAGMA data_version")
        yield now != before
        before = now


def _watch_on_screen(frames: Iterator[Frame | None], every_s: float) -> None:
    shown_frame: Frame = _nothing
    top = 0
    with full_screen() as screen:
        for frame in frames:
            shown_frame = frame or shown_frame
            until = time.monotonic() + every_s
            while (left_s := until - time.monotonic()) > 0:
                columns, rows = screen.size.columns, screen.size.lines - 1
                shown, top = visible_lines(shown_frame(columns), max(1, rows), top)
                blank = [""] * (rows - len(shown))
                screen.draw([*shown, *blank, click.style(_HELP, dim=True)])
                for key in screen.keys(left_s):
                    if key == QUIT:
                        return
                    top += _STEPS.get(key, 0)


def _watch_as_text(frames: Iterator[Frame | None], every_s: float) -> None:
    for number, frame in enumerate(frames):
        if frame is not None:
            click.echo("\n".join(["", *frame(0)] if number else frame(0)))
        time.sleep(every_s)


def _nothing(columns: int) -> Sequence[str]:
    return ()
