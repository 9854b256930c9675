"""What others may know of the league: leaderboards, matches and replays, without bots' output."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeVar

from pydantic import BaseModel

from arena.records import Record
from arena.replays.format import read_replay
from leaderboard.bots import all_versions
from leaderboard.events import all_events, find_event
from leaderboard.matches import replay_of
from leaderboard.queries.leaderboards import head_to_head, leaderboard
from leaderboard.seasons import all_seasons
from leaderboard.store import Reader

T = TypeVar("T", bound=BaseModel)


class LeaderboardEntry(BaseModel):
    """A version in a variant; `arena docs league` describes the columns."""

    game: str
    variant: str
    rank: int
    bot: str
    version: int
    author: str
    score: float
    mu: float
    sigma: float
    matches: int
    wins: int
    mean_place: float
    faults: int
    changed: str
    strength: float | None
    strength_error: float | None
    strength_rank: int | None
    best_rank: int | None
    worst_rank: int | None


class Meeting(BaseModel):
    """How a version did against another one in a variant."""

    game: str
    variant: str
    bot: str
    version: int
    opponent: str
    opponent_version: int
    matches: int
    ahead: int
    tied: int
    behind: int
    share: float


class ListedBot(BaseModel):
    """A version of a bot."""

    bot: str
    version: int
    author: str
    games: list[str]
    submitted: str
    retired: str | None


class ListedEvent(BaseModel, from_attributes=True):
    """An event; its secret is known once it is over."""

    name: str
    kind: str
    game: str
    variant: str
    seats: int
    deals: int
    clock: str
    commitment: str
    secret: str | None
    status: str
    started: str
    ended: str | None
    stopped: str | None


class ListedSeat(BaseModel):
    """A seat of a match."""

    bot: str
    version: int
    place: int
    score: int
    ending: str


class ListedMatch(BaseModel):
    """A match; `id` counts the matches of the league."""

    id: int
    event: str
    number: int
    game: str
    ending: str
    decisions: int
    seats: list[ListedSeat]


class ListedSeason(BaseModel):
    """A season, with the standings of its finals once it is closed."""

    name: str
    opened: str
    closed: str | None
    board: list[dict[str, Any]]


class OwnFault(BaseModel):
    """A fault of one's own bot, with the last lines that it printed."""

    event: str
    match: int
    seat: int
    bot: str
    version: int
    ending: str
    sentence: str
    printed: str


def leaderboard_entries(reader: Reader, game: str | None) -> list[LeaderboardEntry]:
    """Return the leaderboards of all variants, or of those of one game."""
    authors = {version.id: version.author for version in all_versions(reader)}
    return [
        LeaderboardEntry(**row._asdict(), author=authors.get(row.version_id, ""))
        for row in leaderboard(reader, game)
    ]


def meetings(reader: Reader, game: str | None, bot: str) -> list[Meeting]:
    """Return the results of a bot against all others; those of all pairs would be too many."""
    return [
        Meeting(game=row.game, variant=row.variant, **row.columns())
        for row in head_to_head(reader, game, bot=bot)
    ]


def listed_bots(reader: Reader) -> list[ListedBot]:
    """Return all versions."""
    return [
        ListedBot(**each._asdict(), version=each.number, author=each.author)
        for each in all_versions(reader)
    ]


def listed_events(reader: Reader) -> list[ListedEvent]:
    """Return all events, oldest first."""
    return [ListedEvent.model_validate(event) for event in all_events(reader)]


def listed_seasons(reader: Reader) -> list[ListedSeason]:
    """Return all seasons, oldest first."""
    return [ListedSeason(**season._asdict()) for season in all_seasons(reader)]


def listed_matches(
    reader: Reader,
    *,
    event: str | None = None,
    bot: str | None = None,
    before: int | None = None,
    limit: int = 50,
) -> list[ListedMatch]:
    """Return the newest matches, those of an event or of a bot, with ids below `before`."""
    conditions, values = ["true"], list[object]()
    if bot is not None:
        # By the index of the ratings' history; matches that changed no rating are few.
        versions = "SELECT versions.id FROM versions JOIN bots ON bots.id = bot WHERE name = ?"
        conditions.append(
            f"""id IN (
                SELECT match FROM rating_history
                WHERE (variant, version) IN (
                    SELECT variant, version FROM ratings WHERE version IN ({versions})
                )
                UNION SELECT id FROM matches WHERE rating_order IS NULL AND EXISTS (
                    SELECT 1 FROM seats WHERE match = matches.id AND version IN ({versions})
                )
            )"""
        )
        values += [bot, bot]
    if event is not None:
        conditions.append("event = ?")
        values.append(find_event(reader, event).id)
    if before is not None:
        conditions.append("id < ?")
        values.append(before)
    rows = reader.rows(
        f"""
        SELECT matches.id, events.name, matches.number, game, matches.ending, decisions,
            bots.name, versions.number, place, score, seats.ending
        FROM (
            SELECT * FROM matches WHERE {" AND ".join(conditions)} ORDER BY id DESC LIMIT ?
        ) AS matches
        JOIN events ON events.id = matches.event JOIN variants ON variants.id = events.variant
        JOIN seats ON seats.match = matches.id
        JOIN versions ON versions.id = seats.version JOIN bots ON bots.id = versions.bot
        ORDER BY matches.id DESC, seat
        """,
        [*values, limit],
    )
    return [
        ListedMatch(
            **dict(zip(ListedMatch.model_fields, match, strict=False)),
            seats=[_named(ListedSeat, row[6:]) for row in seats],
        )
        for match, seats in groupby(rows, key=itemgetter(*range(6)))
    ]


def _named(model: type[T], row: Sequence[Any]) -> T:
    return model(**dict(zip(model.model_fields, row, strict=True)))


def public_replay(
    reader: Reader, event: str, number: int, *, own: Collection[str] = ()
) -> Record | None:
    """Return a match without what bots printed and noted, except those named in `own`."""
    content = replay_of(reader, find_event(reader, event).id, number)
    return without_output(read_replay(content), own) if content else None


def without_output(record: Record, own: Collection[str]) -> Record:
    """Return a record without what bots printed, sent and noted, except those named in `own`."""
    mine = {seat for seat, entrant in enumerate(record.entrants) if entrant.name in own}

    def is_mine(decision: int) -> bool:
        return record.decisions[decision].seat in mine

    return replace(
        record,
        faults=tuple(
            each if each.seat in mine else replace(each, printed=b"", reply=b"")
            for each in record.faults
        ),
        outputs=tuple(each for each in record.outputs if is_mine(each.decision)),
        notes=tuple(each for each in record.notes if is_mine(each.decision)),
    )


def faults_of_bots(reader: Reader, bots: Collection[str], limit: int) -> list[OwnFault]:
    """Return the newest faults of bots, with their output."""
    marks = ", ".join("?" * len(bots))
    rows = reader.rows(
        f"""
        SELECT events.name, matches.number, seats.seat, bots.name, versions.number, seats.ending,
            sentence, printed
        FROM faults JOIN seats ON seats.match = faults.match AND seats.seat = faults.seat
        JOIN versions ON versions.id = seats.version JOIN bots ON bots.id = versions.bot
        JOIN matches ON matches.id = faults.match JOIN events ON events.id = matches.event
        WHERE bots.name IN ({marks}) ORDER BY faults.match DESC LIMIT ?
        """,
        [*bots, limit],
    )
    return [_named(OwnFault, row) for row in rows]
