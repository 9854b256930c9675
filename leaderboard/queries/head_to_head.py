"""The results of versions against each other."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.indices import VersionId
from leaderboard.result import HeadToHead
from leaderboard.store import Reader, where


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


def head_to_head(reader: Reader, game: str | None = None) -> list[HeadToHeadRow]:
    """Return the results of all pairs of versions in both directions, or those of one game."""
    condition, values = where("game", game)
    rows = reader.rows(
        f"""
        SELECT game, variant, bot, version_number, opponent, opponent_version_number,
            variant_id, version_id, opponent_version_id, ahead, tied, behind
        FROM head_to_head {condition}
        """,
        values,
    )
    return [HeadToHeadRow(*(*row[:6], HeadToHead(*row[9:]), *row[6:9])) for row in rows]
