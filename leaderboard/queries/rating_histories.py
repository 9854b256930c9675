"""The history of ratings: samples over all matches, and the ratings before and after events."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.errors import BadLeague
from arena.indices import VersionId
from leaderboard.store import Reader


class Sample(NamedTuple):
    """The rating of a version after one of its matches."""

    number: int
    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """The conservative rating, μ − 3σ."""
        return self.mu - 3 * self.sigma


def rating_histories(
    reader: Reader, most: int, game: str | None = None
) -> dict[tuple[int, VersionId], list[Sample]]:
    """Return at most `most` evenly spaced samples of each rating, by variant and version."""
    found = reader.rows(
        # Each sample is found by the key of the history: with these joins, SQLite scans the ratings
        # and not the history.
        """
        WITH RECURSIVE steps (step) AS (
            SELECT 1 UNION ALL SELECT step + 1 FROM steps WHERE step < :most
        )
        SELECT ratings.variant, ratings.version, history.number, history.mu, history.sigma
        FROM ratings
        CROSS JOIN steps ON step <= ratings.matches
        LEFT JOIN rating_history AS history ON history.variant = ratings.variant
            AND history.version = ratings.version
            AND history.number = (ratings.matches * step - 1) / min(ratings.matches, :most) + 1
        WHERE :game IS NULL OR ratings.variant IN (SELECT id FROM variants WHERE game = :game)
        ORDER BY ratings.variant, ratings.version, step
        """,
        {"most": most, "game": game},
    )
    rows = list(found)
    if any(number is None for _, _, number, *_ in rows):
        raise BadLeague(
            "a rating lacks part of its history: `arena verify` names the first difference"
        )
    return {
        key: [Sample(*sample) for _, _, *sample in group]
        for key, group in groupby(rows, key=itemgetter(0, 1))
    }


def scores_after(reader: Reader, event: int) -> dict[VersionId, float]:
    """Return the score of each version of an event's variant after the event's last match.

    Later events do not count. Versions without a rating are left out.
    """
    ((variant, last),) = reader.rows(
        """
        SELECT variant, coalesce(
            (SELECT max(rating_order) FROM matches WHERE event = :event),
            -- It only repeats others: its ratings are the ones that it began with.
            (SELECT max(rating_order) FROM matches
                WHERE id < (SELECT max(id) FROM matches WHERE event = :event)),
            0
        )
        FROM events WHERE id = :event
        """,
        {"event": event},
    )
    return _scores_before(reader, variant, last + 1)


def _scores_before(reader: Reader, variant: int, order: int) -> dict[VersionId, float]:
    """Return the scores in a variant before the match with this order, where there were any."""
    rows = reader.rows(
        # The newest come first: most events that are looked at are recent.
        """
        SELECT version, (
            SELECT mu - 3 * sigma
            FROM rating_history AS history JOIN matches ON matches.id = history.match
            WHERE history.variant = ratings.variant AND history.version = ratings.version
                AND rating_order < ?
            ORDER BY history.number DESC LIMIT 1
        )
        FROM ratings WHERE variant = ?
        """,
        [order, variant],
    )
    return {version: score for version, score in rows if score is not None}


class PastRatings(NamedTuple):
    """The ratings of a variant when an event began."""

    variant: int
    event: str
    """The first event whose matches changed them."""
    started: str
    scores: dict[VersionId, float]
    """The conservative rating of each version that had one."""


def past_ratings(reader: Reader, events: int) -> list[PastRatings]:
    """Return the ratings before each of the last `events` rated events of each variant.

    The latest event of a variant comes first.
    """
    boundaries = list(
        reader.rows(
            """
            WITH firsts AS (
                SELECT variant, name, started,
                    (SELECT min(rating_order) FROM matches WHERE event = events.id) AS first
                FROM events
            ), numbered AS (
                SELECT *, row_number() OVER (PARTITION BY variant ORDER BY first DESC) AS back
                FROM firsts WHERE first IS NOT NULL
            )
            SELECT variant, name, started, first FROM numbered WHERE back <= ?
            ORDER BY variant, back
            """,
            [events],
        )
    )
    return [
        PastRatings(variant, name, started, _scores_before(reader, variant, first))
        for variant, name, started, first in boundaries
    ]
