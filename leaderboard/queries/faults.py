"""Faults: those of an event, and those of each bot by kind."""

from __future__ import annotations

from typing import NamedTuple

from leaderboard.result import FORFEIT
from leaderboard.store import Reader, where


class FaultCount(NamedTuple):
    """The number of faults of one kind of a version, and the last one."""

    bot: str
    version: int
    game: str
    ending: str
    faults: int
    last_event: str
    last_match: int
    last_sentence: str


class EventFault(NamedTuple):
    """A fault of a seat in a match of an event."""

    match: int
    """The number of the match in the schedule."""
    seat: int
    bot: str
    version: int
    ending: str
    sentence: str
    printed: str


def faults_by_bot(reader: Reader, bot: str | None = None) -> list[FaultCount]:
    """Return the faults of all bots, or of one, counted by kind."""
    condition, values = where("bot", bot)
    return [
        FaultCount(*row) for row in reader.rows(f"SELECT * FROM faults_by_bot {condition}", values)
    ]


def faults_of_event(reader: Reader, event: int) -> list[EventFault]:
    """Return the faults of an event in the order of its schedule; a forfeit is not a fault."""
    rows = reader.rows(
        """
        SELECT matches.number, seats.seat, name, versions.number, seats.ending, sentence, printed
        FROM matches
        JOIN faults ON faults.match = matches.id
        JOIN seats ON seats.match = faults.match AND seats.seat = faults.seat
        JOIN versions ON versions.id = seats.version
        JOIN bots ON bots.id = versions.bot
        WHERE event = ? AND seats.ending <> ?
        ORDER BY matches.number, seats.seat
        """,
        [event, FORFEIT],
    )
    return [EventFault(*row) for row in rows]
