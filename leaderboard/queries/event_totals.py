"""The totals of an event: its tables, its machines, and what its bots have reached so far."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from leaderboard.store import Reader


class EventTables(NamedTuple):
    """The matches of an event so far."""

    played: dict[int, int]
    """The number of matches by the number of seats, ascending; forfeits do not count."""
    forfeited: int
    """The number of matches that were not played, because of a bot that was suspended."""

    @property
    def matches(self) -> int:
        """The number of matches that were played."""
        return sum(self.played.values())


def event_tables(reader: Reader, event: int | None = None) -> defaultdict[int, EventTables]:
    """Return the matches of each event, or of one, by the sizes of their tables."""
    found: defaultdict[int, EventTables] = defaultdict(lambda: EventTables({}, 0))
    rows = reader.rows(
        """
        WITH counts AS (
            SELECT event, pairing, count(*) AS matches, sum(ending = 'forfeit') AS forfeited
            FROM matches WHERE :event IS NULL OR event = :event
            GROUP BY event, pairing
        )
        SELECT event, (
            SELECT count(*) FROM pairing_seats
            WHERE pairing_seats.event = counts.event AND pairing_seats.pairing = counts.pairing
        ) AS seats, sum(matches - forfeited), sum(forfeited)
        FROM counts GROUP BY event, seats ORDER BY event, seats
        """,
        {"event": event},
    )
    for number, seats, played, forfeited in rows:
        tables = found[number]
        if played:
            tables.played[seats] = played
        found[number] = tables._replace(forfeited=tables.forfeited + forfeited)
    return found


def table_sizes(reader: Reader, event: int) -> list[int]:
    """Return the different numbers of seats at the tables that an event has paired, ascending."""
    rows = reader.rows(
        "SELECT DISTINCT count(*) AS seats FROM pairing_seats WHERE event = ? GROUP BY pairing "
        "ORDER BY seats",
        [event],
    )
    return [seats for (seats,) in rows]


class EventMachine(NamedTuple):
    """A machine that played in an event."""

    name: str
    speed: float
    matches: int


def machines_of_event(reader: Reader, event: int) -> list[EventMachine]:
    """Return the machines that an event was played on, if it was on a cluster."""
    rows = reader.rows(
        """
        SELECT name, speed, count(*)
        FROM matches
        JOIN match_machines ON match_machines.match = matches.id
        JOIN machines ON machines.id = match_machines.machine
        WHERE event = ?
        GROUP BY machines.id
        ORDER BY name, machines.id
        """,
        [event],
    )
    return [EventMachine(*row) for row in rows]
