"""Is the league true?"""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.db import db_option, reading
from arena.cli.tables import counted
from arena.events.verify import first_complaint
from arena.replays.story import plain
from leaderboard.events import all_events, event_named
from leaderboard.verify import first_difference


@click.command()
@click.argument("name", metavar="[EVENT]", required=False)
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print a JSON document.")
@click.pass_context
def verify(ctx: click.Context, name: str | None, db: Path, as_json: bool) -> None:
    """Play the league's matches again, and check all that follows.

    Every match, or those of one event, is played by the rules, and all standings and ratings are
    worked out from nothing: is it what the file says? If not, the exit code is 1.

    Example: arena verify
    """
    matches = 0

    def tell(done: int) -> None:
        nonlocal matches
        matches += 1

    with reading(db) as store:
        difference = first_difference(store)
        events = [event_named(store, name)] if name else all_events(store)
        complaints = [first_complaint(store, event, tell=tell) for event in events]
    wrong = [complaint for complaint in complaints if complaint]
    if difference:
        wrong.append(str(difference))
    if as_json:
        document = {"events": len(events), "matches": matches, "wrong": wrong}
        click.echo(json.dumps(document, indent=2))
    else:
        for sentence in wrong:
            click.echo(plain(sentence))
        told = f"{counted(len(events), 'event')}, {matches} matches played again"
        click.echo(f"{told}: {'not true' if wrong else 'all of it and every rating is true'}")
    ctx.exit(1 if wrong else 0)
