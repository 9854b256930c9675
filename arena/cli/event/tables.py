"""Print an event's standings, crosstable and faults as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from arena.api.rows import with_estimates
from arena.cli.terminal.columns import (
    ACCOUNTS_OF_EVENT,
    ACCOUNTS_OPTIONAL,
    headings_of,
    print_legend,
    with_version,
)
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import show_rows
from arena.text import plain, quantity
from arena.tournament.accounts import account_rows
from arena.tournament.certainty import TIME_IS_UP, TOO_FEW_BOTS, describe_unknown
from arena.tournament.sentences import event_notes, tables_of
from arena.tournament.setup import spec_of
from arena.tournament.standing import EventStanding, standing_of
from leaderboard.events import Event, sealing_of
from leaderboard.file.journal import head_of
from leaderboard.queries.accounts import accounts_of
from leaderboard.queries.event_totals import EventMachine, machines_of_event
from leaderboard.queries.faults import EventFault, faults_of_event
from leaderboard.standings import ADJUSTED
from leaderboard.store import Reader

_MAX_CROSSTABLE_BOTS = 24
"""A wider crosstable does not fit a terminal."""
_STANDINGS = headings_of(
    *("rank", "bot", "points", "adjusted", "opponents", "direct", "wins", "rating", "estimate"),
    *("ranks", "matches", "forfeited", "byes", "mean_place", "faults", "breaks"),
) | {"matches": "played"}
_OPTIONAL = ("forfeited", "byes", "breaks", "mean_place", "direct", "opponents", "rating", "ranks")
"""Columns omitted, in this order, where the terminal is too narrow."""
_FAULTS = headings_of("bot", "ending", "count", "first_match", "details")


def print_event(
    reader: Reader, event: Event, *, accounts: bool = False, explain: bool = False
) -> None:
    """Print an event's standings, crosstable and faults.

    With `accounts`, also print what its bots used, and with `explain` what the columns mean.
    """
    standing = standing_of(reader, event)
    say(click.style(plain(_title(reader, event)), bold=True))
    say(plain(_deals_line(event)))
    for line in (*event_notes(reader, event), *_end_lines(event)):
        say(plain(line))
    machines = machines_of_event(reader, event.id)
    if machines:
        say(plain(f"played on {_join_machines(machines)}"))
    columns = dict(_STANDINGS)
    if not standing.is_adjusted:
        del columns["adjusted"]
    if not any(line.forfeited for line in standing.lines):
        del columns["forfeited"]
    rows = [with_version(with_estimates(row)) for row in standing.rows()]
    optional = [name for name in _OPTIONAL if name in columns]
    show_rows(rows, columns, optional=optional)
    if standing.is_adjusted:
        say(ADJUSTED)
    if len(standing.lines) <= _MAX_CROSSTABLE_BOTS:
        say()
        _print_crosstable(standing)
    if accounts:
        _print_accounts(reader, event)
    if standing.suspended:
        say()
    for name, reason in standing.suspended.items():
        say(plain(f"{name}: {reason}"))
    faults = _group_faults(faults_of_event(reader, event.id))
    if faults:
        say()
        show_rows(faults, _FAULTS)
    if explain:
        print_legend(columns, ACCOUNTS_OF_EVENT)


def _print_accounts(reader: Reader, event: Event) -> None:
    rows = account_rows(reader, accounts_of(reader, event=event.id), event=event.id)
    if rows:
        say()
        used = [with_version(row) for row in rows]
        show_rows(used, ACCOUNTS_OF_EVENT, optional=ACCOUNTS_OPTIONAL)


def _join_machines(machines: Sequence[EventMachine]) -> str:
    return ", ".join(
        f"{each.name} ({quantity(each.matches, 'match', 'matches')}, speed {each.speed:.1f})"
        for each in machines
    )


def print_journal(reader: Reader, *, to_stderr: bool = False) -> None:
    """Print the last hash of the journal, to be published."""
    say(plain(f"journal of the league: {head_of(reader)}"), err=to_stderr)


def _title(reader: Reader, event: Event) -> str:
    marks = ["without a cage"] * (event.cage == "none") + [sealing_of(reader, event)]
    return ", ".join(
        (
            f"{event.name}: {event.kind}",
            f"{event.game} {event.variant}",
            tables_of(reader, event),
            f"clock {event.clock}",
            event.status,
            *marks,
        )
    )


def _deals_line(event: Event) -> str:
    """Say where the deals come from; a secret is shown once it is revealed."""
    if event.seed is not None:
        return f"deals from seed {event.seed}"
    if event.secret is not None:
        return f"deals from secret {event.secret}"
    return f"deals from a secret with commitment {event.commitment}"


def _end_lines(event: Event) -> list[str]:
    """Say why an event ended early, and what it does not know."""
    lines = [event.stopped] if event.stopped else []
    goal = spec_of(event).goal
    if goal and event.status == "finished" and event.stopped in (None, TIME_IS_UP, TOO_FEW_BOTS):
        lines.append(describe_unknown(goal))
    return lines


def _print_crosstable(standing: EventStanding) -> None:
    """Print in what percentage of their matches each bot finished ahead of each other."""
    names = [str(standing.field[line.entrant]) for line in standing.lines]
    rows = []
    for number, (name, row) in enumerate(zip(names, standing.against, strict=True), start=1):
        cells = {
            str(n): round(100 * result.share) if result else None for n, result in enumerate(row, 1)
        }
        rows.append({"number": number, "bot": name, **cells})
    headings = {"number": "%", "bot": "ahead of"}
    headings |= {str(n): str(n) for n in range(1, len(names) + 1)}
    show_rows(rows, headings)


def _group_faults(faults: Sequence[EventFault]) -> list[dict[str, Any]]:
    """Group faults by bot and kind."""
    kinds: dict[tuple[str, int, str], list[EventFault]] = {}
    for fault in faults:
        kinds.setdefault((fault.bot, fault.version, fault.ending), []).append(fault)
    return [
        {
            "bot": f"{bot}@{version}",
            "ending": ending,
            "count": len(each),
            "first_match": each[0].match,
            "details": each[0].sentence,
        }
        for (bot, version, ending), each in kinds.items()
    ]
