"""The commands `arena verify` and `arena rerate`."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.options.completion import complete_event
from arena.cli.options.league import db_option, now, reading, writing
from arena.cli.terminal.output import print_json, say
from arena.text import plain, quantity
from arena.tournament.verification.league import check_league
from leaderboard.ratings.rerate import rerate as rerate_league
from leaderboard.ratings.tie_rates import variants_with_old_rates


@click.command()
@click.argument("name", metavar="[EVENT]", required=False, shell_complete=complete_event)
@db_option
@click.option("--published", metavar="HASH", help="A hash that must be in the league's journal.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def verify(
    ctx: click.Context, name: str | None, db: Path, published: str | None, as_json: bool
) -> None:
    """Replay all matches; check all results, ratings and bots.

    The matches of EVENT, or of all events, are replayed by the rules. Standings and ratings are
    recomputed, bots compared with their packages, and everything else with the league's journal.
    Its last hash is printed, to be published; with --published, nothing before an
    earlier one has changed since. The exit code is 1 if anything differs.

    Example: arena verify
    """
    with reading(db) as store:
        check = check_league(store, name, published=published)
        old_rates = variants_with_old_rates(store)
    if as_json:
        document = {
            "events": check.events,
            "matches": check.matches,
            "wrong": check.wrong,
            "old_tie_rates": old_rates,
            "journal": check.head._asdict(),
        }
        print_json(document)
    else:
        for sentence in check.wrong:
            say(plain(sentence))
        say(f"journal: {plain(str(check.head))}")
        matches = quantity(check.matches, "match", "matches")
        summary = f"{quantity(check.events, 'event')}, {matches} replayed"
        verdict = "errors found" if check.wrong else "all results and ratings are correct"
        say(f"{summary}: {verdict}")
        if old_rates and not check.wrong:
            say(
                f"{plain(', '.join(old_rates))}: this arena has measured better tie rates; "
                "`arena rerate` recomputes the ratings"
            )
    ctx.exit(1 if check.wrong else 0)


@click.command()
@db_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def rerate(db: Path, as_json: bool) -> None:
    """Recompute all ratings with today's tie rates.

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
    say(plain(f"rated {quantity(done.matches, 'match', 'matches')} again: {changed}"))
