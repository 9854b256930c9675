"""Delete an event and everything that follows from it.

The ratings of its variant, their history, meetings and strengths are computed again from the
matches that stay, in one transaction. The journal keeps what the event was, and that it was
removed.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from leaderboard.events import Event
from leaderboard.file.journal import remove
from leaderboard.ratings.rerate import rate_again
from leaderboard.store import Reader, Writer
from leaderboard.strength.league import store_strengths

_OF_MATCHES = "match IN (SELECT id FROM matches WHERE event = ?)"


class Deleted(NamedTuple):
    """What was done."""

    matches: int
    """The number of matches that were removed."""
    rated: int
    """The number of matches that were rated again."""


def delete_event(writer: Writer, event: Event, *, now: datetime) -> Deleted:
    """Delete an event; bots, and the versions that it submitted, stay."""
    with writer.transaction():
        ((variant,),) = writer.rows("SELECT variant FROM events WHERE id = ?", [event.id])
        ((matches,),) = writer.rows("SELECT count(*) FROM matches WHERE event = ?", [event.id])
        _remove_sums(writer, variant)
        # Its history refers to its matches; `rate_again` writes what stays.
        writer.write("DELETE FROM rating_history WHERE variant = ?", [variant])
        _remove_rows(writer, event.id)
        rated = rate_again(writer, [variant], now=now)
        store_strengths(writer, variant)
    return Deleted(matches, rated)


def repeated_by(reader: Reader, event: Event) -> str | None:
    """Return the name of a later event with the same deals, whose matches were not rated for that.

    They would have to be rated if this event were deleted before it.
    """
    row = reader.row(
        """
        SELECT later.name
        FROM events JOIN events AS later USING (commitment, variant)
        JOIN matches ON matches.event = later.id
        WHERE events.id = ? AND later.id > events.id
            AND matches.ending != 'forfeit' AND NOT matches.rated
        LIMIT 1
        """,
        [event.id],
    )
    return row[0] if row else None


def _remove_rows(writer: Writer, event: int) -> None:
    """Remove the rows of an event; rows that refer to others go first."""
    remove(writer, "replays", _OF_MATCHES, [event])
    for table in ("faults", "seats"):
        # The digest of the match stands for them.
        writer.write(f"DELETE FROM {table} WHERE {_OF_MATCHES}", [event])
    for table in ("matches", "pairing_seats", "pairings", "byes", "rounds", "entrants"):
        remove(writer, table, "event = ?", [event])
    writer.write("DELETE FROM secrets WHERE event = ?", [event])
    remove(writer, "events", "id = ?", [event])


def _remove_sums(writer: Writer, variant: int) -> None:
    """Remove the sums of deals, which cannot be subtracted; they are added up again."""
    writer.write("DELETE FROM deal_sums WHERE variant = ?", [variant])
    writer.write(
        "DELETE FROM summed_events WHERE event IN (SELECT id FROM events WHERE variant = ?)",
        [variant],
    )
