"""The command `arena submit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from arena.api.league import CheckFailed, League
from arena.cli.check import printed_steps
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.league import db_option
from arena.cli.terminal.output import say
from arena.games.registry import games_text
from arena.referee.clock import EVENT_CLOCK
from arena.text import plain


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@db_option
@clock_option(str(EVENT_CLOCK))
@cage_options
@click.option("--again", is_flag=True, help="Run the check even if this content has passed it.")
@click.pass_context
def submit(ctx: click.Context, /, db: Path, **options: Any) -> None:
    """Check a bot's folder and add it to the league.

    Changed content becomes a new version; unchanged content is not submitted again. If `arena
    check` has passed with the same content, clock, limits and cage, nothing is run again.

    Example: arena submit kitten
    """
    try:
        # The other options have the names of the method's parameters.
        done = League(db).submit(**options, log=printed_steps(), on_warning=warn)
    except CheckFailed as error:
        say(error.report.summary)
        say(str(error), err=True)
        ctx.exit(1)
    version = done.version
    if done.check:
        say(done.check.summary)
    if done.is_new:
        if not done.check:
            clock = options["clock"]
            say(plain(f"{version.bot} has passed this check with the clock {clock}: not run again"))
        say(plain(f"submitted {version} to {db}; games: {games_text(version.games)}"))
        return
    text = f"{version} already has this content"
    if version.retired:
        say(plain(f"{text} and is retired: `arena bots return {version}` brings it back"))
    else:
        say(plain(f"{text}: nothing changed"))
