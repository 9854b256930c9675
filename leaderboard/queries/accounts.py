"""What bots used: decisions, time, processor time and memory, added up from their seats."""

from __future__ import annotations

from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.store import Reader

_COLUMNS = """
    game, variant, bot, version_number, count(*), sum(answers), sum(time_s),
    1000 * sum(time_s) / nullif(sum(answers), 0), 1000 * max(slowest_s), sum(cpu_s),
    max(memory_mib), avg(clock_share), max(clock_share), variant_id, version_id
"""


class Account(NamedTuple):
    """What a version used in a variant or an event; None where nothing was measured."""

    game: str
    variant: str
    bot: str
    version: int
    matches: int
    answers: int | None
    """The decisions that it made."""
    time_s: float | None
    """The thinking time for all of them, by the clock of each match."""
    mean_ms: float | None
    """For one decision."""
    slowest_ms: float | None
    cpu_s: float | None
    memory_mib: float | None
    """The peak of any of its processes."""
    clock_share: float | None
    """The mean share of its clock that it used in a match."""
    max_clock_share: float | None
    """The largest share of its clock that it used in a match."""
    variant_id: int
    version_id: VersionId


def accounts_of_bot(reader: Reader, bot: str) -> list[Account]:
    """Return the accounts of a bot's versions in each variant."""
    return _accounts(reader, "bot = ?", bot)


def accounts_of_event(reader: Reader, event: int) -> list[Account]:
    """Return the accounts of an event's bots."""
    return _accounts(reader, "event_id = ?", event)


def all_accounts(reader: Reader) -> list[Account]:
    """Return the accounts of all versions in each variant."""
    return _accounts(reader, "?", 1)


def _accounts(reader: Reader, condition: str, value: object) -> list[Account]:
    rows = reader.rows(
        f"""
        SELECT {_COLUMNS} FROM seat_results
        WHERE {condition} AND match_ending <> 'forfeit'
        GROUP BY variant_id, version_id
        ORDER BY variant_id, bot, version_number
        """,
        [value],
    )
    return [Account(*row) for row in rows]


def last_seats(
    reader: Reader, account: Account, *, most: int, event: int | None = None
) -> dict[int, int]:
    """Return the seats of a version in its last matches, by the match's id."""
    rows = reader.rows(
        """
        SELECT seats.match, seats.seat
        FROM seats
        JOIN matches ON matches.id = seats.match
        JOIN events ON events.id = matches.event
        WHERE seats.version = ? AND events.variant = ? AND coalesce(?, events.id) = events.id
            AND matches.ending <> 'forfeit'
        ORDER BY seats.match DESC LIMIT ?
        """,
        [account.version_id, account.variant_id, event, most],
    )
    return dict(rows)
