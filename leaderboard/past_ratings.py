"""Ratings as they were before each of the last events of a variant."""

from __future__ import annotations

from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.store import Reader


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
    rated = list(reader.rows("SELECT variant, version, matches FROM ratings"))
    found = []
    for variant, name, started, first in boundaries:
        scores = {}
        for its_variant, version, matches in rated:
            if its_variant == variant:
                score = _score_before(reader, variant, version, matches, first)
                if score is not None:
                    scores[version] = score
        found.append(PastRatings(variant, name, started, scores))
    return found


def _score_before(
    reader: Reader, variant: int, version: VersionId, matches: int, order: int
) -> float | None:
    """Return the rating before the match with this order; None if there was none.

    A bisection: the history of a version is numbered in the order in which it was rated.
    """
    low, high, score = 0, matches, None
    while low < high:
        middle = (low + high + 1) // 2
        row = reader.row(
            """
            SELECT rating_order, mu - 3 * sigma
            FROM rating_history AS history JOIN matches ON matches.id = history.match
            WHERE history.variant = ? AND version = ? AND history.number = ?
            """,
            [variant, version, middle],
        )
        if row is not None and row[0] is not None and row[0] < order:
            low, score = middle, row[1]
        else:
            high = middle - 1
    return score
