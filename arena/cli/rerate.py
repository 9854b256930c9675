"""The command `arena rerate`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options.league import db_option, now, writing
from arena.cli.terminal.output import print_json, say
from arena.text import plain, quantity
from leaderboard.ratings.rerate import rerate as rerate_league


@click.command()
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def rerate(db: Path, as_json: bool) -> None:
    """Work out all ratings anew, with today's tie rates.

    A league keeps the tie rates that it was first rated with. If this arena has measured better
    ones, `arena verify` says so, and this command adopts them: it rates all stored matches again,
    in the same order. The results of matches stay as they are.

    Example: arena rerate
    """
    with writing(db, create=False) as writer:
        done = rerate_league(writer, now=now())
    if as_json:
        print_json(done._asdict())
        return
    changed = f"new tie rates in {', '.join(done.changed)}" if done.changed else "no new tie rates"
    say(plain(f"rated {quantity(done.matches, 'match', 'matches')} anew: {changed}"))
