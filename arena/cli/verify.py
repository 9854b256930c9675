"""Is the league true?"""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.db import db_option, reading
from arena.events.verify import complaints_of
from arena.replays.story import plain
from leaderboard.events import all_events, event_named
from leaderboard.verify import first_difference


@click.command()
@click.argument("name", metavar="[EVENT]", required=False)
@db_option
@click.pass_context
def verify(ctx: click.Context, name: str | None, db: Path) -> None:
    """Play every match of the league again by the rules, or those of one event, and work out all
    standings and ratings from nothing: is it what the file says?

    Example: arena verify
    """
    count = 0

    def tell(done: int) -> None:
        nonlocal count
        count += 1

    with reading(db) as store:
        events = [event_named(store, name)] if name else all_events(store)
        wrong = [each for event in events for each in complaints_of(store, event, tell=tell)]
        difference = first_difference(store)
    if difference:
        wrong.append(str(difference))
    for sentence in wrong:
        click.echo(plain(sentence))
    told = f"{len(events)} events, {count} matches played again"
    click.echo(f"{told}: {'not true' if wrong else 'all of it and every rating is true'}")
    ctx.exit(1 if wrong else 0)
