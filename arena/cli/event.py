"""The command `arena event`: run, resume, list, show and watch events."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arena.cli.event_run import run_with_progress
from arena.cli.event_tables import print_event
from arena.cli.options.cage import limit_option, select_cage_and_warn
from arena.cli.options.cluster import ClusterChoice, cluster_options
from arena.cli.options.deals import deal_options, warn_if_deals_are_open
from arena.cli.options.league import db_option, now, reading, writing
from arena.cli.options.stopping import stopping_options
from arena.cli.options.workers import worker_options
from arena.cli.terminal.event_screen import (
    describe_end,
    event_frames,
    find_event_in_play,
    is_in_play,
)
from arena.cli.terminal.tables import format_options, show_rows
from arena.cli.terminal.values import NameList
from arena.cli.terminal.watching import every_option, watch
from arena.errors import BadInput, did_you_mean
from arena.sandbox.cage import Uncaged
from arena.sandbox.select import AUTO, CAGE_NAMES
from arena.text import plain
from arena.tournament.setup import enter_event, spec_of
from arena.tournament.spec import (
    DEFAULT_CLOCK,
    Kind,
    Spec,
    check_spec,
    read_spec,
    secret_for,
    spec_document,
)
from arena.tournament.standing import standing_of
from leaderboard.events import Event, all_events, find_event
from leaderboard.journal import head_of
from leaderboard.machines import machines_of_event
from leaderboard.queries import faults_of_event
from leaderboard.store import Reader

_KINDS = tuple(kind.value for kind in Kind)


@click.group()
def event() -> None:
    """Run round-robins, Swiss events and ladders, and show results.

    Example: arena event run swiss --game meow --bots kitten,greedy-meow,random
    """


@event.command()
@click.argument("what", metavar="round-robin|swiss|ladder|FILE")
@click.option("--game", metavar="GAME", help="The game to play.")
@click.option(
    "--bots",
    type=NameList(),
    metavar="NAME,...",
    help="Bots that play, by name or version (kitten@2).",
)
@click.option("--all", "all_bots", is_flag=True, help="Enter all bots that play the game.")
@click.option(
    "--seats", type=int, help="Players at a table; default 4, or the nearest size the game allows."
)
@click.option(
    "--deals", type=int, help="Deals for each pairing, each played in every rotation of the seats."
)
@click.option("--rounds", type=int, help="Number of rounds; default: as many as the field needs.")
@click.option(
    "--matches",
    type=int,
    help="For a round-robin or a ladder: the fewest pairings that reach this many matches.",
)
@stopping_options
@click.option(
    "--clock",
    metavar="[cpu:]BANK+INC",
    help=f"Thinking time of each seat, in seconds; default {DEFAULT_CLOCK}.",
)
@click.option(
    "--variant",
    multiple=True,
    metavar="WORD",
    help="A variant, or a parameter as name=value; repeatable.",
)
@deal_options
@click.option("--name", help="Name of the event.")
@click.option("--cage", type=click.Choice(CAGE_NAMES), help=f"Sandbox for bots; default {AUTO}.")
@limit_option
@click.option(
    "--keep-authors-apart",
    is_flag=True,
    default=None,
    help="Never seat two bots of the same author at one table.",
)
@click.option("--freeze", is_flag=True, default=None, help="Suspend bots while others think.")
@worker_options
@cluster_options
@db_option
def run(
    what: str,
    bots: tuple[str, ...] | None,
    all_bots: bool,
    limits: dict[str, int],
    jobs: int,
    tables: int,
    quiet: bool,
    cluster: ClusterChoice,
    db: Path,
    **settings: Any,
) -> None:
    """Run an event described by options or by a TOML file.

    Options override the file. You can stop an event at any time and continue it with
    `arena event resume`.

    A ladder pairs each round from the strengths so far. Bots that are submitted while it runs come
    in, and retired ones go. It has all bots that play the game, unless --bots names some, and ends
    when the order is known, unless it is limited.

    Example: arena event run round-robin --game meow --bots kitten,first,random --name cup
    """
    if bots and all_bots:
        raise BadInput("use either --bots or --all, not both")
    options = {key: value for key, value in settings.items() if value not in (None, ())}
    if bots or all_bots:
        options["bots"] = bots or ()
    spec = _base_spec(what, options)
    if "seed" in options or "secret" in options:
        spec = replace(spec, seed=None, secret=None)
    spec = check_spec(replace(spec, **options, limits=spec.limits | limits))
    select_cage_and_warn(spec.cage)
    with writing(db) as writer:
        entered = enter_event(writer, spec, now=now())
        warn_if_deals_are_open(secret_for(spec))
        click.echo(f"{entered.name}: commitment to the deals: {entered.commitment}", err=True)
        run_with_progress(
            writer,
            entered,
            jobs=jobs,
            tables=tables,
            quiet=quiet,
            cluster=cluster.or_at(spec.workers),
        )
        print_event(writer, find_event(writer, entered.name))
        _print_journal(writer, to_stderr=True)


def _base_spec(what: str, options: dict[str, Any]) -> Spec:
    """Return the spec that the options modify: the default for a kind, or the content of a file."""
    if what in _KINDS:
        if "game" not in options:
            raise BadInput("missing option --game")
        if "bots" not in options and what != Kind.LADDER.value:
            raise BadInput("missing option --bots (or --all for all bots that play the game)")
        return Spec(Kind(what), options["game"])
    if what.endswith(".toml") or os.path.exists(what):
        return read_spec(Path(what))
    hint = did_you_mean(what, _KINDS)
    raise BadInput(f"{what!r} is neither an event kind nor a file: {hint}")


@event.command()
@click.argument("name", required=False)
@click.option(
    "--cage",
    type=click.Choice((Uncaged.name,)),
    help="Required for an event without a cage: confirms that its bots may run uncaged.",
)
@worker_options
@cluster_options
@db_option
def resume(
    name: str | None,
    cage: str | None,
    jobs: int,
    tables: int,
    quiet: bool,
    cluster: ClusterChoice,
    db: Path,
) -> None:
    """Resume an interrupted event.

    Without NAME, resume the one that started last.

    Example: arena event resume
    """
    with writing(db, create=False) as writer:
        stopped = _find_unfinished(writer, name)
        _check_trust(stopped, cage)
        select_cage_and_warn(spec_of(stopped).cage)
        run_with_progress(writer, stopped, jobs=jobs, tables=tables, quiet=quiet, cluster=cluster)
        print_event(writer, find_event(writer, stopped.name))
        _print_journal(writer, to_stderr=True)


def _check_trust(event: Event, cage: str | None) -> None:
    """Require consent to run bots uncaged: the league file may come from someone else."""
    is_uncaged = spec_of(event).cage == Uncaged.name
    if is_uncaged and cage is None:
        raise BadInput(
            f"{event.name} runs without a cage: its bots can read, change and send anything that "
            "you can. If you trust all of them, add --cage none"
        )
    if cage is not None and not is_uncaged:
        raise BadInput(f"{event.name} runs in a cage: omit --cage {cage}")


def _find_unfinished(reader: Reader, name: str | None) -> Event:
    if name:
        found = find_event(reader, name)
        if found.status == "finished":
            raise BadInput(f"{name} is finished: there is nothing to resume")
        return found
    stopped = [each for each in all_events(reader) if each.status != "finished"]
    if not stopped:
        raise BadInput("there is no interrupted event to resume")
    return stopped[-1]


@event.command("list")
@db_option
@format_options
def list_events(db: Path, as_json: bool, as_csv: bool) -> None:
    """List the events of the league.

    Example: arena event list
    """
    with reading(db) as store:
        rows = [each._asdict() for each in all_events(store)]
    headings = {name: name for name in ("name", "kind", "game", "variant", "seats", "deals")}
    headings |= {name: name for name in ("rounds", "clock", "status")}
    headings |= {"open_deals": "open deals", "started": "started", "ended": "ended"}
    show_rows(rows, headings, as_json=as_json, as_csv=as_csv)


@event.command("show")
@click.argument("name")
@db_option
@format_options
def show_event(name: str, db: Path, as_json: bool, as_csv: bool) -> None:
    """Show an event's standings, crosstable and faults.

    Example: arena event show cup
    """
    with reading(db) as store:
        found = find_event(store, name)
        if not as_json and not as_csv:
            print_event(store, found)
            click.echo()
            _print_journal(store)
            return
        standing = standing_of(store, found)
        faults = [line._asdict() for line in faults_of_event(store, found.id)]
        machines = [machine._asdict() for machine in machines_of_event(store, found.id)]
        journal = head_of(store)
    if as_csv:
        show_rows(standing.rows(), {}, as_csv=True)
        return
    document = {
        **found._asdict(),
        "spec": spec_document(spec_of(found)),
        "standings": standing.rows(),
        "crosstable": standing.crosstable(),
        "faults": faults,
        "suspended": standing.suspended,
        "machines": machines,
        "journal": journal._asdict(),
    }
    click.echo(json.dumps(document, indent=2))


def _print_journal(reader: Reader, *, to_stderr: bool = False) -> None:
    """Print the last hash of the journal, to be published."""
    click.echo(plain(f"journal of the league: {head_of(reader)}"), err=to_stderr)


@event.command("watch")
@click.argument("name", required=False)
@every_option
@db_option
def watch_event(name: str | None, every_s: float, db: Path) -> None:
    """Watch a running event until it ends.

    It shows the matches in play, the speed and the points so far. The exit code is 1 if the
    event is interrupted or no event is running.

    Example: arena event watch
    """
    with reading(db) as store:
        found = find_event_in_play(store, db, name)
        watch(event_frames(store, db, found), every_s=every_s)
        if is_in_play(db, found):
            return
        ended = find_event(store, found.name)
    click.echo(plain(describe_end(ended)))
    if ended.status != "finished":
        raise click.exceptions.Exit(1)
