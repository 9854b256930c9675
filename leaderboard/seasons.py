"""Seasons of a served league: each has ladders, a final, and a leaderboard that is kept."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, NamedTuple

from arena.errors import BadInput
from leaderboard.file.journal import insert, update
from leaderboard.store import BotsWriter, Reader, timestamp


class Season(NamedTuple):
    """A season; the last one is open."""

    id: int
    name: str
    opened: str
    next: str | None
    """The name of the season that is to follow; given when this one is to be closed."""
    closed: str | None
    board: list[dict[str, Any]]
    """The standings of its finals, once it is closed."""


def all_seasons(reader: Reader) -> list[Season]:
    """Return all seasons, oldest first."""
    rows = reader.rows("SELECT id, name, opened, next, closed, board FROM seasons ORDER BY id")
    return [Season(*row)._replace(board=json.loads(row[5] or "[]")) for row in rows]


def open_season(writer: BotsWriter, name: str, *, now: datetime) -> Season:
    """Return the season that is open; the first one is opened with this name."""
    seasons = all_seasons(writer)
    if not seasons:
        with writer.transaction():
            _insert(writer, 1, name, now)
    return all_seasons(writer)[-1]


def request_close(writer: BotsWriter, next_name: str) -> Season:
    """Have the open season closed as soon as its final is played; return it."""
    seasons = all_seasons(writer)
    if not seasons:
        raise BadInput("no season is open: `arena serve` opens the first one")
    if next_name in {season.name for season in seasons}:
        raise BadInput(f"there was already a season {next_name}: choose another name")
    with writer.transaction():
        update(writer, "seasons", {"id": seasons[-1].id}, {"next": next_name})
    return seasons[-1]


def close_season(
    writer: BotsWriter, season: Season, board: list[dict[str, Any]], *, now: datetime
) -> None:
    """Close a season with the standings of its finals, and open the next one."""
    assert season.next
    with writer.transaction():
        changes = {"closed": timestamp(now), "board": json.dumps(board)}
        update(writer, "seasons", {"id": season.id}, changes)
        _insert(writer, season.id + 1, season.next, now)


def _insert(writer: BotsWriter, number: int, name: str, now: datetime) -> None:
    row = {"id": number, "name": name, "opened": timestamp(now)}
    insert(writer, "seasons", [row | dict.fromkeys(("next", "closed", "board"))])
