"""How does a bot get into the league?"""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.caging import Caging, caging_options, clock_option, working_cage
from arena.cli.check import checked_aloud
from arena.cli.db import db_option, now, writing
from arena.errors import BadInput
from arena.events.league import submit_folder
from arena.house import house_bots
from arena.manifest import MANIFEST, read_manifest
from arena.referee.checking.steps import passed
from arena.referee.clock import EVENT_CLOCK, Clock
from arena.replays.story import plain
from arena.secret import chosen_secret


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@db_option
@clock_option(str(EVENT_CLOCK))
@caging_options
@click.pass_context
def submit(
    ctx: click.Context,
    folder: Path,
    db: Path,
    clock: Clock,
    cage_name: str,
    limits: dict[str, int],
) -> None:
    """Check a bot's folder and add it to the league.

    Every change to it makes a new version; the same content again changes nothing.

    Example: arena submit kitten
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder: a bot is submitted with its {MANIFEST}")
    bot = read_manifest(folder)
    if bot.name in house_bots():
        raise BadInput(f"there is a house bot {bot.name} already: change the name in {MANIFEST}")
    caging = Caging(working_cage(cage_name), limits)
    deals = chosen_secret(seed=None, secret=None)
    if not passed(checked_aloud(str(folder), str(folder), caging, deals, clock=clock)):
        click.echo(f"{bot.name} was not submitted: mend what failed and try again", err=True)
        ctx.exit(1)
    with writing(db) as writer:
        version, is_new = submit_folder(writer, bot, now=now())
    if is_new:
        click.echo(plain(f"{version} is in {db}: it plays {', '.join(version.games)}"))
    else:
        and_retired = ", and is retired" if version.retired else ""
        told = f"{version} has this very content already{and_retired}: nothing was changed"
        click.echo(plain(told))
