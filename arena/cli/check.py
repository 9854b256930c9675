"""The commands `arena check` and `arena submit`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

import arena
from arena.api.checks import CheckReport
from arena.api.league import CheckFailed, League
from arena.checks.steps import Step, StepLog, StepStatus
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.completion import complete_bot_or_path, complete_game
from arena.cli.options.deals import deal_fields, secret_options
from arena.cli.options.league import db_option
from arena.cli.terminal.output import print_json, say
from arena.cli.terminal.progress import Progress
from arena.games.registry import games_text
from arena.referee.clock import EVENT_CLOCK
from arena.text import plain

_COLOURS = {
    StepStatus.OK: "green",
    StepStatus.WARNING: "yellow",
    StepStatus.FAILED: "red",
    StepStatus.SKIPPED: "bright_black",
}


_verbose_option = click.option("-v", "--verbose", is_flag=True, help="Show every step.")


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
@_verbose_option
@click.option("--json", "as_json", is_flag=True, help="Print the steps as JSON.")
@click.pass_context
def check(ctx: click.Context, /, db: Path, verbose: bool, as_json: bool, **options: Any) -> None:
    """Check step by step whether a bot is ready for a league.

    BOT is a folder with a bot.toml, a .py file, a house bot, a bot of the league (kitten is its
    newest version, kitten@2 its second), or a command line in quotes, tried in this order.

    The bot plays with the clock of an event, and cannot tell that it is being checked. The exit
    code is 1 if a step fails.

    Example: arena check kitten
    """
    with Progress(quiet=as_json or verbose) as progress:
        log = _step_log(progress, verbose=verbose and not as_json)
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
        _print_findings(report, verbose=verbose)
    ctx.exit(0 if report.passed else 1)


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@db_option
@clock_option(str(EVENT_CLOCK))
@cage_options
@_verbose_option
@click.option("--again", is_flag=True, help="Run the check even if this content has passed it.")
@click.option(
    "--to", "address", metavar="URL", help="Send it to the league that is served at this address."
)
@click.pass_context
def submit(
    ctx: click.Context, /, db: Path, verbose: bool, address: str | None, **options: Any
) -> None:
    """Check a bot's folder and add it to the league.

    With --to, the league at that address checks it, and the steps are shown here; `arena login`
    remembers your token, or set ARENA_TOKEN. The other options are then those of that league.

    Changed content becomes a new version; unchanged content is not submitted again. If `arena
    check` has passed with the same content, clock, limits and cage, nothing is run again.

    Example: arena submit kitten
    """
    if address:
        _submit_to(ctx, address, options["folder"], verbose=verbose)
        return
    try:
        with Progress(quiet=verbose) as progress:
            log = _step_log(progress, verbose=verbose)
            # The other options have the names of the method's parameters.
            done = League(db).submit(**options, log=log, on_warning=warn)
    except CheckFailed as error:
        _print_findings(error.report, verbose=verbose)
        say(str(error), err=True)
        ctx.exit(1)
    version = done.version
    if done.check:
        _print_findings(done.check, verbose=verbose)
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


def _step_log(progress: Progress, *, verbose: bool) -> StepLog:
    """Return a log that shows the steps of a check: each in a line, or the present one in a bar."""

    def begin(number: int, title: str) -> None:
        if verbose:
            click.echo(_title(number, title), nl=False)
        progress.update(lambda: f"step {number}: {title}")

    return StepLog(begin, _print_step if verbose else lambda step: None)


def _print_findings(report: CheckReport, *, verbose: bool) -> None:
    """Print warnings and failures, unless all steps have been printed, and the verdict."""
    _print_found(report.steps, verbose=verbose)
    say(plain(report.summary))
    if not report.passed and not verbose:
        more = f"-v shows all steps; --{report.deals} repeats the same matches"
        say(click.style(more, dim=True), err=True)


def _print_found(steps: Sequence[Step], *, verbose: bool) -> None:
    """Print warnings and failures, unless all steps have been printed."""
    for step in steps:
        if not verbose and step.status in (StepStatus.WARNING, StepStatus.FAILED):
            click.echo(_title(step.number, step.title), nl=False)
            _print_step(step)


def _submit_to(ctx: click.Context, address: str, folder: Path, *, verbose: bool) -> None:
    """Send a bot to a league that is served, and show its check."""
    # Imported late: few need a network.
    from arena.serve.client import RemoteLeague, check_address, token_for

    league = RemoteLeague(address, token_for(check_address(address)))
    sent = league.submit(folder)
    say(plain(f"sent {sent['bot']}: submission {sent['id']}, {sent['status']}"), err=True)

    with Progress(quiet=verbose) as progress:
        printer = _step_log(progress, verbose=verbose)

        def show(step: dict[str, Any]) -> None:
            printer.begin(plain(step["title"]))
            printed = "\n".join(step["printed"]).encode()
            printer.end(
                StepStatus(step["status"]),
                step["sentence"],
                printed=printed,
                figures=step["figures"],
            )

        done = league.follow(sent, show)
    _print_found(printer.steps, verbose=verbose)
    say(plain(f"{done['status']}: {done['sentence']}"))
    if done["version"]:
        say(f"watch it at {league.address}/live")
    ctx.exit(1 if done["status"] == "refused" else 0)


@click.command()
@click.argument("address", metavar="URL")
@click.option("--token", help="Your token; asked for if it is not given.")
def login(address: str, token: str | None) -> None:
    """Remember your token for the league at an address.

    It is kept in your keyring if the package keyring is installed and has one, otherwise in a file
    that only you can read. ARENA_TOKEN, if it is set, is used instead.

    Example: arena login https://league.example
    """
    from arena.serve.client import RemoteLeague, check_address, remember

    address = check_address(address)
    token = token or click.prompt("Token", hide_input=True, err=True)
    author = RemoteLeague(address, token).me()
    where = remember(address, token)
    say(plain(f"you are {author['name']} at {address}; the token is in {where}"))


def _title(number: int, title: str) -> str:
    return f"{number:>2}  {title}: "


def _print_step(step: Step) -> None:
    status = click.style(step.status.value, fg=_COLOURS[step.status], bold=True)
    text = f"{status}, {step.sentence}" if step.sentence else status
    say(text, after=_title(step.number, step.title))
    if step.printed:
        say("    Its last output:")
        for line in step.printed:
            say(click.style(f"      {line}".rstrip(), dim=True))
    if step.advice:
        say(f"    {click.style(plain(step.advice), fg='cyan')}")


def _step_document(step: Step) -> dict[str, Any]:
    fields = asdict(step)
    fields["verdict"] = fields.pop("status").value
    return fields
