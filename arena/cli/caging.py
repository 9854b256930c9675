"""In which cage, under which limits and by which clock does a user let bots play?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from arena.limits import NAMES as LIMITS
from arena.limits import limits_from
from arena.manifest import Manifest
from arena.referee.clock import read_clock
from arena.sandbox.cage import Cage
from arena.sandbox.cages import AUTO, NAMES, cage_named
from arena.sandbox.process import Launch

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class Caging:
    """How all bots of a command are run."""

    cage: Cage
    limits: dict[str, int]

    def launcher(self, bot: Manifest) -> Launch:
        """Prepare a bot, and return what starts it."""
        return self.cage.launcher(bot, self.limits)


def caging_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options `--cage` and `--limit`."""
    cage = click.option(
        "--cage",
        "cage_name",
        type=click.Choice(NAMES),
        default=AUTO,
        show_default=True,
        help="How bots are shut in; none is for bots that you wrote yourself.",
    )
    return cage(limit_option(command))


def limit_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the option `--limit`; it gets the numbers by their names."""
    return click.option(
        "--limit",
        "limits",
        multiple=True,
        callback=lambda ctx, option, settings: limits_from(settings),
        metavar="NAME=NUMBER",
        help=f"A limit for every bot, whose bot.toml may only ask for less: {', '.join(LIMITS)}.",
    )(command)


def clock_option(default: str) -> Decorator:
    """Give a command the option `--clock`; it gets a clock."""
    return click.option(
        "--clock",
        default=default,
        show_default=True,
        callback=lambda ctx, option, text: read_clock(text),
        metavar="[cpu:]BANK+INC",
        help="Thinking time of each seat, and what every decision adds to it, in seconds; "
        "with cpu: it is processor time.",
    )


def working_cage(name: str) -> Cage:
    """Return a cage that is asked for if this machine has it; say aloud if it has gaps."""
    cage = cage_named(name)
    if cage.warning:
        click.echo(f"warning: {cage.warning}", err=True)
    return cage
