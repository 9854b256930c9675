"""The commands `arena check` and `arena submit`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import arena
from arena.api.league import CheckFailed, League
from arena.checks.steps import Step, StepLog, StepStatus
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.completion import complete_bot_or_path, complete_game
from arena.cli.options.deals import deal_fields, secret_options
from arena.cli.options.league import db_option
from arena.cli.terminal.output import print_json, say
from arena.games.registry import games_text
from arena.referee.clock import EVENT_CLOCK
from arena.text import plain

_COLOURS = {
    StepStatus.OK: "green",
    StepStatus.WARNING: "yellow",
    StepStatus.FAILED: "red",
    StepStatus.SKIPPED: "bright_black",
}


@click.command()
@click.argument("bot", metavar="BOT", shell_complete=complete_bot_or_path)
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    shell_complete=complete_game,
    help="Check only this game; repeatable. Default: all games of the bot.",
)
@clock_option(str(EVENT_CLOCK))
@secret_options()
@cage_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the steps as JSON.")
@click.pass_context
def check(ctx: click.Context, /, db: Path, as_json: bool, **options: Any) -> None:
    """Check step by step whether a bot is ready for a league.

    BOT is a folder with a bot.toml, a .py file, a house bot, a bot of the league (kitten is its
    newest version, kitten@2 its second), or a command line in quotes, tried in this order.

    The bot plays with the clock of an event, and cannot tell that it is being checked. The exit
    code is 1 if a step fails.

    Example: arena check kitten
    """
    log = None if as_json else _printed_steps()
    # The other options have the names of the function's parameters.
    report = arena.check(**options, league=db, log=log, on_warning=warn)
    if as_json:
        document = {
            "bot": report.bot,
            **deal_fields(report.deals),
            "clock": str(report.clock),
            "passed": report.passed,
            "steps": [_step_document(step) for step in report.steps],
        }
        print_json(document)
    else:
        say(report.summary)
    ctx.exit(0 if report.passed else 1)


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
        done = League(db).submit(**options, log=_printed_steps(), on_warning=warn)
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


def _printed_steps() -> StepLog:
    """Return a log that prints every step as it begins and ends."""
    return StepLog(_print_title, _print_status)


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
