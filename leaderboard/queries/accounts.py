"""What bots used: decisions, time, CPU time and memory, added up from their seats."""

from __future__ import annotations

from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.file.views import ACCOUNT
from leaderboard.store import Reader


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


def accounts_of(
    reader: Reader, *, bot: str | None = None, event: int | None = None
) -> list[Account]:
    """Return the accounts of all versions in each variant, of a bot's versions or of an event's."""
    chosen = {"bot = ?": bot, "event_id = ?": event}
    given = {condition: value for condition, value in chosen.items() if value is not None}
    rows = reader.rows(
        f"""
        SELECT game, variant, bot, version_number, {ACCOUNT}, variant_id, version_id
        FROM seat_results
        WHERE {" AND ".join(["match_ending <> 'forfeit'", *given])}
        GROUP BY variant_id, version_id
        ORDER BY variant_id, bot, version_number
        """,
        [*given.values()],
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


class ModelAccount(NamedTuple):
    """What a language model asked of its service in a variant or an event."""

    game: str
    variant: str
    bot: str
    version: int
    matches: int
    requests: int
    rethinks: int
    retries: int
    tokens_in: int
    tokens_out: int
    cost: float
    """In the unit of its prices."""
    cost_per_match: float
    mean_s: float | None
    """The time for one decision."""


def model_accounts(reader: Reader, *, event: int | None = None) -> list[ModelAccount]:
    """Return the accounts of all language models in each variant, or of those in an event."""
    rows = reader.rows(
        """
        SELECT game, variants.name, bots.name, versions.number, count(*), sum(requests),
            sum(rethinks), sum(retries), sum(tokens_in), sum(tokens_out), sum(cost_micros) / 1e6,
            avg(cost_micros) / 1e6, sum(seats.time_us) / 1e6 / nullif(sum(seats.answers), 0)
        FROM model_use
        JOIN seats ON seats.match = model_use.match AND seats.seat = model_use.seat
        JOIN matches ON matches.id = seats.match
        JOIN events ON events.id = matches.event
        JOIN variants ON variants.id = events.variant
        JOIN versions ON versions.id = seats.version
        JOIN bots ON bots.id = versions.bot
        WHERE coalesce(?, events.id) = events.id
        GROUP BY events.variant, versions.id
        ORDER BY events.variant, bots.name, versions.number
        """,
        [event],
    )
    return [ModelAccount(*row) for row in rows]
