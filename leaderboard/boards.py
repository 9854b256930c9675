"""Who leads, who beats whom, and whose bots fail?"""

from __future__ import annotations

from typing import NamedTuple

from leaderboard.report import rating_courses
from leaderboard.results import FORFEIT, PLAYED
from leaderboard.store import Reader

SAMPLES = 12
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


class EventFault(NamedTuple):
    """What went wrong for a seat in a match of an event."""

    match: int
    """Its place in the schedule."""
    seat: int
    bot: str
    version: int
    ending: str
    sentence: str
    printed: str


class Tally(NamedTuple):
    """What a bot's version has done in some matches; forfeits are not counted."""

    bot: str
    version: int
    matches: int
    points: float
    wins: int
    places: int
    """The sum of them."""
    faults: int
    last: int
    """The last of these matches in the schedule."""

    def plus(self, later: Tally) -> Tally:
        """Add what the same version has done in later matches."""
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


def leaderboard(reader: Reader, game: str | None = None) -> list[Standing]:
    """Return the leaderboards of all variants, or of one game's, one after the other."""
    where, values = _only("game", game)
    with reader.snapshot():
        courses = rating_courses(reader, SAMPLES, game)
        rows = reader.rows(f"SELECT * FROM leaderboard {where}", values)
        return [
            Standing(*(*line, tuple(sample.score for sample in courses[variant, version])))
            for *line, variant, version in rows
        ]


def head_to_head(reader: Reader, game: str | None = None) -> list[HeadToHead]:
    """Return how everybody did against everybody else that they have met."""
    where, values = _only("game", game)
    return [HeadToHead(*row) for row in reader.rows(f"SELECT * FROM head_to_head {where}", values)]


def faults_by_bot(reader: Reader, bot: str | None = None) -> list[FaultCount]:
    """Return how bots have failed, or how one has."""
    where, values = _only("bot", bot)
    return [FaultCount(*row) for row in reader.rows(f"SELECT * FROM faults_by_bot {where}", values)]


def faults_of_event(reader: Reader, event: int) -> list[EventFault]:
    """Return the faults of an event in the order of its schedule; forfeits are none."""
    rows = reader.rows(
        """
        SELECT matches.number, seats.seat, name, versions.number, seats.ending, sentence, printed
        FROM matches
        JOIN faults ON faults.match = matches.id
        JOIN seats ON seats.match = faults.match AND seats.seat = faults.seat
        JOIN versions ON versions.id = seats.version
        JOIN bots ON bots.id = versions.bot
        WHERE event = ? AND seats.ending <> ?
        ORDER BY matches.number, seats.seat
        """,
        [event, FORFEIT],
    )
    return [EventFault(*row) for row in rows]


def tallies_of_event(reader: Reader, event: int, *, first: int = 0) -> list[Tally]:
    """Sum up the matches of an event from one in its schedule on."""
    rows = reader.rows(
        """
        SELECT name, versions.number, count(*), sum(points), sum(place = 1), sum(place),
            sum(seats.ending <> ?), max(matches.number)
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


def scores_after(reader: Reader, event: int) -> dict[int, float]:
    """Return the score of each version of an event's field after the event's last match.

    What other events did to it later does not count. Who was never rated is not in it.
    """
    rows = reader.rows(
        # The newest come first, and who looks at an event mostly looks at a recent one.
        """
        SELECT version, (
            SELECT mu - 3 * sigma
            FROM rating_history AS history JOIN matches ON matches.id = history.match
            WHERE history.variant = events.variant AND history.version = entrants.version
                AND rating_order <= (SELECT max(rating_order) FROM matches WHERE event = :event)
            ORDER BY history.number DESC LIMIT 1
        )
        FROM events JOIN entrants ON entrants.event = events.id
        WHERE events.id = :event
        """,
        {"event": event},
    )
    return {version: score for version, score in rows if score is not None}


def _only(column: str, value: str | None) -> tuple[str, list[str]]:
    """Restrict a query to one value of a column, if there is one."""
    return ("", []) if value is None else (f"WHERE {column} = ?", [value])
