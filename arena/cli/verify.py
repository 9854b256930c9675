"""The command `arena verify`."""

from __future__ import annotations

import json
from pathlib import Path

import click

from arena.cli.options.league import db_option, reading
from arena.text import plain, quantity
from arena.tournament.verify import first_complaint
from leaderboard.events import all_events, find_event
from leaderboard.tie_rates import variants_with_old_rates
from leaderboard.verify import first_difference


@click.command()
@click.argument("name", metavar="[EVENT]", required=False)
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def verify(ctx: click.Context, name: str | None, db: Path, as_json: bool) -> None:
    """Replay all matches and check every result and rating.

    The matches of EVENT, or of all events, are replayed by the rules. All standings and ratings are
    recomputed and compared with the league file. The exit code is 1 if anything differs.

    Example: arena verify
    """
    matches = 0

    def count_match(done: int) -> None:
        nonlocal matches
        matches += 1

    with reading(db) as store:
        difference = first_difference(store)
        old_rates = variants_with_old_rates(store)
        events = [find_event(store, name)] if name else all_events(store)
        complaints = [first_complaint(store, event, on_progress=count_match) for event in events]
    wrong = [complaint for complaint in complaints if complaint]
    if difference:
        wrong.append(str(difference))
    if as_json:
        document = {"events": len(events), "matches": matches, "wrong": wrong}
        document["old_tie_rates"] = old_rates
        click.echo(json.dumps(document, indent=2))
    else:
        for sentence in wrong:
            click.echo(plain(sentence))
        summary = f"{quantity(len(events), 'event')}, {matches} matches replayed"
        click.echo(
            f"{summary}: {'errors found' if wrong else 'all results and ratings are correct'}"
        )
        if old_rates and not wrong:
            click.echo(
                f"{plain(', '.join(old_rates))}: this arena has measured better tie rates; "
                "`arena rerate` works out the ratings anew"
            )
    ctx.exit(1 if wrong else 0)
