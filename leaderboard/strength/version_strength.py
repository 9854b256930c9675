"""The strength of a version, and the columns that show it."""

from __future__ import annotations

from typing import Any, NamedTuple

from arena.indices import VersionId

STRENGTH_COLUMNS = {
    "strength": "strength",
    "strength_error": "error",
    "strength_rank": "rank",
    "best_rank": "best_rank",
    "worst_rank": "worst_rank",
    "chance_first": "chance_first",
    "chance_next": "chance_next",
}
"""The columns of leaderboards and standings, each with its name here and in `strengths`."""


class VersionStrength(NamedTuple):
    """The strength of a version in a variant or an event, and how sure it is."""

    version: VersionId
    strength: float
    """In TrueSkill's unit; the mean of all versions is 25."""
    error: float
    """Half the width of its 95 % interval."""
    degrees: float
    """The degrees of freedom of the variance."""
    rank: int | None = None
    """By strength, among the versions that are not retired; None if this one is."""
    best_rank: int | None = None
    worst_rank: int | None = None
    """The ends of the 95 % interval for its rank."""
    chance_first: float | None = None
    chance_next: float | None = None
    """The chance to be stronger than the next in rank; None for the last."""

    def columns(self) -> dict[str, Any]:  # numbers, or None
        """Return the columns of a leaderboard or of standings that show this strength."""
        return {column: getattr(self, field) for column, field in STRENGTH_COLUMNS.items()}
