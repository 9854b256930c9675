"""How are events held, resumed and looked at?"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from arena.cli.caging import limit_option, working_cage
from arena.cli.db import db_option, now, reading, writing
from arena.cli.dealing import deal_options, warn_of_open_deals
from arena.cli.running import play_aloud, worker_options
from arena.cli.standings import tell_event
from arena.cli.tables import format_options, show
from arena.cli.values import Names
from arena.cli.watching import every_option, watch
from arena.cli.watching_event import event_in_play, how_it_ended, is_in_play, pictures_of
from arena.errors import BadInput, did_you_mean
from arena.events.holding import spec_of, start
from arena.events.spec import (
    DEFAULT_CLOCK,
    Kind,
    Spec,
    checked,
    document_of,
    read_spec,
    secret_for,
)
from arena.events.standing import standing_of
from arena.replays.story import plain
from arena.sandbox.cage import NoneCage
from arena.sandbox.cages import AUTO
from arena.sandbox.cages import NAMES as CAGES
from leaderboard.boards import faults_of_event
from leaderboard.events import Event, all_events, event_named, resume_event
from leaderboard.store import Reader

_KINDS = tuple(kind.value for kind in Kind)


@click.group()
def event() -> None:
    """Hold round-robin and Swiss events, and look at them.

    Example: arena event run swiss --game meow --bots kitten,greedy-meow,random
    """


@event.command()
@click.argument("what", metavar="round-robin|swiss|FILE")
@click.option("--game", metavar="GAME", help="What is played.")
@click.option(
    "--bots",
    type=Names(),
    metavar="NAME,...",
    help="Who plays: names, or names with versions (kitten@2).",
)
@click.option("--all", "everybody", is_flag=True, help="All bots that play the game.")
@click.option("--seats", type=int, help="How many sit at a table; 4 or what comes next to it.")
@click.option("--deals", type=int, help="Deals a pairing, each in every rotation of the seats.")
@click.option("--rounds", type=int, help="How many rounds; what the field needs by default.")
@click.option(
    "--matches", type=int, help="For a round-robin, as many pairings as come to so many matches."
)
@click.option(
    "--clock",
    metavar="[cpu:]BANK+INC",
    help=f"Thinking time of a seat; {DEFAULT_CLOCK} if not set.",
)
@click.option("--variant", multiple=True, metavar="WORD", help="A variant, or name=value.")
@deal_options
@click.option("--name", help="What the event is called.")
@click.option("--cage", type=click.Choice(CAGES), help=f"How bots are shut in; {AUTO} if not set.")
@limit_option
@click.option("--freeze", is_flag=True, default=None, help="Stop bots while others think.")
@worker_options
@db_option
def run(
    what: str,
    bots: tuple[str, ...] | None,
    everybody: bool,
    limits: dict[str, int],
    jobs: int,
    tables: int,
    quiet: bool,
    db: Path,
    **asked: Any,
) -> None:
    """Hold an event, as options or a TOML file have it.

    With both, the options count. It can be stopped at any moment, and `arena event resume` goes on.

    Example: arena event run round-robin --game meow --bots kitten,greedy-meow,random --name cup
    """
    if bots and everybody:
        raise BadInput("either --bots or --all, not both")
    options = {key: value for key, value in asked.items() if value not in (None, ())}
    if bots or everybody:
        options["bots"] = bots or ()
    spec = _begun(what, options)
    if "seed" in options or "secret" in options:
        spec = replace(spec, seed=None, secret=None)
    spec = checked(replace(spec, **options, limits=spec.limits | limits))
    working_cage(spec.cage)
    with writing(db) as writer:
        begun = start(writer, spec, now=now())
        warn_of_open_deals(secret_for(spec))
        click.echo(f"{begun.name}: the commitment to its deals is {begun.commitment}", err=True)
        play_aloud(writer, begun, jobs=jobs, tables=tables, quiet=quiet)
        tell_event(writer, event_named(writer, begun.name))


def _begun(what: str, options: dict[str, Any]) -> Spec:
    """Return what the options are to change: an event of a kind, or that of a file."""
    if what in _KINDS:
        if "game" not in options:
            raise BadInput("which game? Name it with --game")
        if "bots" not in options:
            raise BadInput("who plays? Name them with --bots, or take --all")
        return Spec(Kind(what), options["game"])
    if what.endswith(".toml") or os.path.exists(what):
        return read_spec(Path(what))
    hint = did_you_mean(what, _KINDS)
    raise BadInput(f"{what!r} is neither a kind of event nor a file: {hint}")


@event.command()
@click.argument("name", required=False)
@click.option(
    "--cage",
    type=click.Choice((NoneCage.name,)),
    help="Say none again to go on with an event that is held without a cage.",
)
@worker_options
@db_option
def resume(
    name: str | None, cage: str | None, jobs: int, tables: int, quiet: bool, db: Path
) -> None:
    """Go on with an event that was stopped, or with the last one.

    Example: arena event resume
    """
    with writing(db, create=False) as writer:
        stopped = _stopped(writer, name)
        _check_trust(stopped, cage)
        working_cage(spec_of(stopped).cage)
        resume_event(writer, stopped.id)
        play_aloud(writer, stopped, jobs=jobs, tables=tables, quiet=quiet)
        tell_event(writer, event_named(writer, stopped.name))


def _check_trust(event: Event, cage: str | None) -> None:
    """Run bots without a cage only if this user says so: the file may be somebody else's."""
    has_none = spec_of(event).cage == NoneCage.name
    if has_none and cage is None:
        raise BadInput(
            f"{event.name} is held without a cage: its bots could read, change and send whatever "
            "you can. If you trust all of them, say so with --cage none"
        )
    if cage is not None and not has_none:
        raise BadInput(f"{event.name} is held in a cage: leave out --cage {cage}")


def _stopped(reader: Reader, name: str | None) -> Event:
    if name:
        found = event_named(reader, name)
        if found.status == "finished":
            raise BadInput(f"{name} is finished: there is nothing to resume")
        return found
    stopped = [each for each in all_events(reader) if each.status != "finished"]
    if not stopped:
        raise BadInput("no event was stopped: there is nothing to resume")
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
    headings |= {name: name for name in ("rounds", "clock", "status", "open_deals")}
    headings |= {name: name for name in ("started", "ended")}
    show(rows, headings, as_json=as_json, as_csv=as_csv)


@event.command("show")
@click.argument("name")
@db_option
@format_options
def show_event(name: str, db: Path, as_json: bool, as_csv: bool) -> None:
    """Show an event's standings, crosstable and faults.

    Example: arena event show cup
    """
    with reading(db) as store:
        found = event_named(store, name)
        if not as_json and not as_csv:
            tell_event(store, found)
            return
        standing = standing_of(store, found)
        faults = [line._asdict() for line in faults_of_event(store, found.id)]
    if as_csv:
        show(standing.rows(), {}, as_csv=True)
        return
    document = {
        **found._asdict(),
        "spec": document_of(spec_of(found)),
        "standings": standing.rows(),
        "crosstable": standing.crosstable(),
        "faults": faults,
        "suspended": standing.suspended,
    }
    click.echo(json.dumps(document, indent=2))


@event.command("watch")
@click.argument("name", required=False)
@every_option
@db_option
def watch_event(name: str | None, every_s: float, db: Path) -> None:
    """Watch a running event until it ends.

    It shows which blocks of matches are in play, between whom and since when, how fast it goes, and
    the standings so far. If it is stopped before its end, or if none is running, the exit code is
    1.

    Example: arena event watch
    """
    with reading(db) as store:
        found = event_in_play(store, db, name)
        watch(pictures_of(store, db, found), every_s=every_s)
        if is_in_play(db, found):
            return
        ended = event_named(store, found.name)
    click.echo(plain(how_it_ended(ended)))
    if ended.status != "finished":
        raise click.exceptions.Exit(1)
