"""How does somebody follow what changes, on a terminal or in a file?

On a terminal the picture stays in its place, and what does not fit can be scrolled to. Elsewhere
each new picture is printed after the last.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import click

from arena.cli.screen import QUIT, full_screen
from arena.cli.styled import window
from arena.cli.values import Real
from leaderboard.store import Reader

_STEPS = {"up": -1, "down": 1, "page up": -10, "page down": 10, " ": 10}
_HELP = "↑ ↓ scroll  q quit"
_LONGEST_S = 86_400
Picture = Sequence[str]


def every_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--every`."""
    return click.option(
        "--every",
        "every_s",
        metavar="SECONDS",
        type=Real(0.1, _LONGEST_S),
        default=1.0,
        show_default=True,
        help="How often to look whether something is new.",
    )(command)


def watch(pictures: Iterator[Picture | None], *, every_s: float) -> None:
    """Show pictures until there are no more or somebody leaves; None stands for one like the last.

    Each is asked for when it is to be shown.
    """
    # Ctrl-C is how this is meant to end.
    with suppress(KeyboardInterrupt):
        if sys.stdout.isatty():
            _show(pictures, every_s)
        else:
            _print(pictures, every_s)


def changes(reader: Reader) -> Iterator[bool]:
    """Yield whether the league has changed since the last look; at the first one it has."""
    before = None
    while True:
        now = reader.row("PRAGMA data_version")
        yield now != before
        before = now


def _show(pictures: Iterator[Picture | None], every_s: float) -> None:
    lines: Picture = ()
    top = 0
    with full_screen() as screen:
        for picture in pictures:
            lines = lines if picture is None else picture
            until = time.monotonic() + every_s
            while (left_s := until - time.monotonic()) > 0:
                rows = screen.size.lines - 1
                shown, top = window(lines, max(1, rows), top)
                blank = [""] * (rows - len(shown))
                screen.draw([*shown, *blank, click.style(_HELP, dim=True)])
                for key in screen.keys(left_s):
                    if key == QUIT:
                        return
                    top += _STEPS.get(key, 0)


def _print(pictures: Iterator[Picture | None], every_s: float) -> None:
    for number, picture in enumerate(pictures):
        if picture is not None:
            click.echo("\n".join(["", *picture] if number else picture))
        time.sleep(every_s)
