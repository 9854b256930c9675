"""The command `arena compare`."""

from __future__ import annotations

import json
from contextlib import ExitStack, closing, nullcontext
from pathlib import Path

import click

from arena.cli.find_bots import league_bots
from arena.cli.options.cage import cage_options, clock_option, select_cage_and_warn
from arena.cli.options.completion import complete_bot_or_path, complete_bots, complete_variant
from arena.cli.options.deals import deal_fields, deal_options
from arena.cli.options.league import db_option
from arena.cli.options.workers import WorkerChoice, worker_options
from arena.cli.terminal.output import say
from arena.cli.terminal.progress import Progress
from arena.cli.terminal.signals import stop_on_signal
from arena.cli.terminal.values import BoundedFloat, NameList
from arena.comparison.bots import ComparedBot, find_compared_bot
from arena.comparison.confidence import ConfidenceSequence, Verdict
from arena.comparison.plan import plan_for
from arena.comparison.report import ComparisonReport
from arena.comparison.run import ComparisonRun
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.indices import EntrantIndex
from arena.referee.clock import Clock
from arena.secret import Secret, make_secret
from arena.text import plain
from arena.tournament.spec import DEFAULT_CLOCK
from arena.workers.block import MatchTerms
from arena.workers.pool import WorkerPool, local_pool


@click.command()
@click.argument("new", metavar="NEW", shell_complete=complete_bot_or_path)
@click.argument("old", metavar="OLD", shell_complete=complete_bot_or_path)
@click.option("--game", "game_id", required=True, metavar="GAME", help="The game to play.")
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
    "settings",
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
@deal_options
@clock_option(DEFAULT_CLOCK)
@cage_options
@worker_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
@click.pass_context
def compare(
    ctx: click.Context,
    new: str,
    old: str,
    game_id: str,
    opponents: tuple[str, ...],
    seats: int | None,
    settings: tuple[str, ...],
    deals: int,
    error: float,
    margin: float,
    seed: int | None,
    secret: str | None,
    clock: Clock,
    cage_name: str,
    limits: dict[str, int],
    workers: WorkerChoice,
    db: Path,
    as_json: bool,
) -> None:
    """Find out whether a change made a bot better.

    Both versions play the same deals in the same seats until it is clear which one is better, or
    that they hardly differ. The exit code is 1 if the new version is worse.

    Each bot is a folder with a bot.toml, a .py file, a house bot, or a bot of the league (kitten is
    its newest version, kitten@2 its second), tried in this order.

    Example: arena compare kitten random --game meow --seed 1
    """
    game = game_named(game_id)
    parameters = parameters_from(game, settings)
    plan = plan_for(game, parameters, opponents=len(opponents), seats=seats)
    dealt_from = make_secret(seed=seed, secret=secret, purpose="compare")
    terms = MatchTerms(
        game.id,
        game.parameters_form.show(parameters),
        str(clock),
        cage_name,
        sealed=not dealt_from.is_open,
        limits=limits,
    )
    bots = _find_bots((new, old, *opponents), game, db)
    report = ComparisonReport(plan, bots, ConfidenceSequence(error=error, margin=margin))
    if not report.is_identical:
        select_cage_and_warn(cage_name)
        entrants = [
            bots[bot].as_entrant(EntrantIndex(index)) for index, bot in enumerate(plan.entrants)
        ]
        run = ComparisonRun(plan, terms, entrants, dealt_from.key, deals=deals)
        with workers.cluster(cage=cage_name) as cluster:
            _play(run, report, workers, cluster)
    if as_json:
        click.echo(json.dumps({**deal_fields(dealt_from), **report.document()}, indent=2))
    else:
        _print_report(report, dealt_from)
    ctx.exit(1 if report.verdict is Verdict.WORSE else 0)


def _find_bots(words: tuple[str, ...], game: AnyGame, db: Path) -> tuple[ComparedBot, ...]:
    with ExitStack() as stack:
        league = league_bots(db, stack)
        return tuple(find_compared_bot(word, game, league) for word in words)


def _play(
    run: ComparisonRun,
    report: ComparisonReport,
    choice: WorkerChoice,
    cluster: WorkerPool | None,
) -> None:
    """Play until there is a verdict, the deals run out, or the user stops it."""
    jobs, tables = choice.jobs, choice.tables
    with stop_on_signal() as should_stop, Progress(quiet=choice.quiet) as progress:
        progress.update(report.line)
        with (
            nullcontext(cluster)
            if cluster
            else local_pool(jobs, should_stop=should_stop) as workers,
            closing(run.play(workers, jobs=jobs, tables=tables, should_stop=should_stop)) as played,
        ):
            for deal in played:
                report.add(deal)
                progress.update(report.line)
                if report.verdict is not Verdict.UNKNOWN:
                    break


def _print_report(report: ComparisonReport, secret: Secret) -> None:
    new, old, *_ = report.bots
    say(f"new: {plain(new.title)}\nold: {plain(old.title)}")
    say(plain(report.verdict_sentence()))
    if report.deals:
        say(plain(f"{report.method_sentence()} {str(secret).capitalize()}."))
    if len(report.deals) > 1:
        say(report.savings_sentence())
    for sentence in report.fault_sentences():
        say(plain(sentence), err=True)
