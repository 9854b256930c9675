"""The command `arena submit`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.checks.steps import passed
from arena.checks.verdicts import Terms, content_hash, has_passed, remember_passed
from arena.cli.check import check_and_print
from arena.cli.options.cage import CageSettings, cage_options, clock_option, select_cage_and_warn
from arena.cli.options.league import db_option, now, reading, writing_bots
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.games.registry import games_text
from arena.referee.clock import EVENT_CLOCK, Clock
from arena.secret import make_secret
from arena.submission.house import house_bots
from arena.submission.manifest import MANIFEST, Manifest, read_manifest
from arena.text import plain
from arena.tournament.entrants import submit_folder
from leaderboard.bots import Version, version_with_content


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@db_option
@clock_option(str(EVENT_CLOCK))
@cage_options
@click.option("--again", is_flag=True, help="Run the check even if this content has passed it.")
@click.pass_context
def submit(
    ctx: click.Context,
    folder: Path,
    db: Path,
    clock: Clock,
    cage_name: str,
    limits: dict[str, int],
    again: bool,
) -> None:
    """Check a bot's folder and add it to the league.

    Changed content becomes a new version; unchanged content is not submitted again. If `arena
    check` has passed with the same content, clock, limits and cage, nothing is run again.

    Example: arena submit kitten
    """
    if not folder.is_dir():
        raise BadInput(f"{folder} is not a folder with a {MANIFEST}")
    bot = read_manifest(folder)
    if bot.name in house_bots():
        raise BadInput(f"{bot.name} is the name of a house bot: change the name in {MANIFEST}")
    content = content_hash(bot)
    known = _version_with(content, bot, db)
    if known:
        say(plain(_unchanged(known)))
        return
    settings = CageSettings(select_cage_and_warn(cage_name), limits)
    terms = Terms(clock, limits, settings.cage.name)
    if not again and has_passed(bot, content, terms):
        say(plain(f"{bot.name} has passed this check with the clock {clock}: not run again"))
    elif not _passes(folder, settings, clock):
        say(f"{bot.name} was not submitted: fix the failed steps and try again", err=True)
        ctx.exit(1)
    if content_hash(bot) != content:
        raise BadInput(f"{folder} changed while it was checked: submit it again")
    remember_passed(bot, content, terms)
    with writing_bots(db) as writer:
        version, is_new = submit_folder(writer, bot, now=now())
    if is_new:
        say(plain(f"submitted {version} to {db}; games: {games_text(version.games)}"))
    else:
        say(plain(_unchanged(version)))


def _version_with(content: str, bot: Manifest, db: Path) -> Version | None:
    """Return the version of the league that has this content, before anything runs."""
    if not db.exists():
        return None
    with reading(db) as store:
        return version_with_content(store, bot.name, content)


def _unchanged(version: Version) -> str:
    text = f"{version} already has this content"
    if version.retired:
        return f"{text} and is retired: `arena bots return {version}` brings it back"
    return f"{text}: nothing changed"


def _passes(folder: Path, settings: CageSettings, clock: Clock) -> bool:
    deals = make_secret(seed=None, secret=None)
    return passed(check_and_print(str(folder), str(folder), settings, deals, clock=clock))
