"""The command `arena event delete`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.event.tables import print_journal
from arena.cli.options.completion import complete_event
from arena.cli.options.confirmation import confirm, yes_option
from arena.cli.options.league import db_option, now, writing
from arena.cli.terminal.output import print_json, say
from arena.errors import BadInput
from arena.text import plain, quantity
from arena.tournament.extension import extended_by
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
            print_json({"event": name, **done._asdict()})
        else:
            removed = quantity(done.matches, "match", "matches")
            rated = quantity(done.rated, "match", "matches")
            say(plain(f"deleted {name}: {removed}; rated {rated} anew"))
        print_journal(writer, to_stderr=True)
