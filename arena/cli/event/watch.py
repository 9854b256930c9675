"""The command `arena event watch`: the matches in play, the speed and the points."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from arena.cli.options.completion import complete_event
from arena.cli.options.league import db_option, reading
from arena.cli.terminal.columns import Row, headings_of, with_version
from arena.cli.terminal.output import say
from arena.cli.terminal.progress import bar
from arena.cli.terminal.styling import wrap_lines
from arena.cli.terminal.tables import screen_lines
from arena.cli.terminal.watching import Frame, every_option, poll_changes, watch
from arena.errors import ArenaError
from arena.text import plain, quantity
from arena.tournament.live_file import read_live
from arena.tournament.progress import BlockInPlay, EventProgress
from arena.tournament.sentences import tables_of
from leaderboard.events import Event, find_event
from leaderboard.queries.event_totals import Tally, tallies_of_event
from leaderboard.store import Reader

_MAX_NAMES = 6
_BLOCKS = headings_of("matches", "since", "bots")
_MACHINES = headings_of("machine", "workers", "speed", "blocks", "matches", "rate")
_STANDINGS = headings_of("bot", "mean_points", "wins", "matches", "mean_place", "faults")


@click.command("watch")
@click.argument("name", required=False, shell_complete=complete_event)
@every_option
@db_option
def watch_event(name: str | None, every_s: float, db: Path) -> None:
    """Watch a running event until it ends.

    It shows the matches in play, the speed and the points so far. The exit code is 1 if the
    event is interrupted or no event is running.

    Example: arena event watch
    """
    with reading(db) as store:
        found = find_event_in_play(store, db, name)
        watch(event_frames(store, db, found), every_s=every_s)
        if is_in_play(db, found):
            return
        ended = find_event(store, found.name)
    say(plain(describe_end(ended)))
    if ended.status != "finished":
        raise click.exceptions.Exit(1)


class NotRunning(ArenaError):
    """No event is running, or not the one that was named."""


def find_event_in_play(reader: Reader, db: Path, name: str | None) -> Event:
    """Find the running event; raise `NotRunning` if it is not the one that was named."""
    now = read_live(db)
    if name is None:
        if now is None:
            raise NotRunning("no event is running: start one with `arena event run`")
        return find_event(reader, now.event)
    event = find_event(reader, name)
    if now is None or now.event != name:
        if event.status == "running":
            raise NotRunning(f"{name} is not in play: it was killed, or has not started yet")
        raise NotRunning(f"{describe_end(event)}; see `arena event show {name}`")
    return event


def event_frames(reader: Reader, db: Path, event: Event) -> Iterator[Frame | None]:
    """Yield a frame while the event is running; None if nothing has changed."""
    standings = _LiveStandings(reader, event)
    before: EventProgress | None = None
    for is_changed in poll_changes(reader):
        now = read_live(db)
        if now is None or now.event != event.name:
            return
        if is_changed:
            standings.update()
        is_new = is_changed or now != before
        rows = standings.rows()
        yield partial(_frame, now, event, tables_of(reader, event), rows) if is_new else None
        before = now


class _LiveStandings:
    """The points so far. Matches are stored in order, so each is counted once."""

    def __init__(self, reader: Reader, event: Event) -> None:
        self._reader = reader
        self._event = event
        self._next = 0
        self._tallies: dict[tuple[str, int], Tally] = {}

    def update(self) -> None:
        for new in tallies_of_event(self._reader, self._event.id, first=self._next):
            old = self._tallies.get((new.bot, new.version))
            self._tallies[new.bot, new.version] = old.plus(new) if old else new
        self._next = max((tally.last + 1 for tally in self._tallies.values()), default=0)

    def rows(self) -> list[Row]:
        rows: list[dict[str, Any]] = [
            tally._asdict()
            | {
                "mean_points": tally.points / tally.matches,
                "mean_place": tally.places / tally.matches,
            }
            for tally in self._tallies.values()
        ]
        rows.sort(key=lambda row: (-row["mean_points"], row["bot"], row["version"]))
        return [with_version(row) for row in rows]


def is_in_play(db: Path, event: Event) -> bool:
    """Tell whether an event is still running."""
    now = read_live(db)
    return now is not None and now.event == event.name


def describe_end(event: Event) -> str:
    """Describe how an event that is not running ended."""
    # A killed event could not change its status.
    how = {"finished": "is finished", "running": "was killed"}.get(event.status, "was interrupted")
    return f"{event.name} {how}"


def _frame(
    now: EventProgress, event: Event, tables: str, standings: list[Row], columns: int
) -> list[str]:
    title = f"{event.name}: {event.kind}, {event.game} {event.variant}, {tables}"
    blocks: list[Row] = [_block_row(block) for block in now.blocks]
    return [
        *(click.style(line, bold=True) for line in wrap_lines([plain(title)], columns)),
        *wrap_lines(_progress(now, event.rounds), columns),
        "",
        *screen_lines({f"in play, with {quantity(now.jobs, 'worker')}": blocks}, _BLOCKS, columns),
        *_machine_lines(now, columns),
        "",
        *screen_lines({"points so far": standings}, _STANDINGS, columns),
    ]


def _machine_lines(now: EventProgress, columns: int) -> list[str]:
    """Show the machines of a cluster."""
    if not now.machines:
        return []
    rows: list[Row] = [
        {
            **load._asdict(),
            "machine": load.name,
            "blocks": load.chunks,
            "rate": load.played / max(now.pace.seconds, 1e-9),
        }
        for load in now.machines
    ]
    return ["", *screen_lines({"machines": rows}, _MACHINES, columns)]


def _progress(now: EventProgress, rounds: int) -> list[str]:
    drawn = f"{click.style(bar(now.share_done), fg='cyan')} " if now.expected else ""
    of_all = f" of {rounds}" if rounds else ""
    speed = [f"{now.pace.matches_per_s:.1f} matches/s", *now.pace.words(), now.left]
    faults = quantity(now.faults, "fault")
    return [
        f"{drawn}{now.played}, round {now.round}{of_all}, {faults}",
        ", ".join(filter(None, speed)),
    ]


def _block_row(block: BlockInPlay) -> dict[str, Any]:
    more = len(block.bots) - _MAX_NAMES
    others = f" and {more} more" if more > 0 else ""
    return {
        "matches": block.matches,
        "since": f"{datetime.fromtimestamp(block.since):%H:%M:%S}",
        "bots": ", ".join(block.bots[:_MAX_NAMES]) + others,
    }
