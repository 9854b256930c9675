"""How does an author find out whether a change is an improvement?"""

from __future__ import annotations

import json
from contextlib import ExitStack, closing
from pathlib import Path

import click

from arena.cli.caging import caging_options, clock_option, working_cage
from arena.cli.db import db_option, reading
from arena.cli.dealing import deal_options, repeating
from arena.cli.progress import Progress
from arena.cli.running import stop_asked, worker_options, workers_until
from arena.cli.values import Names, Real
from arena.compare.bots import Bot, find
from arena.compare.plan import plan_for
from arena.compare.playing import Run
from arena.compare.sequence import Sequence, Verdict
from arena.compare.telling import Account
from arena.events.spec import DEFAULT_CLOCK
from arena.events.work import Terms
from arena.games.registry import AnyGame, game_named, parameters_from
from arena.referee.clock import Clock
from arena.replays.story import plain
from arena.secret import Secret, chosen_secret


@click.command()
@click.argument("new", metavar="NEW")
@click.argument("old", metavar="OLD")
@click.option("--game", "game_id", required=True, metavar="GAME", help="What is played.")
@click.option(
    "--opponents",
    metavar="BOT,...",
    type=Names(),
    default=(),
    help="Who plays against both; without any, they play against one another.",
)
@click.option("--seats", type=int, help="How many sit at a table; 4, or as opponents are named.")
@click.option(
    "--variant", "settings", multiple=True, metavar="WORD", help="A variant, or name=value."
)
@click.option(
    "--deals",
    type=click.IntRange(1, 1_000_000),
    default=10_000,
    show_default=True,
    help="Give up after so many.",
)
@click.option(
    "--error",
    type=Real(0, 0.5, min_open=True),
    default=0.05,
    show_default=True,
    help="In so large a share of all runs, at most, the verdict may be wrong.",
)
@click.option(
    "--margin",
    type=Real(0, 0.5, min_open=True),
    default=0.02,
    show_default=True,
    help="A smaller difference, in points a match, is not worth having.",
)
@deal_options
@clock_option(DEFAULT_CLOCK)
@caging_options
@worker_options
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as one JSON document.")
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
    jobs: int,
    tables: int,
    quiet: bool,
    db: Path,
    as_json: bool,
) -> None:
    """Find out whether a change has made a bot better.

    Both versions play the same deals in the same seats until it is known which one does better, or
    that it hardly matters. Any of the bots is a folder, a .py file, a house bot, or a version of
    the league (kitten@2). The exit code is 1 if the new version is worse.

    Example: arena compare kitten random --game meow --seed 1
    """
    game = game_named(game_id)
    parameters = parameters_from(game, settings)
    plan = plan_for(game, parameters, opponents=len(opponents), seats=seats)
    terms = Terms(
        game.id,
        game.parameters_form.show(parameters),
        str(clock),
        cage_name,
        limits=limits,
    )
    bots = _found((new, old, *opponents), game, db)
    account = Account(plan, bots, Sequence(error=error, margin=margin))
    dealt_from = chosen_secret(seed=seed, secret=secret, purpose="compare")
    if not account.is_identical:
        working_cage(cage_name)
        players = [bots[bot].player(place) for place, bot in enumerate(plan.players)]
        run = Run(plan, terms, players, dealt_from.key, deals=deals)
        _play(run, account, jobs=jobs, tables=tables, quiet=quiet)
    if as_json:
        click.echo(json.dumps({**repeating(dealt_from), **account.document()}, indent=2))
    else:
        _tell(account, dealt_from)
    ctx.exit(1 if account.verdict is Verdict.WORSE else 0)


def _found(words: tuple[str, ...], game: AnyGame, db: Path) -> tuple[Bot, ...]:
    with ExitStack() as stack:
        league = stack.enter_context(reading(db)) if db.exists() else None
        return tuple(find(word, game, league) for word in words)


def _play(run: Run, account: Account, *, jobs: int, tables: int, quiet: bool) -> None:
    """Play until the verdict is known, there were enough deals, or somebody stops it."""
    with stop_asked() as stops, Progress(quiet=quiet) as progress:
        progress.tell(account.line)
        with (
            workers_until(stops, jobs) as workers,
            closing(run.play(workers, jobs=jobs, tables=tables, stops=stops)) as played,
        ):
            for deal in played:
                account.add(deal)
                progress.tell(account.line)
                if account.verdict is not Verdict.UNKNOWN:
                    break


def _tell(account: Account, secret: Secret) -> None:
    new, old, *_ = account.bots
    click.echo(f"new: {plain(new.title)}\nold: {plain(old.title)}")
    click.echo(plain(account.verdict_told()))
    if account.deals:
        click.echo(plain(f"{account.measured()} {str(secret).capitalize()}."))
    if len(account.deals) > 1:
        click.echo(account.saved())
    for sentence in account.faults_told():
        click.echo(plain(sentence), err=True)
