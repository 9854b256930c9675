"""The command `arena compare`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

import arena
from arena.cli.options import number_option
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.completion import complete_bot_or_path, complete_bots
from arena.cli.options.deals import deal_fields, secret_options, variant_option
from arena.cli.options.league import db_option
from arena.cli.options.workers import WorkerChoice, worker_options
from arena.cli.terminal.output import print_json, say
from arena.cli.terminal.progress import Progress
from arena.cli.terminal.signals import stop_on_signal
from arena.cli.terminal.values import NameList
from arena.comparison.confidence import Verdict
from arena.comparison.report import ComparisonReport
from arena.errors import BadInput
from arena.text import plain
from arena.tournament.spec import DEFAULT_CLOCK

_share = partial(number_option, least=0, most=0.5, whole=False, above=True)
_EXIT_CODES = {Verdict.WORSE: 1, Verdict.UNKNOWN: 3}


@click.command()
@click.argument("new", metavar="NEW", shell_complete=complete_bot_or_path)
@click.argument("old", metavar="OLD", shell_complete=complete_bot_or_path)
@click.option("--game", required=True, metavar="GAME", help="The game to play.")
@click.option(
    "--opponents",
    metavar="BOT,...",
    shell_complete=complete_bots,
    type=NameList(),
    default=(),
    help="Opponents of both versions; by default, NEW plays against OLD.",
)
@number_option(
    "--seats", least=2, help="Players at a table; default 4, or the number of opponents plus one."
)
@variant_option
@number_option(
    "--deals", most=1_000_000, default=10_000, help="Maximum number of deals, two matches each."
)
@_share("--error", default=0.05, help="Maximum probability of a wrong verdict.")
@_share("--margin", default=0.02, help="Ignore differences smaller than this, in points per match.")
@secret_options("compare")
@clock_option(DEFAULT_CLOCK)
@cage_options
@worker_options
@db_option
@click.option("--explain", "is_explained", is_flag=True, help="Explain the verdict.")
@click.option(
    "--summary",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the result to this file, as Markdown for a pull request.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    workers: WorkerChoice,
    db: Path,
    summary: Path | None,
    is_explained: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Find out whether a change made a bot better.

    Both versions play the same deals in the same seats until it is clear which one is better, or
    that they hardly differ. The exit code is 0 if the new version is better or there is no
    difference worth having, 1 if it is worse, and 3 if that is not known yet: after Ctrl-C, or
    after --deals.

    Each bot is a folder with a bot.toml, a .py file, a house bot, or a bot of the league (kitten is
    its newest version, kitten@2 its second), tried in this order.

    Example: arena compare kitten random --game meow --seed 1
    """
    # The other options have the names of the function's parameters.
    with (
        workers.cluster(cage=options["cage"]) as cluster,
        stop_on_signal() as should_stop,
        Progress(quiet=workers.quiet) as progress,
    ):
        report = arena.compare(
            **options,
            league=db,
            jobs=workers.jobs,
            tables=workers.tables,
            workers=cluster,
            on_progress=lambda report: progress.update(report.line),
            should_stop=should_stop,
            on_warning=warn,
        )
    if as_json:
        print_json({**deal_fields(report.secret), **report.document()})
    else:
        _print_report(report, is_explained=is_explained)
    if summary:
        _write(summary, report.markdown())
    ctx.exit(_EXIT_CODES.get(report.verdict, 0))


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise BadInput(f"--summary: cannot write {path}: {error.strerror}") from None


def _print_report(report: ComparisonReport, *, is_explained: bool) -> None:
    say(str(report))
    for sentence in report.explanation() if is_explained else ():
        say(plain(sentence))
    for sentence in report.fault_sentences():
        say(plain(sentence), err=True)
