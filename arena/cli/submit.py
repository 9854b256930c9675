"""The command `arena submit`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.check.steps import passed
from arena.cli.check import check_and_print
from arena.cli.options.cage import CageSettings, cage_options, clock_option, select_cage_and_warn
from arena.cli.options.league import db_option, now, writing_bots
from arena.errors import BadInput
from arena.referee.clock import EVENT_CLOCK, Clock
from arena.secret import make_secret
from arena.submission.house import house_bots
from arena.submission.manifest import MANIFEST, read_manifest
from arena.text import plain
from arena.tournament.field import submit_folder


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@db_option
@clock_option(str(EVENT_CLOCK))
@cage_options
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

    Changed content becomes a new version; unchanged content is not submitted again.

    Example: arena submit kitten
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder with a {MANIFEST}")
    bot = read_manifest(folder)
    if bot.name in house_bots():
        raise BadInput(f"{bot.name} is the name of a house bot: change the name in {MANIFEST}")
    cage_settings = CageSettings(select_cage_and_warn(cage_name), limits)
    deals = make_secret(seed=None, secret=None)
    if not passed(check_and_print(str(folder), str(folder), cage_settings, deals, clock=clock)):
        click.echo(f"{bot.name} was not submitted: fix the failed steps and try again", err=True)
        ctx.exit(1)
    with writing_bots(db) as writer:
        version, is_new = submit_folder(writer, bot, now=now())
    if is_new:
        click.echo(plain(f"submitted {version} to {db}; games: {', '.join(version.games)}"))
    else:
        and_retired = " and is retired" if version.retired else ""
        text = f"{version} already has this content{and_retired}: nothing changed"
        click.echo(plain(text))
