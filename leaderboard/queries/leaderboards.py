"""Leaderboards: ratings and strengths of all versions, and their results against each other.

Each function runs one query for the whole league. Call several of them within one snapshot.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from arena.indices import VersionId
from leaderboard.bots import titles
from leaderboard.file.views import RATINGS
from leaderboard.queries.rating_histories import rating_histories
from leaderboard.result import HeadToHead
from leaderboard.store import Reader, where

SURE, PROBABLE = 0.95, 0.8
"""Chances from which one bot is called better than another, and probably better."""
SAMPLES = 12
"""The number of points of a rating's history in a leaderboard."""


class Variant(NamedTuple):
    """A game with particular parameters."""

    id: int
    game: str
    name: str
    parameters: str


class LeaderboardRow(NamedTuple):
    """A row of a leaderboard, with the columns of the view of that name."""

    game: str
    variant: str
    rank: int
    """By strength, or by rating if that was asked for; 0 if the version is retired."""
    bot: str
    version: int
    score: float
    """The conservative rating, μ − 3σ."""
    mu: float
    sigma: float
    matches: int
    wins: int
    mean_place: float
    faults: int
    changed: str
    strength: float | None
    """Its strength, whatever the order of the results; None until a deal is complete."""
    strength_error: float | None
    """Half the width of the 95 % interval for its strength; None unless both ends are known."""
    strength_low: float | None
    strength_high: float | None
    """The ends of that interval; None for an end that the results leave open."""
    strength_group: int | None
    """The number of its group, from 1: bots that met, directly or through others."""
    strength_rank: int | None
    """Among its group, like all that follows."""
    best_rank: int | None
    worst_rank: int | None
    """The ends of the 95 % interval for its rank by strength."""
    chance_first: float | None
    chance_next: float | None
    """The chance to be stronger than the next by strength; None for the last."""
    variant_id: int
    version_id: VersionId
    history: tuple[float, ...] = ()
    """Evenly spaced samples of the score over its matches; the last is the present one."""
    strength_behind: int = 0
    """The number of matches of the variant that do not count for the strengths yet."""
    title: str | None = None
    """What the bot is called where people read; None if it has only its name."""


_MATCHES_BEHIND = """
    SELECT variant, sum(rated_up_to - coalesce(summed_up_to, 0)) AS behind
    FROM events LEFT JOIN summed_events ON event = id
    GROUP BY variant HAVING behind > 0
"""
"""Finds the variants with matches after the stored strengths, and how many."""


def leaderboard(
    reader: Reader, game: str | None = None, *, by_rating: bool = False
) -> list[LeaderboardRow]:
    """Return the leaderboards of all variants, or of those of one game, one after another.

    Bots are ranked by strength, which says how certain their order is, or by TrueSkill's rating.
    """
    condition, values = where("game", game)
    with reader.snapshot():
        histories = rating_histories(reader, SAMPLES, game)
        rows = [
            LeaderboardRow(*(*row, tuple(sample.score for sample in histories[row[-2], row[-1]])))
            for row in reader.rows(f"SELECT * FROM leaderboard {condition}", values)
        ]
        rows = _with_new_strengths(reader, rows)
        if named := titles(reader):
            rows = [row._replace(title=named.get(row.version_id)) for row in rows]
    return rows if by_rating else by_strength(rows)


def by_strength(rows: Iterable[LeaderboardRow]) -> list[LeaderboardRow]:
    """Rank the bots of each variant by strength; those without one, and retired ones, come last.

    Groups that never met follow one another, each with ranks from 1.
    """
    boards: dict[int, list[LeaderboardRow]] = {}
    for row in rows:
        boards.setdefault(row.variant_id, []).append(row)
    return [
        row._replace(rank=row.rank and (row.strength_rank or place))
        for board in boards.values()
        for place, row in enumerate(sorted(board, key=_strength_order), start=1)
    ]


def verdict(chance: float) -> str:
    """Say in a word whether a bot is really better than the next."""
    return "yes" if chance >= SURE else "probably" if chance >= PROBABLE else "open"


def _strength_order(row: LeaderboardRow) -> tuple[bool, bool, int, int]:
    has_none = row.strength_rank is None
    return not row.rank, has_none, row.strength_group or 0, row.strength_rank or row.rank


def _with_new_strengths(reader: Reader, rows: list[LeaderboardRow]) -> list[LeaderboardRow]:
    """Replace the strengths of variants that have newer matches."""
    behind_by_variant = dict(reader.rows(_MATCHES_BEHIND))
    if not behind_by_variant:
        return rows
    # Imported late: it takes time, and most readers find the stored strengths up to date.
    from leaderboard.strength.league import new_strengths

    newer = new_strengths(reader, behind_by_variant)
    replaced = []
    for row in rows:
        if row.variant_id in newer:
            by_version, behind = newer[row.variant_id]
            row = row._replace(strength_behind=behind)
            line = by_version.get(row.version_id)
            if line:
                row = row._replace(**line.columns())
        replaced.append(row)
    return replaced


def all_ratings(reader: Reader) -> list[LeaderboardRow]:
    """Return all ratings, including those of retired versions, the best of each variant first."""
    rows = reader.rows(
        f"""
        SELECT variants.game, variants.name, CASE WHEN versions.retired IS NULL THEN
            rank() OVER (
                PARTITION BY ratings.variant, versions.retired IS NULL
                ORDER BY ratings.mu - 3 * ratings.sigma DESC
            ) ELSE 0 END, {RATINGS}
        ORDER BY ratings.variant, score DESC, ratings.version
        """
    )
    return _with_new_strengths(reader, [LeaderboardRow(*row) for row in rows])


def variants(reader: Reader) -> list[Variant]:
    """Return every variant that has had an event."""
    rows = reader.rows("SELECT id, game, name, parameters FROM variants ORDER BY game, id")
    return [Variant(*row) for row in rows]


class HeadToHeadRow(NamedTuple):
    """Two versions that were opponents in a variant."""

    game: str
    variant: str
    bot: str
    version: int
    opponent: str
    opponent_version: int
    result: HeadToHead
    """The result of `bot` against `opponent`."""
    variant_id: int
    version_id: VersionId
    opponent_id: VersionId

    def columns(self) -> dict[str, Any]:
        """Return the bots and their results as plain values."""
        return {
            "bot": self.bot,
            "version": self.version,
            "opponent": self.opponent,
            "opponent_version": self.opponent_version,
            "matches": self.result.matches,
            **self.result._asdict(),
            "share": float(self.result.share),
        }


def head_to_head(
    reader: Reader, game: str | None = None, *, bot: str | None = None
) -> list[HeadToHeadRow]:
    """Return the results of all pairs of versions in both directions, or those of one game."""
    condition, values = where("game", game)
    if bot is not None:
        condition += " AND bot = ?" if condition else "WHERE bot = ?"
        values = [*values, bot]
    rows = reader.rows(
        f"""
        SELECT game, variant, bot, version_number, opponent, opponent_version_number,
            variant_id, version_id, opponent_version_id, ahead, tied, behind
        FROM head_to_head {condition}
        """,
        values,
    )
    return [HeadToHeadRow(*(*row[:6], HeadToHead(*row[9:]), *row[6:9])) for row in rows]
