"""Which cage and which limits does a user ask for?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click

from arena.limits import NAMES as LIMITS
from arena.limits import limits_from
from arena.manifest import Manifest
from arena.sandbox.cages import AUTO, NAMES, Cage, Launch, cage_named


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
    limit = click.option(
        "--limit",
        "limits",
        multiple=True,
        metavar="NAME=NUMBER",
        help=f"A limit for every bot, whatever its bot.toml says: {', '.join(LIMITS)}.",
    )
    cage = click.option(
        "--cage",
        "cage_name",
        type=click.Choice(NAMES),
        default=AUTO,
        show_default=True,
        help="How bots are shut in; none is for bots that you wrote yourself.",
    )
    return cage(limit(command))


def caging_from(cage_name: str, limits: tuple[str, ...]) -> Caging:
    """Find the cage and the limits that are asked for; say aloud if the cage has gaps."""
    chosen = Caging(cage_named(cage_name), limits_from(limits))
    if chosen.cage.warning:
        click.echo(f"warning: {chosen.cage.warning}", err=True)
    return chosen
