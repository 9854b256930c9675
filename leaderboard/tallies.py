"""The totals of the versions of an event while it runs."""

from __future__ import annotations

from typing import NamedTuple

from leaderboard.result import FORFEIT, PLAYED
from leaderboard.store import Reader
from leaderboard.views import IS_WIN


class Tally(NamedTuple):
    """The totals of a version over some matches, without forfeits."""

    bot: str
    version: int
    matches: int
    points: float
    wins: int
    places: int
    """The sum of its places."""
    faults: int
    last: int
    """The number of the last of these matches in the schedule."""

    def plus(self, later: Tally) -> Tally:
        """Add the totals of the same version over later matches."""
        return Tally(
            self.bot,
            self.version,
            self.matches + later.matches,
            self.points + later.points,
            self.wins + later.wins,
            self.places + later.places,
            self.faults + later.faults,
            later.last,
        )


def tallies_of_event(reader: Reader, event: int, *, first: int = 0) -> list[Tally]:
    """Return the totals of an event, from the match `first` of its schedule on."""
    rows = reader.rows(
        f"""
        SELECT name, versions.number, count(*), sum(points),
            sum({IS_WIN}),
            sum(place), sum(seats.ending <> ?), max(matches.number)
        FROM matches
        JOIN seats ON seats.match = matches.id
        JOIN versions ON versions.id = seats.version
        JOIN bots ON bots.id = versions.bot
        WHERE event = ? AND matches.number >= ? AND matches.ending <> ?
        GROUP BY seats.version
        """,
        [PLAYED, event, first, FORFEIT],
    )
    return [Tally(*row) for row in rows]
