"""What does somebody see who watches an event in play?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import click

from arena.cli.progress import bar
from arena.cli.tables import counted, table_lines
from arena.cli.watching import Picture, changes
from arena.errors import ArenaError
from arena.events.notice import BlockInPlay, InPlay, in_play
from arena.events.progress import duration
from arena.replays.story import plain
from leaderboard.boards import Tally, tallies_of_event
from leaderboard.events import Event, event_named
from leaderboard.store import Reader

_MOST_NAMES = 6
_BLOCKS = {
    "matches": "matches",
    "since": "since",
    "bots": "bots",
}
_STANDINGS = {
    "bot": "bot",
    "version": "version",
    "share": "points a match",
    "wins": "wins",
    "matches": "matches",
    "mean_place": "mean place",
    "faults": "faults",
}
_WRITTEN = dict.fromkeys(("share", "mean_place"), "{:.2f}".format)


class NotRunning(ArenaError):
    """No event is in play, or not the one that was meant."""


def event_in_play(reader: Reader, db: Path, name: str | None) -> Event:
    """Find the event that is in play, which has to be the one that was named, if one was."""
    now = in_play(db)
    if name is None:
        if now is None:
            raise NotRunning("no event is running: start one with `arena event run`")
        return event_named(reader, now.event)
    event = event_named(reader, name)
    if now is None or now.event != name:
        if event.status == "running":
            raise NotRunning(f"{name} is not in play: it was killed, or it is about to begin")
        raise NotRunning(f"{how_it_ended(event)}: look at it with `arena event show {name}`")
    return event


def pictures_of(reader: Reader, db: Path, event: Event) -> Iterator[Picture | None]:
    """Yield how the event stands, for as long as it is in play."""
    standings = _Standings(reader, event)
    before: InPlay | None = None
    for is_changed in changes(reader):
        now = in_play(db)
        if now is None or now.event != event.name:
            return
        if is_changed:
            standings.bring_up_to_date()
        yield _picture(now, event, standings.lines()) if is_changed or now != before else None
        before = now


class _Standings:
    """The standings so far; each match is looked at once, for they are entered in their order."""

    def __init__(self, reader: Reader, event: Event) -> None:
        self._reader = reader
        self._event = event
        self._next = 0
        self._tallies: dict[tuple[str, int], Tally] = {}

    def bring_up_to_date(self) -> None:
        for new in tallies_of_event(self._reader, self._event.id, first=self._next):
            old = self._tallies.get((new.bot, new.version))
            self._tallies[new.bot, new.version] = old.plus(new) if old else new
        self._next = max((tally.last + 1 for tally in self._tallies.values()), default=0)

    def lines(self) -> list[str]:
        rows: list[dict[str, Any]] = [
            tally._asdict()
            | {"share": tally.points / tally.matches, "mean_place": tally.places / tally.matches}
            for tally in self._tallies.values()
        ]
        rows.sort(key=lambda row: (-row["share"], row["bot"], row["version"]))
        return table_lines(rows, _STANDINGS, _WRITTEN)


def is_in_play(db: Path, event: Event) -> bool:
    """Tell whether an event is still in play."""
    now = in_play(db)
    return now is not None and now.event == event.name


def how_it_ended(event: Event) -> str:
    """Say how an event has ended that is not in play."""
    # One that still says it is running was killed before it could say anything else.
    how = {"finished": "is finished", "running": "was killed"}.get(event.status, "was stopped")
    return f"{event.name} {how}"


def _picture(now: InPlay, event: Event, standings: list[str]) -> list[str]:
    title = (
        f"{event.name}: {event.kind}, {event.game} {event.variant}, tables of up to {event.seats}"
    )
    rows = [_row(block) for block in now.blocks]
    return [
        click.style(plain(title), bold=True),
        *_progress(now, event.rounds),
        "",
        click.style(f"in play, with {counted(now.jobs, 'worker')}", bold=True),
        *table_lines(rows, _BLOCKS, {}),
        "",
        click.style("standings so far", bold=True),
        *standings,
    ]


def _progress(now: InPlay, rounds: int) -> list[str]:
    share = now.counted / max(now.expected, 1)
    speed = f"{now.rate:.1f} matches a second"
    if now.rate > 0:
        speed += f", {duration((now.expected - now.counted) / now.rate)} left"
    return [
        f"[{bar(share)}] {now.counted}/{now.expected} matches, round {now.round} of {rounds}",
        f"{speed}, {counted(now.faults, 'fault')}",
    ]


def _row(block: BlockInPlay) -> dict[str, Any]:
    more = len(block.bots) - _MOST_NAMES
    others = f" and {more} more" if more > 0 else ""
    return {
        "matches": block.matches,
        "since": f"{datetime.fromtimestamp(block.since):%H:%M:%S}",
        "bots": ", ".join(block.bots[:_MOST_NAMES]) + others,
    }
