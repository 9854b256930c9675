"""The command `arena check`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from arena.checks.run import check_bot
from arena.checks.steps import Step, StepLog, StepStatus, passed
from arena.checks.verdicts import Terms, content_hash, remember_passed
from arena.cli.find_bots import bots_on_disk
from arena.cli.options.cage import CageSettings, cage_options, clock_option, select_cage_and_warn
from arena.cli.options.completion import complete_bot_or_path, complete_game
from arena.cli.options.deals import deal_fields, deal_options
from arena.cli.options.league import db_option
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.referee.clock import EVENT_CLOCK, Clock
from arena.sandbox.lockfile import Lockfile
from arena.secret import Secret, make_secret
from arena.submission.lookup import names_a_folder
from arena.submission.manifest import Manifest, read_manifest

_COLOURS = {
    StepStatus.OK: "green",
    StepStatus.WARNING: "yellow",
    StepStatus.FAILED: "red",
    StepStatus.SKIPPED: "bright_black",
}


@click.command()
@click.argument("word", metavar="BOT", shell_complete=complete_bot_or_path)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="Check only this game; repeatable. Default: all games of the bot.",
)
@clock_option(str(EVENT_CLOCK))
@deal_options
@cage_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the steps as JSON.")
@click.pass_context
def check(
    ctx: click.Context,
    word: str,
    games: tuple[str, ...],
    clock: Clock,
    seed: int | None,
    secret: str | None,
    cage_name: str,
    limits: dict[str, int],
    db: Path,
    as_json: bool,
) -> None:
    """Check step by step whether a bot is ready for a league.

    BOT is a folder with a bot.toml, a .py file, a house bot, a bot of the league (kitten is its
    newest version, kitten@2 its second), or a command line in quotes, tried in this order.

    The bot plays with the clock of an event, and cannot tell that it is being checked. The exit
    code is 1 if a step fails.

    Example: arena check kitten
    """
    with _locate_bot(word, db) as (location, lockfile):
        cage_settings = CageSettings(select_cage_and_warn(cage_name), limits, lockfile)
        deals = make_secret(seed=seed, secret=secret)
        packed = None if games else _content_of(word)
        if as_json:
            steps = check_bot(
                location, deals.key, launcher=cage_settings.launcher, games=games, clock=clock
            )
        else:
            steps = check_and_print(word, location, cage_settings, deals, games=games, clock=clock)
    if packed and passed(steps) and packed == _content_of(word):
        # `arena submit` need not run it again.
        remember_passed(*packed, Terms(clock, limits, cage_settings.cage.name))
    if as_json:
        document = {
            "bot": word,
            **deal_fields(deals),
            "clock": str(clock),
            "passed": passed(steps),
            "steps": [_step_document(s) for s in steps],
        }
        click.echo(json.dumps(document, indent=2))
    ctx.exit(0 if passed(steps) else 1)


def check_and_print(
    word: str,
    location: str,
    cage_settings: CageSettings,
    deals: Secret,
    *,
    games: Sequence[str] = (),
    clock: Clock = EVENT_CLOCK,
) -> list[Step]:
    """Check a bot and print every step; `word` is the name that the user gave."""
    log = StepLog(_print_title, _print_status)
    steps = check_bot(
        location, deals.key, launcher=cage_settings.launcher, games=games, clock=clock, log=log
    )
    counts = Counter(step.status for step in steps)
    parts = [f"{counts[status]} {status.value}" for status in StepStatus if counts[status]]
    say(f"{word}: {', '.join(parts)}; {_clock_text(steps, clock)}; {deals}")
    return steps


def _clock_text(steps: Sequence[Step], clock: Clock) -> str:
    """Name the clock that the bot was judged by, and the largest share that it used."""
    shares = [step.figures["clock_share"] for step in steps if "clock_share" in step.figures]
    used = f", at most {max(shares):.1%} used" if shares else ""
    return f"clock {clock}{used}"


@contextmanager
def _locate_bot(word: str, db: Path) -> Iterator[tuple[str, Lockfile | None]]:
    """Find a bot and yield its location and lockfile; raise an error if there is no such bot."""
    if names_a_folder(word):
        # A mistake in its manifest fails a step of the check.
        yield word, None
        return
    with bots_on_disk([word], db) as [(bot, lockfile)]:
        yield str(bot.folder) if bot.has_file else word, lockfile


def _content_of(word: str) -> tuple[Manifest, str] | None:
    """Return a bot's folder and the hash of its content; None if it could not be submitted."""
    if not names_a_folder(word):
        return None
    try:
        bot = read_manifest(Path(word))
        return bot, content_hash(bot)
    except BadInput:
        return None


def _title(number: int, title: str) -> str:
    return f"{number:>2}  {title}: "


def _print_title(number: int, title: str) -> None:
    click.echo(_title(number, title), nl=False)


def _print_status(step: Step) -> None:
    status = click.style(step.status.value, fg=_COLOURS[step.status], bold=True)
    text = f"{status}, {step.sentence}" if step.sentence else status
    say(text, after=_title(step.number, step.title))
    if step.printed:
        say("    Its last output:")
        for line in step.printed:
            say(f"      {line}".rstrip())


def _step_document(step: Step) -> dict[str, Any]:
    return {
        "number": step.number,
        "title": step.title,
        "verdict": step.status.value,
        "sentence": step.sentence,
        "printed": step.printed,
        "figures": step.figures,
    }
