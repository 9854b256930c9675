"""The commands `arena event list` and `event show`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from arena.cli.event.tables import print_event, print_journal
from arena.cli.options.completion import complete_event
from arena.cli.options.league import db_option, reading
from arena.cli.terminal.columns import explain_option, headings_of
from arena.cli.terminal.output import print_json
from arena.cli.terminal.tables import format_options, show_rows
from arena.tournament.accounts import account_rows
from arena.tournament.sentences import size_words
from arena.tournament.setup import spec_of
from arena.tournament.spec_files import spec_document
from arena.tournament.standing import standing_of
from leaderboard.events import all_events, find_event
from leaderboard.file.journal import head_of
from leaderboard.queries.accounts import accounts_of, model_accounts
from leaderboard.queries.event_totals import EventTables, event_tables, machines_of_event
from leaderboard.queries.faults import faults_of_event
from leaderboard.ratings.repeats import repeats_of

_COLUMNS = headings_of("name", "status", "kind", "game", "variant", "matches", "started")
_EVERY_COLUMN = headings_of(
    *("name", "status", "kind", "game", "variant", "tables", "matches", "forfeited", "deals"),
    *("rounds", "clock", "open_deals", "started", "ended"),
)
_OPTIONAL = ("ended", "clock", "open_deals", "rounds", "deals", "kind", "started")


@click.command("list")
@click.option("--all", "is_whole", is_flag=True, help="Show all columns.")
@db_option
@format_options
def list_events(is_whole: bool, db: Path, as_json: bool, as_csv: bool) -> None:
    """List the events of the league, the newest first.

    Example: arena event list
    """
    with reading(db) as store, store.snapshot():
        tables = event_tables(store)
        events = all_events(store)[::-1]
        rows = [asdict(each) | _matches(tables[each.id]) for each in events]
    if not as_json:
        rows = [row | {"tables": _sizes(row["tables"])} for row in rows]
    headings = _EVERY_COLUMN if is_whole else _COLUMNS
    show_rows(rows, headings, as_json=as_json, as_csv=as_csv, optional=_OPTIONAL)


def _matches(tables: EventTables) -> dict[str, Any]:
    """Return how many matches an event has had, at tables of which sizes."""
    played, forfeited = tables
    return {
        "tables": [{"seats": seats, "matches": count} for seats, count in played.items()],
        "matches": sum(played.values()),
        "forfeited": forfeited,
    }


def _sizes(tables: list[dict[str, int]]) -> str:
    return size_words({table["seats"]: table["matches"] for table in tables})


@click.command("show")
@click.argument("name", shell_complete=complete_event)
@click.option("--all", "is_whole", is_flag=True, help="Show all columns, and what the bots used.")
@explain_option
@db_option
@format_options
def show_event(
    name: str, is_whole: bool, is_explained: bool, db: Path, as_json: bool, as_csv: bool
) -> None:
    """Show an event's standings, crosstable, and faults.

    Example: arena event show cup
    """
    with reading(db) as store:
        found = find_event(store, name)
        if not as_json and not as_csv:
            print_event(store, found, whole=is_whole, explain=is_explained)
            print_journal(store)
            return
        tables = event_tables(store, found.id)
        standing = standing_of(store, found)
        accounts = account_rows(store, accounts_of(store, event=found.id), event=found.id)
        faults = [line._asdict() for line in faults_of_event(store, found.id)]
        repeats = repeats_of(store, found.id)
        models = [account._asdict() for account in model_accounts(store, event=found.id)]
        machines = [machine._asdict() for machine in machines_of_event(store, found.id)]
        journal = head_of(store)
    if as_csv:
        show_rows(standing.rows(), {}, as_csv=True)
        return
    document = {
        **asdict(found),
        **_matches(tables[found.id]),
        "spec": spec_document(spec_of(found)),
        "standings": standing.rows(),
        "crosstable": standing.crosstable(),
        "accounts": accounts,
        "models": models,
        "faults": faults,
        "repeats": {"events": list(repeats.events), "matches": repeats.matches},
        "suspended": standing.suspended,
        "machines": machines,
        "journal": journal._asdict(),
    }
    print_json(document)
