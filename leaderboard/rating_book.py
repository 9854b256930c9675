"""What do the matches of one variant, one after the other, make of its ratings?

The book is in memory and knows no file: the league fills it from its tables and writes back what
has changed, and who wants to check the league fills one from nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from leaderboard.ratings import START, Rater, Skill
from leaderboard.results import PLAYED


class RatingLine(NamedTuple):
    """A bot's version in one variant: its rating, and the sums that are told beside it."""

    version: int
    skill: Skill = START
    matches: int = 0
    wins: int = 0
    """Matches in the first place, shared or not."""
    place_sum: int = 0
    faults: int = 0


class Balance(NamedTuple):
    """How often a version was ahead of another, level, and behind."""

    ahead: int = 0
    tied: int = 0
    behind: int = 0


class SeatFacts(NamedTuple):
    """What a book needs to know of a seat."""

    version: int
    place: int
    ending: str


Pair = tuple[int, int]
"""Two versions, the lower id first."""


class RatingBook:
    """The ratings of one variant."""

    def __init__(self, game_id: str, parameters: str, lines: Iterable[RatingLine] = ()) -> None:
        """Start with these lines; the parameters are as the game writes them."""
        self._rater = Rater(game_id, parameters)
        self.lines = {line.version: line for line in lines}
        self.meetings: dict[Pair, Balance] = {}
        """Those of the matches that this book was told of."""

    def apply(self, seats: Sequence[SeatFacts]) -> list[RatingLine]:
        """Move the ratings by one match; return the lines of its seats."""
        before = [self.lines.get(seat.version) or RatingLine(seat.version) for seat in seats]
        skills = self._rater.rate([line.skill for line in before], [seat.place for seat in seats])
        after = [
            RatingLine(
                line.version,
                skill,
                line.matches + 1,
                line.wins + (seat.place == 1),
                line.place_sum + seat.place,
                line.faults + (seat.ending != PLAYED),
            )
            for line, skill, seat in zip(before, skills, seats, strict=True)
        ]
        for line in after:
            self.lines[line.version] = line
        self._meet(seats)
        return after

    def _meet(self, seats: Sequence[SeatFacts]) -> None:
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
                self.meetings[pair] = Balance(ahead, tied, behind)
