"""Who leads, who beats whom, and whose bots fail?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from leaderboard.store import Reader

SAMPLES = 16
"""How many points of a rating's history a leaderboard has."""


class Standing(NamedTuple):
    """One line of a leaderboard."""

    game: str
    variant: str
    rank: int
    bot: str
    version: int
    score: float
    """The conservative one: the mean less three deviations."""
    mu: float
    sigma: float
    matches: int
    wins: int
    mean_place: float
    faults: int
    changed: str
    history: tuple[float, ...]
    """The score in the course of its matches, evenly spaced, the last one being the present."""


class HeadToHead(NamedTuple):
    """How a bot did against another, over all matches in which they were opponents."""

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
    """Matches ahead, and half of those tied, of all."""


class FaultCount(NamedTuple):
    """How often a bot's version failed in one way, and what was said the last time."""

    bot: str
    version: int
    game: str
    ending: str
    faults: int
    last_event: str
    last_match: int
    last_sentence: str


def leaderboard(reader: Reader, game: str | None = None) -> list[Standing]:
    """Return the leaderboards of all variants, or of one game's."""
    with reader.snapshot():
        lines = list(_of_game(reader, "leaderboard", game))
        variants = {line[-2] for line in lines}
        histories = {
            key: scores for variant in variants for key, scores in _histories(reader, variant)
        }
    return [Standing(*(*line, histories[variant, version])) for *line, variant, version in lines]


def head_to_head(reader: Reader, game: str | None = None) -> list[HeadToHead]:
    """Return how everybody did against everybody else that they have met."""
    return [HeadToHead(*row) for row in _of_game(reader, "head_to_head", game)]


def faults_by_bot(reader: Reader, bot: str | None = None) -> list[FaultCount]:
    """Return how bots have failed, or how one has."""
    where, values = ("", []) if bot is None else ("WHERE bot = ?", [bot])
    return [FaultCount(*row) for row in reader.rows(f"SELECT * FROM faults_by_bot {where}", values)]


def _of_game(reader: Reader, view: str, game: str | None) -> Iterator[tuple[Any, ...]]:
    where, values = ("", []) if game is None else ("WHERE game = ?", [game])
    return reader.rows(f"SELECT * FROM {view} {where}", values)


def _histories(reader: Reader, variant: int) -> Iterator[tuple[tuple[int, int], tuple[float, ...]]]:
    """Yield the samples of every rating of a variant, each found by the history's key."""
    samples = reader.rows(
        """
        WITH RECURSIVE steps (step) AS (
            SELECT 1 UNION ALL SELECT step + 1 FROM steps WHERE step < :most
        )
        SELECT ratings.version, history.mu - 3 * history.sigma
        FROM ratings
        JOIN steps ON step <= ratings.matches
        JOIN rating_history AS history ON history.variant = ratings.variant
            AND history.version = ratings.version
            AND history.number
                = (ratings.matches * step - 1) / min(ratings.matches, :most) + 1
        WHERE ratings.variant = :variant
        ORDER BY ratings.version, step
        """,
        {"most": SAMPLES, "variant": variant},
    )
    for version, of_one in groupby(samples, key=itemgetter(0)):
        yield (variant, version), tuple(score for _, score in of_one)
