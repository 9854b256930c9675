"""The ratings of one variant, updated match by match.

They are kept in memory: the ledger loads them from the file and writes the changes back; `verify`
starts without ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.ratings.rater import START, Rater, Skill
from leaderboard.result import PLAYED, HeadToHead, SeatResult, is_win


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
        self._rater = Rater(game_id, parameters, ties=ties)
        self.by_version = {line.version: line for line in lines}
        self.meetings: dict[Pair, HeadToHead] = {}
        """The results of opponents in the matches applied so far."""

    def apply(self, seats: Sequence[SeatResult]) -> list[VersionRating]:
        """Rate one match; return the new ratings of its seats."""
        before = [
            self.by_version.get(seat.version) or VersionRating(seat.version) for seat in seats
        ]
        places = [seat.place for seat in seats]
        sides = self._rater.sides(len(seats))
        skills = self._rater.rate([line.skill for line in before], places)
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
        self._count_meetings(seats)
        return after

    def _count_meetings(self, seats: Sequence[SeatResult]) -> None:
        sides = self._rater.sides(len(seats))
        for at, one in enumerate(seats):
            for other_at in range(at + 1, len(seats)):
                if sides[at] == sides[other_at]:
                    continue  # partners do not meet
                other = seats[other_at]
                low, high = (one, other) if one.version < other.version else (other, one)
                pair = (low.version, high.version)
                ahead, tied, behind = self.meetings.get(pair, (0, 0, 0))
                if low.place < high.place:
                    ahead += 1
                elif low.place == high.place:
                    tied += 1
                else:
                    behind += 1
                self.meetings[pair] = HeadToHead(ahead, tied, behind)
