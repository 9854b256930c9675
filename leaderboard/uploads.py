"""Packages that authors have sent to a served league, and what became of them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from leaderboard.authors import LeagueAuthor
from leaderboard.file.journal import insert, update
from leaderboard.store import BotsWriter, Reader, timestamp

QUEUED, WAITING = "queued", "waiting"
ACCEPTED, UNCHANGED, REFUSED = "accepted", "unchanged", "refused"


class Upload(NamedTuple):
    """A package that an author has sent."""

    id: int
    author: int
    author_name: str
    bot: str
    hash: str
    received: str
    status: str
    """`queued`, then `accepted`, `unchanged`, `refused`, or `waiting` for the next season."""
    ended: str | None
    sentence: str
    """Why it was refused, or what it has become."""
    steps: list[dict[str, Any]]
    """The steps of its check."""
    cpu_ms: int
    """The CPU time of its check."""
    version: str | None
    """The version that it has become, as kitten@2."""


_UPLOADS = """
    SELECT uploads.id, uploads.author, authors.name, uploads.bot, uploads.hash, received, status,
        ended, sentence, steps, cpu_ms, bots.name || '@' || versions.number
    FROM uploads JOIN authors ON authors.id = uploads.author
    LEFT JOIN versions ON versions.id = uploads.version LEFT JOIN bots ON bots.id = versions.bot
"""


def add_upload(
    writer: BotsWriter, author: LeagueAuthor, bot: str, digest: str, blob: bytes, *, now: datetime
) -> int:
    """Put a package into the queue and return its number."""
    with writer.transaction():
        ((number,),) = writer.rows("SELECT coalesce(max(id), 0) + 1 FROM uploads")
        row = {
            "id": number,
            "author": author.id,
            "bot": bot,
            "hash": digest,
            "received": timestamp(now),
            "status": QUEUED,
            "ended": None,
            "sentence": "",
            "steps": "[]",
            "cpu_ms": 0,
            "version": None,
            "package": blob,
        }
        insert(writer, "uploads", [row])
    return int(number)


def end_upload(
    writer: BotsWriter,
    number: int,
    status: str,
    sentence: str,
    *,
    steps: Sequence[dict[str, Any]] = (),
    cpu_ms: int = 0,
    version: int | None = None,
    now: datetime,
) -> None:
    """Store what became of a package; one that waits is kept."""
    changes: dict[str, object] = {
        "status": status,
        "ended": timestamp(now),
        "sentence": sentence,
        "steps": json.dumps(list(steps)),
        "cpu_ms": cpu_ms,
        "version": version,
    }
    if status != WAITING:
        changes["package"] = None
    with writer.transaction():
        update(writer, "uploads", {"id": number}, changes)


def requeue_waiting(writer: BotsWriter) -> None:
    """Put the packages that waited for the next season into the queue again."""
    with writer.transaction():
        waiting = list(writer.rows("SELECT id FROM uploads WHERE status = ?", [WAITING]))
        for (number,) in waiting:
            update(writer, "uploads", {"id": number}, {"status": QUEUED, "ended": None})


def next_upload(reader: Reader, besides: Collection[int] = ()) -> Upload | None:
    """Return the package that is to be checked next, besides those of these numbers.

    Versions of a bot are made in the order in which they were sent. First comes the author whose
    checks have taken the least time in 24 hours: bots that think for long keep nobody else waiting.
    """
    row = reader.row(
        f"""
        {_UPLOADS} WHERE status = ? AND uploads.id NOT IN ({", ".join("?" * len(besides))})
        AND NOT EXISTS (
            SELECT 1 FROM uploads AS older WHERE older.bot = uploads.bot COLLATE NOCASE
                AND older.status = uploads.status AND older.id < uploads.id
        )
        ORDER BY (
            SELECT total(cpu_ms) FROM uploads AS earlier
            WHERE earlier.author = uploads.author AND earlier.id < uploads.id
                AND earlier.received > datetime(uploads.received, '-1 day')
        ), (
            SELECT count(*) FROM uploads AS earlier
            WHERE earlier.author = uploads.author AND earlier.id < uploads.id
                AND earlier.received > datetime(uploads.received, '-1 day')
        ), uploads.id LIMIT 1
        """,
        [QUEUED, *besides],
    )
    return _upload(row) if row else None


def find_upload(reader: Reader, number: int) -> Upload | None:
    """Return the package of a number."""
    row = reader.row(f"{_UPLOADS} WHERE uploads.id = ?", [number])
    return _upload(row) if row else None


def uploads_of(reader: Reader, author: int, *, limit: int = 50) -> list[Upload]:
    """Return what an author has sent, the newest first."""
    sql = f"{_UPLOADS} WHERE uploads.author = ? ORDER BY uploads.id DESC LIMIT ?"
    return [_upload(row) for row in reader.rows(sql, [author, limit])]


def package_of_upload(reader: Reader, number: int) -> bytes:
    """Return a package that is in the queue."""
    ((blob,),) = reader.rows("SELECT package FROM uploads WHERE id = ?", [number])
    return bytes(blob or b"")


def received_since(reader: Reader, author: int, since: datetime) -> list[tuple[str, int]]:
    """Return when an author has sent packages, and the CPU time of each check, oldest first."""
    rows = reader.rows(
        "SELECT received, cpu_ms FROM uploads WHERE author = ? AND received > ? ORDER BY received",
        [author, timestamp(since)],
    )
    return [(received, cpu_ms) for received, cpu_ms in rows]


def queue_length(reader: Reader) -> int:
    """Return how many packages are to be checked."""
    ((count,),) = reader.rows("SELECT count(*) FROM uploads WHERE status = ?", [QUEUED])
    return int(count)


def _upload(row: tuple[Any, ...]) -> Upload:
    upload = Upload(*row)
    return upload._replace(steps=json.loads(row[9]))
