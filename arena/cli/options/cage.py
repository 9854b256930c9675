"""The options `--cage`, `--limit` and `--clock`."""

from __future__ import annotations

import click

from arena.cli.options import Decorator, add_options
from arena.cli.terminal.output import say
from arena.referee.clock import Clock, limited, read_clock
from arena.sandbox.select import AUTO, CAGE_NAMES
from arena.submission.limits import LIMIT_NAMES, parse_limits

limit_option = click.option(
    "--limit",
    "limits",
    multiple=True,
    callback=lambda ctx, option, settings: parse_limits(settings),
    metavar="NAME=NUMBER",
    help="Limit for every bot; a bot.toml can only lower it. Repeatable. Names: "
    f"{', '.join(LIMIT_NAMES)}.",
)
cage_option = click.option(
    "--cage",
    type=click.Choice(CAGE_NAMES),
    default=AUTO,
    show_default=True,
    help="Sandbox for bots; use none only for bots that you trust.",
)
cage_options = add_options(cage_option, limit_option)


def clock_option(default: str, *, allow_none: bool = False) -> Decorator:
    """Add the option `--clock` to a command, which gets a `Clock`."""
    no_clock = " none is for debugging: a bot may take as long as it likes." if allow_none else ""

    def read(ctx: click.Context, option: click.Parameter, text: str) -> Clock:
        return read_clock(text) if allow_none else limited(read_clock(text))

    return click.option(
        "--clock",
        default=default,
        show_default=True,
        callback=read,
        metavar="[cpu:]BANK+INC",
        help="Thinking time of each seat and increment per decision, in seconds; "
        f"cpu: counts CPU time.{no_clock}",
    )


def warn(sentence: str) -> None:
    """Print a warning."""
    say(f"warning: {sentence}", err=True)
