"""The command `arena event`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.event.run import extend, resume, run
from arena.cli.event.show import list_events, show_event
from arena.cli.event.tables import print_journal
from arena.cli.event.watch import watch_event
from arena.cli.group import Subgroup
from arena.cli.options.completion import complete_event
from arena.cli.options.league import confirm, db_option, now, writing, yes_option
from arena.cli.terminal.output import print_json, say
from arena.errors import BadInput
from arena.text import plain, quantity
from arena.tournament.extension import extended_by
from leaderboard.deletion import delete_event, repeated_by
from leaderboard.events import find_event


@click.group(cls=Subgroup)
def event() -> None:
    """Run events, from round-robins to gauntlets, and show results.

    Example: arena event run swiss --game meow --bots kitten,greedy-meow,random
    """


@click.command()
@click.argument("name", shell_complete=complete_event)
@yes_option
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def delete(name: str, yes: bool, db: Path, as_json: bool) -> None:
    """Delete an event with its matches, and recompute the ratings.

    Ratings, their history and the strengths of the variant are as if it had never been played.
    The league's journal records that it was removed. Bots stay. It asks first, unless --yes is
    given.

    Example: arena event delete cup-2 --yes
    """
    with writing(db, create=False) as writer:
        found = find_event(writer, name)
        if later := extended_by(writer, found):
            raise BadInput(f"{name} is extended by {later.name}: delete that event first")
        if repeat := repeated_by(writer, found):
            raise BadInput(f"{name} has the deals of {repeat}: delete that event first")
        confirm(f"delete {name} with all its matches", yes=yes)
        done = delete_event(writer, found, now=now())
        if as_json:
            print_json({"event": name, **done._asdict()})
        else:
            removed = quantity(done.matches, "match", "matches")
            rated = quantity(done.rated, "match", "matches")
            say(plain(f"deleted {name}: {removed}; rated {rated} again"))
        print_journal(writer, to_stderr=True)


for command in (run, resume, list_events, show_event, watch_event, extend, delete):
    event.add_command(command)
