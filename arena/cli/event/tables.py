"""Print an event's standings, crosstable and faults as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from arena.api.rows import with_estimates
from arena.cli.terminal.columns import (
    ACCOUNTS_OF_EVENT,
    ACCOUNTS_OPTIONAL,
    Row,
    headings_of,
    matrix_of,
    print_legend,
    with_version,
)
from arena.cli.terminal.intervals import with_intervals
from arena.cli.terminal.output import say
from arena.cli.terminal.tables import show_rows
from arena.submission.lookup import house_bots
from arena.text import plain, quantity
from arena.tournament.accounts import account_rows
from arena.tournament.certainty import TIME_IS_UP, TOO_FEW_BOTS, describe_unknown
from arena.tournament.sentences import event_notes, tables_of
from arena.tournament.setup import spec_of
from arena.tournament.standing import EventStanding, standing_of
from leaderboard.events import Event, sealing_of
from leaderboard.file.journal import head_of
from leaderboard.queries.accounts import ModelAccount, accounts_of, model_accounts
from leaderboard.queries.event_totals import EventMachine, machines_of_event
from leaderboard.queries.faults import EventFault, faults_of_event
from leaderboard.standings import ADJUSTED, APART
from leaderboard.store import Reader

_MAX_CROSSTABLE_BOTS = 24
"""A wider crosstable does not fit a terminal."""
STANDINGS = headings_of(
    *("rank", "bot", "points", "adjusted", "interval", "ranks", "wins", "matches", "forfeited"),
    *("faults", "breaks"),
) | {"matches": "played"}
WHOLE_STANDINGS = headings_of(
    *("rank", "bot", "points", "adjusted", "opponents", "direct", "wins", "rating", "estimate"),
    *("ranks", "matches", "forfeited", "byes", "mean_place", "faults", "breaks"),
) | {"matches": "played"}
_OFTEN_EMPTY = ("forfeited", "breaks", "byes")
_OPTIONAL = ("forfeited", "byes", "breaks", "mean_place", "direct", "opponents", "rating", "ranks")
"""Columns omitted, in this order, where the terminal is too narrow."""
MODELS_USE = headings_of(
    *("bot", "matches", "requests", "rethinks", "retries", "tokens_in", "tokens_out", "cost"),
    *("cost_per_match", "mean_s"),
)
_FAULTS = headings_of("bot", "ending", "count", "first_match", "details")


def print_event(
    reader: Reader, event: Event, *, whole: bool = False, explain: bool = False
) -> None:
    """Print an event's standings, crosstable and faults.

    The `whole` has all columns, and what its bots used; with `explain`, columns are explained.
    """
    standing = standing_of(reader, event)
    say(click.style(plain(_title(reader, event)), bold=True))
    for line in (*event_notes(reader, event), *_end_lines(event)):
        say(plain(line))
    machines = machines_of_event(reader, event.id)
    if machines:
        say(plain(f"played on {_join_machines(machines)}"))
    rows: list[Row] = [
        {"colour": _colour_of(row), **with_version(with_estimates(row))} for row in standing.rows()
    ]
    columns = dict(WHOLE_STANDINGS if whole else STANDINGS)
    if not standing.is_adjusted:
        del columns["adjusted"]
    for name in _OFTEN_EMPTY:
        if not any(row[name] for row in rows):
            columns.pop(name, None)
    rows = with_intervals(rows, columns)
    show_rows(rows, columns, optional=[name for name in _OPTIONAL if name in columns])
    if standing.is_adjusted:
        say(ADJUSTED)
    if standing.has_groups:
        say(APART)
    if len(standing.lines) <= _MAX_CROSSTABLE_BOTS:
        say()
        _print_crosstable(standing)
    models = model_accounts(reader, event=event.id)
    print_models(models)
    if whole:
        _print_accounts(reader, event)
    if standing.suspended:
        say()
    for name, reason in standing.suspended.items():
        say(plain(f"{name}: {reason}"))
    faults = _group_faults(faults_of_event(reader, event.id))
    if faults:
        say()
        show_rows(faults, _FAULTS)
    say()
    say(click.style(plain(_deals_line(event)), dim=True))
    if explain:
        print_legend(columns, MODELS_USE if models else {}, ACCOUNTS_OF_EVENT if whole else {})


def print_models(accounts: Sequence[ModelAccount]) -> None:
    """Print what language models asked of their services, if any have played."""
    if accounts:
        say()
        show_rows([with_version(account._asdict()) for account in accounts], MODELS_USE)


def _colour_of(row: Row) -> str | None:
    """Return the colour of the leader, and that of bots that are not of the house."""
    return "green" if row["rank"] == 1 else None if row["bot"] in house_bots() else "cyan"


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
    line = plain(f"journal of the league: {head_of(reader)}")
    say(click.style(line, dim=True), err=to_stderr)


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
    shares = [
        [float(result.share) if result else None for result in row] for row in standing.against
    ]
    show_rows(*matrix_of(names, shares))


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
