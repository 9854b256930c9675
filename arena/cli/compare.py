"""The command `arena compare`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

import arena
from arena.cli.options.cage import cage_options, clock_option, warn
from arena.cli.options.completion import complete_bot_or_path, complete_bots, complete_variant
from arena.cli.options.deals import deal_fields, secret_options
from arena.cli.options.league import db_option
from arena.cli.options.workers import WorkerChoice, worker_options
from arena.cli.terminal.output import print_json, say
from arena.cli.terminal.progress import Progress
from arena.cli.terminal.signals import stop_on_signal
from arena.cli.terminal.values import BoundedFloat, NameList
from arena.comparison.confidence import Verdict
from arena.comparison.report import ComparisonReport
from arena.text import plain
from arena.tournament.spec import DEFAULT_CLOCK


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
@click.option(
    "--seats", type=int, help="Players at a table; default 4, or the number of opponents plus one."
)
@click.option(
    "--variant",
    multiple=True,
    metavar="WORD",
    shell_complete=complete_variant,
    help="A variant, or a parameter as name=value; repeatable.",
)
@click.option(
    "--deals",
    type=click.IntRange(1, 1_000_000),
    default=10_000,
    show_default=True,
    help="Maximum number of deals, two matches each.",
)
@click.option(
    "--error",
    type=BoundedFloat(0, 0.5, min_open=True),
    default=0.05,
    show_default=True,
    help="Maximum probability of a wrong verdict.",
)
@click.option(
    "--margin",
    type=BoundedFloat(0, 0.5, min_open=True),
    default=0.02,
    show_default=True,
    help="Ignore differences smaller than this, in points per match.",
)
@secret_options("compare")
@clock_option(DEFAULT_CLOCK)
@cage_options
@worker_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.pass_context
def compare(
    ctx: click.Context,
    /,
    workers: WorkerChoice,
    db: Path,
    as_json: bool,
    **options: Any,
) -> None:
    """Find out whether a change made a bot better.

    Both versions play the same deals in the same seats until it is clear which one is better, or
    that they hardly differ. The exit code is 1 if the new version is worse.

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
            on_deal=lambda report: progress.update(report.line),
            should_stop=should_stop,
            on_warning=warn,
        )
    if as_json:
        print_json({**deal_fields(report.secret), **report.document()})
    else:
        _print_report(report)
    ctx.exit(1 if report.verdict is Verdict.WORSE else 0)


def _print_report(report: ComparisonReport) -> None:
    say(str(report))
    for sentence in report.fault_sentences():
        say(plain(sentence), err=True)
