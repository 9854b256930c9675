"""The command `arena verify`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from arena.cli.options.completion import complete_event
from arena.cli.options.league import db_option, reading
from arena.errors import BadLeague
from arena.text import plain, quantity
from arena.tournament.verify import first_complaint
from leaderboard.events import Event, all_events, find_event
from leaderboard.journal import head_of
from leaderboard.store import Reader
from leaderboard.tie_rates import variants_with_old_rates
from leaderboard.verification.bots import bot_differences
from leaderboard.verification.journal import journal_differences
from leaderboard.verification.secrets import secret_differences
from leaderboard.verify import first_difference


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
    Its last hash is printed, to be published; with --published, nothing before an earlier one was
    changed since. The exit code is 1 if anything differs.

    Example: arena verify
    """
    with reading(db) as store:
        check = _Check(store, name)
        check.run()
        old_rates = variants_with_old_rates(store)
        if published:
            check.find_published(published)
    if as_json:
        document = {
            "events": len(check.events),
            "matches": check.matches,
            "wrong": check.wrong,
            "old_tie_rates": old_rates,
            "journal": check.head._asdict(),
        }
        click.echo(json.dumps(document, indent=2))
    else:
        for sentence in check.wrong:
            click.echo(plain(sentence))
        click.echo(f"journal: {plain(str(check.head))}")
        matches = quantity(check.matches, "match", "matches")
        summary = f"{quantity(len(check.events), 'event')}, {matches} replayed"
        verdict = "errors found" if check.wrong else "all results and ratings are correct"
        click.echo(f"{summary}: {verdict}")
        if old_rates and not check.wrong:
            click.echo(
                f"{plain(', '.join(old_rates))}: this arena has measured better tie rates; "
                "`arena rerate` works out the ratings anew"
            )
    ctx.exit(1 if check.wrong else 0)


def differences_in(reader: Reader) -> list[str]:
    """Return everything that the command reports about a league."""
    check = _Check(reader, None)
    check.run()
    return check.wrong


class _Check:
    """Everything that is checked, and what was found."""

    def __init__(self, reader: Reader, name: str | None) -> None:
        self._reader = reader
        self.head = head_of(reader)
        self.events: list[Event] = [find_event(reader, name)] if name else all_events(reader)
        self.matches = 0
        self.wrong: list[str] = []

    def run(self) -> None:
        """Run all checks; one that cannot read the file does not stop the others."""
        for event in self.events:
            self._add(partial(self._event_differences, event))
        self._add(self._rating_differences)
        for check in (bot_differences, secret_differences, journal_differences):
            self._add(partial(check, self._reader))

    def find_published(self, published: str) -> None:
        """Check that an entry of the journal has this hash."""
        row = self._reader.row("SELECT 1 FROM journal WHERE hash = ?", [published.strip().lower()])
        if not row:
            self.wrong.append(
                f"no entry of the journal has the hash {published}: what was stored until then "
                "was changed, or it is the hash of another league"
            )

    def _add(self, check: Callable[[], list[str]]) -> None:
        try:
            self.wrong += check()
        except BadLeague as error:
            if str(error) not in self.wrong:
                self.wrong.append(str(error))

    def _event_differences(self, event: Event) -> list[str]:
        complaint = first_complaint(self._reader, event, on_progress=self._count)
        return [complaint] if complaint else []

    def _rating_differences(self) -> list[str]:
        difference = first_difference(self._reader)
        return [str(difference)] if difference else []

    def _count(self, done: int) -> None:
        self.matches += 1
