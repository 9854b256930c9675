"""The ratings of one variant, updated match by match.

They are kept in memory: the ledger reads them from the file and writes the changes back; `verify`
and `rerate` start without ratings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import combinations
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.ratings.rater import START, Rater, Skill
from leaderboard.ratings.tie_rates import tie_rates_of
from leaderboard.result import PLAYED, HeadToHead, SeatResult, is_win
from leaderboard.sides import sides_of
from leaderboard.store import Reader, Writer, timestamp


class VersionRating(NamedTuple):
    """The rating of a version in one variant, and its totals."""

    version: VersionId
    skill: Skill = START
    matches: int = 0
    wins: int = 0
    """Matches that it won; see `is_win`."""
    place_sum: int = 0
    faults: int = 0


Pair = tuple[VersionId, VersionId]
"""Two versions, the lower id first."""
HistoryRow = tuple[int, VersionId, int, int, float, float]
"""Variant, version, number, match, mean and deviation."""


class VariantRatings:
    """The ratings of one variant."""

    def __init__(
        self,
        game_id: str,
        parameters: str,
        lines: Iterable[VersionRating] = (),
        *,
        ties: Mapping[int, float],
    ) -> None:
        """Start with these ratings; `parameters` is the text that the game writes.

        `ties` are the tie rates by number of seats.
        """
        self.ties = ties
        self._sides = sides_of(game_id, parameters)
        self._raters: dict[int, Rater] = {}
        """By number of seats."""
        self.by_version = {line.version: line for line in lines}
        self.meetings: dict[Pair, HeadToHead] = {}
        """The results of opponents in the matches applied so far."""

    def apply(self, seats: Sequence[SeatResult]) -> list[VersionRating]:
        """Rate one match; return the new ratings of its seats."""
        before = [
            self.by_version.get(seat.version) or VersionRating(seat.version) for seat in seats
        ]
        places = [seat.place for seat in seats]
        sides = self._sides(len(seats))
        if len(seats) not in self._raters:
            self._raters[len(seats)] = Rater(sides, self.ties[len(seats)])
        skills = self._raters[len(seats)].rate([line.skill for line in before], places)
        after = [
            VersionRating(
                line.version,
                skill,
                line.matches + 1,
                line.wins + is_win(at, places, sides),
                line.place_sum + seat.place,
                line.faults + (seat.ending != PLAYED),
            )
            for at, (line, skill, seat) in enumerate(zip(before, skills, seats, strict=True))
        ]
        for line in after:
            self.by_version[line.version] = line
        for (at, one), (by, other) in combinations(enumerate(seats), 2):
            if sides[at] != sides[by]:  # partners do not meet
                low, high = (one, other) if one.version < other.version else (other, one)
                pair = low.version, high.version
                met = self.meetings.get(pair, HeadToHead())
                self.meetings[pair] = met.plus(low.place, high.place)
        return after


def read_ratings(reader: Reader, variant: int) -> VariantRatings:
    """Return the ratings of a variant as they are stored, with the stored tie rates."""
    ((game_id, parameters),) = reader.rows(
        "SELECT game, parameters FROM variants WHERE id = ?", [variant]
    )
    rows = reader.rows(
        """
        SELECT version, mu, sigma, matches, wins, place_sum, faults
        FROM ratings WHERE variant = ?
        """,
        [variant],
    )
    lines = (VersionRating(version, Skill(mu, sigma), *sums) for version, mu, sigma, *sums in rows)
    return VariantRatings(game_id, parameters, lines, ties=tie_rates_of(reader, variant))


def write_history(writer: Writer, rows: Sequence[HistoryRow]) -> None:
    """Store ratings after matches, within a transaction."""
    writer.write_many("INSERT INTO rating_history VALUES (?, ?, ?, ?, ?, ?)", rows)


def write_ratings(
    writer: Writer,
    variant: int,
    ratings: VariantRatings,
    versions: Collection[VersionId],
    *,
    now: datetime,
) -> None:
    """Store the ratings of some versions and the new meetings, within a transaction."""
    changed = timestamp(now)
    lines = [ratings.by_version[version] for version in sorted(versions)]
    writer.write_many(
        "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(variant, version, *skill, *sums, changed) for version, skill, *sums in lines],
    )
    writer.write_many(
        """
        INSERT INTO meetings VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (variant, version, opponent) DO UPDATE SET
            ahead = ahead + excluded.ahead,
            tied = tied + excluded.tied,
            behind = behind + excluded.behind
        """,
        [(variant, *pair, *meeting) for pair, meeting in ratings.meetings.items()],
    )
    ratings.meetings.clear()
    writer.note(
        "ratings",
        ("variant", "version", "changed"),
        [(variant, line.version, changed) for line in lines],
    )
