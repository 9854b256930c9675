"""How are events held, gone on with and looked at?"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import Any

import click

from arena.cli.db import db_option, now, reading, writing
from arena.cli.tables import format_options, show
from arena.errors import ArenaError, BadInput
from arena.events.league import run_of, start
from arena.events.progress import Reporter
from arena.events.spec import DEFAULT_CLOCK, Kind, Spec, read_spec
from arena.events.standing import EventStanding, standing_of
from arena.events.workers import local_workers
from arena.limits import limits_from
from arena.replays.story import plain
from arena.sandbox.cages import AUTO, cage_named
from arena.sandbox.cages import NAMES as CAGES
from leaderboard.boards import EventFault, faults_of_event
from leaderboard.events import Event, all_events, end_event, event_named, resume_event
from leaderboard.store import Reader, Writer

TABLES = 64
_MOST_IN_CROSSTABLE = 24
"""More columns than this fit on no terminal."""
_STANDINGS = {
    "rank": "rank",
    "bot": "bot",
    "version": "version",
    "points": "points",
    "opponents": "opponents",
    "direct": "direct",
    "wins": "wins",
    "rating": "rating",
    "matches": "matches",
    "byes": "byes",
    "mean_place": "mean place",
    "faults": "faults",
}
_WRITTEN: dict[str, Callable[[Any], str]] = {
    name: lambda value: "" if value is None else f"{value:.2f}"
    for name in ("points", "opponents", "direct", "rating", "mean_place")
}
_FAULTS = {
    "bot": "bot",
    "version": "version",
    "ending": "fault",
    "times": "times",
    "match": "first in match",
    "sentence": "what it was",
}


class WorkerDied(ArenaError):
    """A worker process came to a sudden end."""


@click.group()
def event() -> None:
    """Hold round-robin and Swiss events, go on with them, and look at them.

    Example: arena event run swiss --game meow --all
    """


def _worker_options(command: Any) -> Any:
    for option in (
        click.option("-q", "--quiet", is_flag=True, help="Show no progress."),
        click.option(
            "--tables",
            type=click.IntRange(1, 1024),
            default=TABLES,
            show_default=True,
            help="How many matches each worker plays at once.",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(1, 256),
            default=os.cpu_count() or 1,
            show_default="the cores",
            help="How many workers play.",
        ),
    ):
        command = option(command)
    return command


@event.command()
@click.argument("what", metavar="round-robin|swiss|FILE")
@click.option("--game", "game", metavar="GAME", help="What is played.")
@click.option(
    "--bots", metavar="NAME,...", help="Who plays: names, or names with versions (kitten@2)."
)
@click.option("--all", "everybody", is_flag=True, help="All bots that play the game.")
@click.option("--seats", type=int, help="How many sit at a table; 4 or what comes next to it.")
@click.option("--deals", type=int, help="Deals a pairing, each in every rotation of the seats.")
@click.option("--rounds", type=int, help="How many rounds; what the field needs by default.")
@click.option("--matches", type=int, help="At most so many matches, for a round-robin.")
@click.option(
    "--clock",
    metavar="[cpu:]BANK+INC",
    help=f"Thinking time of a seat; {DEFAULT_CLOCK} if not set.",
)
@click.option("--variant", multiple=True, metavar="WORD", help="A variant, or name=value.")
@click.option("--seed", type=int, help="A number; the same one deals the same; 0 if not set.")
@click.option("--name", help="What the event is called.")
@click.option("--cage", type=click.Choice(CAGES), help=f"How bots are shut in; {AUTO} if not set.")
@click.option("--limit", "limits", multiple=True, metavar="NAME=NUMBER", help="For every bot.")
@click.option("--freeze", is_flag=True, default=None, help="Stop bots while others think.")
@_worker_options
@db_option
@click.pass_context
def run(
    ctx: click.Context,
    /,
    what: str,
    bots: str | None,
    everybody: bool,
    limits: tuple[str, ...],
    jobs: int,
    tables: int,
    quiet: bool,
    db: Path,
    **asked: Any,
) -> None:
    """Hold an event, as these options or a TOML file have it. It can be stopped at any moment and
    gone on with: `arena event resume`.

    Example: arena event run round-robin --game meow --all --deals 5
    """
    if bots and everybody:
        raise BadInput("either --bots or --all, not both")
    if bots:
        asked["bots"] = tuple(word.strip() for word in bots.split(",") if word.strip())
    elif everybody:
        asked["bots"] = ()
    if limits:
        asked["limits"] = limits_from(limits)
    spec = _spec(what, asked)
    if not spec.bots and not everybody and "/" not in what and not what.endswith(".toml"):
        raise BadInput("who plays? Name them with --bots, or take --all")
    _check_cage(spec.cage)
    with writing(db) as writer:
        begun = start(writer, spec, now=now())
        _play(ctx, writer, begun, jobs, tables, quiet, db)


def _spec(what: str, asked: dict[str, Any]) -> Spec:
    given = {key: value for key, value in asked.items() if value not in (None, ())}
    if "bots" in asked:
        given["bots"] = asked["bots"]
    kinds = [kind.value for kind in Kind]
    if what not in kinds:
        if not what.endswith(".toml") and not Path(what).exists():
            raise BadInput(f"{what!r} is neither {' nor '.join(kinds)} nor a file")
        spec = read_spec(Path(what))
    elif "game" not in given:
        raise BadInput("which game? Name it with --game")
    else:
        spec = Spec(Kind(what), given["game"])
    return replace(spec, **given)


def _check_cage(name: str) -> None:
    warning = cage_named(name).warning
    if warning:
        click.echo(f"warning: {warning}", err=True)


@event.command()
@click.argument("name", required=False)
@_worker_options
@db_option
@click.pass_context
def resume(
    ctx: click.Context, name: str | None, jobs: int, tables: int, quiet: bool, db: Path
) -> None:
    """Go on with an event that was stopped; with the last one if none is named.

    Example: arena event resume meow-swiss-1
    """
    with reading(db):
        pass
    with writing(db) as writer:
        stopped = _stopped(writer, name)
        resume_event(writer, stopped.id)
        _play(ctx, writer, event_named(writer, stopped.name), jobs, tables, quiet, db)


def _stopped(writer: Writer, name: str | None) -> Event:
    if name:
        found = event_named(writer, name)
        if found.status == "finished":
            raise BadInput(f"{name} is finished: there is nothing to go on with")
        return found
    stopped = [each for each in all_events(writer) if each.status != "finished"]
    if not stopped:
        raise BadInput("no event was stopped: there is nothing to go on with")
    return stopped[-1]


def _play(
    ctx: click.Context,
    writer: Writer,
    begun: Event,
    jobs: int,
    tables: int,
    quiet: bool,
    db: Path,
) -> None:
    run = run_of(writer, begun, now=now)
    reporter = Reporter(run.names, quiet=quiet)
    finished = False
    try:
        with _stop_asked() as stops, local_workers(jobs) as workers:
            finished = run.play(workers, jobs=jobs, tables=tables, tell=reporter.tell, stops=stops)
    except BrokenProcessPool:
        raise WorkerDied(
            f"a worker process died (out of memory?); nothing is lost: {_how_to_go_on(begun, db)}"
        ) from None
    finally:
        reporter.end()
        end_event(writer, begun.id, finished=finished, now=now())
    if not finished:
        click.echo(f"{begun.name} was stopped: {_how_to_go_on(begun, db)}", err=True)
        ctx.exit(1)
    _tell(writer, event_named(writer, begun.name))


def _how_to_go_on(stopped: Event, db: Path) -> str:
    return f"go on with `arena event resume {stopped.name} --db {db}`"


@contextmanager
def _stop_asked() -> Iterator[Any]:
    """Take Ctrl-C and a friendly kill as a wish to stop; a second Ctrl-C is taken literally."""
    asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if asked and number == signal.SIGINT:
            raise KeyboardInterrupt
        asked = True

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


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
    headings |= {name: name for name in ("rounds", "clock", "status", "started", "ended")}
    show(rows, headings, as_json=as_json, as_csv=as_csv)


@event.command("show")
@click.argument("name")
@db_option
@format_options
def show_event(name: str, db: Path, as_json: bool, as_csv: bool) -> None:
    """Show an event's standings, who did how against whom, and what went wrong.

    Example: arena event show meow-swiss-1
    """
    with reading(db) as store:
        found = event_named(store, name)
        if not as_json and not as_csv:
            _tell(store, found)
            return
        standing = standing_of(store, found)
        faults = [line._asdict() for line in faults_of_event(store, found.id)]
    if as_csv:
        show(standing.rows(), {}, as_csv=True)
        return
    document = {
        **found._asdict(),
        "spec": json.loads(found.spec),
        "standings": standing.rows(),
        "crosstable": standing.crosstable(),
        "faults": faults,
        "suspended": standing.suspended,
    }
    click.echo(json.dumps(document, indent=2))


def _tell(reader: Reader, told: Event) -> None:
    """Print an event for people."""
    standing = standing_of(reader, told)
    click.echo(click.style(_title(told), bold=True))
    show(standing.rows(), _STANDINGS, written=_WRITTEN)
    if len(standing.lines) <= _MOST_IN_CROSSTABLE:
        click.echo()
        _tell_crosstable(standing)
    for name, reason in standing.suspended.items():
        click.echo(plain(f"{name}: {reason}"))
    faults = _summed_up(faults_of_event(reader, told.id))
    if faults:
        click.echo()
        show(faults, _FAULTS)


def _summed_up(faults: list[EventFault]) -> list[dict[str, Any]]:
    """Tell each bot's faults of a kind once."""
    kinds: dict[tuple[str, int, str], list[EventFault]] = {}
    for fault in faults:
        kinds.setdefault((fault.bot, fault.version, fault.ending), []).append(fault)
    return [
        {
            "bot": bot,
            "version": version,
            "ending": ending,
            "times": len(each),
            "match": each[0].match,
            "sentence": each[0].sentence,
        }
        for (bot, version, ending), each in kinds.items()
    ]


def _title(told: Event) -> str:
    mark = ", without a cage" if told.cage == "none" else ""
    return (
        f"{told.name}: {told.kind}, {told.game} {told.variant}, tables of {told.seats}, "
        f"clock {told.clock}, seed {told.seed}, {told.status}{mark}"
    )


def _tell_crosstable(standing: EventStanding) -> None:
    """Print the share of matches that each finished ahead of each other, in percent."""
    names = [standing.name(line.entrant) for line in standing.lines]
    rows = []
    for number, (name, row) in enumerate(zip(names, standing.against, strict=True), start=1):
        cells = {str(n): round(100 * met.share) if met else None for n, met in enumerate(row, 1)}
        rows.append({"number": number, "bot": name, **cells})
    headings = {"number": "%", "bot": "ahead of"}
    headings |= {str(n): str(n) for n in range(1, len(names) + 1)}
    show(rows, headings)
