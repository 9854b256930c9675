"""The history of ratings: samples over all matches, and the ratings after an event."""

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
    """Return the score of each version of an event's field after the event's last match.

    Later events do not count. Versions without a rating are left out.
    """
    rows = reader.rows(
        # The newest come first: most events that are looked at are recent.
        """
        SELECT version, (
            SELECT mu - 3 * sigma
            FROM rating_history AS history JOIN matches ON matches.id = history.match
            WHERE history.variant = events.variant AND history.version = entrants.version
                AND rating_order <= coalesce(
                    (SELECT max(rating_order) FROM matches WHERE event = :event),
                    -- It only repeats others: its ratings are those that it began with.
                    (SELECT max(rating_order) FROM matches
                        WHERE id < (SELECT max(id) FROM matches WHERE event = :event))
                )
            ORDER BY history.number DESC LIMIT 1
        )
        FROM events JOIN entrants ON entrants.event = events.id
        WHERE events.id = :event
        """,
        {"event": event},
    )
    return {version: score for version, score in rows if score is not None}
