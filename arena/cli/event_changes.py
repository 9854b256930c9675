"""The commands `arena event delete` and `event extend`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.event_run import announce, run_with_progress
from arena.cli.event_tables import print_event, print_journal
from arena.cli.options.bots import bots_option
from arena.cli.options.cage import select_cage_and_warn
from arena.cli.options.cluster import ClusterChoice, chosen_pool, cluster_options
from arena.cli.options.completion import complete_event
from arena.cli.options.confirmation import confirm, yes_option
from arena.cli.options.league import db_option, now, writing
from arena.cli.options.workers import worker_options
from arena.cli.terminal.output import say
from arena.errors import BadInput
from arena.text import plain, quantity
from arena.tournament.extension import extended_by, extension_of
from arena.tournament.setup import enter_event
from leaderboard.deletion import delete_event, repeated_by
from leaderboard.events import find_event


@click.command()
@click.argument("name", shell_complete=complete_event)
@yes_option
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def delete(name: str, yes: bool, db: Path, as_json: bool) -> None:
    """Delete an event with its matches, and work out ratings anew.

    Ratings, their history and the strengths of the variant are as if it had never been played.
    The league's journal records that it was removed. Bots stay. It asks first, unless --yes is
    given.

    Example: arena event delete cup-2 --yes
    """
    with writing(db, create=False) as writer:
        event = find_event(writer, name)
        if later := extended_by(writer, event):
            raise BadInput(f"{name} is extended by {later.name}: delete that event first")
        if repeat := repeated_by(writer, event):
            raise BadInput(f"{name} has the deals of {repeat}: delete that event first")
        confirm(f"delete {name} with all its matches", yes=yes)
        done = delete_event(writer, event, now=now())
        if as_json:
            click.echo(json.dumps({"event": name, **done._asdict()}, indent=2))
        else:
            removed = quantity(done.matches, "match", "matches")
            rated = quantity(done.rated, "match", "matches")
            say(plain(f"deleted {name}: {removed}; rated {rated} anew"))
        print_journal(writer, to_stderr=True)


@click.command()
@click.argument("name", shell_complete=complete_event)
@bots_option("--bots", "Bots that come late, by name or version.")
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    help="Further deals for each pairing; default: as many as the event had.",
)
@worker_options
@cluster_options
@db_option
def extend(
    name: str,
    bots: tuple[str, ...] | None,
    deals: int | None,
    jobs: int,
    tables: int,
    quiet: bool,
    cluster: ClusterChoice,
    db: Path,
) -> None:
    """Play more deals, or add bots, in an event that is over.

    The secret of such an event is known, so the further matches are an event of their own with a
    new secret, NAME-2. It has the same settings and field, and its standings count the matches of
    both. With late bots, they are ranked by strength.

    Example: arena event extend cup --deals 1
    """
    if bots is None and deals is None:
        raise BadInput("say what to add: --bots, --deals or both")
    with writing(db, create=False) as writer:
        spec = extension_of(writer, find_event(writer, name), bots=bots or (), deals=deals)
        select_cage_and_warn(spec.cage)
        with chosen_pool(cluster, cage=spec.cage) as workers:
            entered = enter_event(writer, spec, now=now())
            announce(writer, entered)
            run_with_progress(
                writer,
                entered,
                jobs=jobs,
                tables=tables,
                quiet=quiet,
                workers=workers,
                cluster=cluster,
            )
        print_event(writer, find_event(writer, entered.name))
        print_journal(writer, to_stderr=True)
