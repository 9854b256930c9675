"""The results of versions against each other."""

from __future__ import annotations

from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.result import HeadToHead
from leaderboard.store import Reader, where


class Meeting(NamedTuple):
    """Two versions that were opponents in a variant, by their ids."""

    variant: int
    version: VersionId
    opponent: VersionId
    result: HeadToHead
    """The result of `version` against `opponent`."""


class HeadToHeadRow(NamedTuple):
    """Two versions that were opponents in a variant, by their names."""

    game: str
    variant: str
    bot: str
    version: int
    opponent: str
    opponent_version: int
    result: HeadToHead


def head_to_head(reader: Reader, game: str | None = None) -> list[HeadToHeadRow]:
    """Return the results of all versions against each other, or those of one game."""
    condition, values = where("game", game)
    rows = reader.rows(
        f"""
        SELECT game, variant, bot, version_number, opponent, opponent_version_number,
            ahead, tied, behind
        FROM head_to_head {condition}
        """,
        values,
    )
    return [HeadToHeadRow(*(*row[:6], HeadToHead(*row[6:]))) for row in rows]


def all_meetings(reader: Reader) -> list[Meeting]:
    """Return every pair of opponents, in both directions."""
    rows = reader.rows(
        """
        SELECT variant, version, opponent, ahead, tied, behind FROM meetings
        UNION ALL
        SELECT variant, opponent, version, behind, tied, ahead FROM meetings
        """
    )
    return [Meeting(*(*row[:3], HeadToHead(*row[3:]))) for row in rows]
