"""What has to be known of a whole league to tell all of it?

Each question is one query for the league, however many matches it has. Who asks several of them
asks within one snapshot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.errors import BadLeague
from leaderboard.results import FORFEIT
from leaderboard.store import Reader

_AT_ONCE = 100
"""How many replays are in memory together."""


class Variant(NamedTuple):
    """A game with certain parameters."""

    id: int
    game: str
    name: str
    parameters: str


class Rated(NamedTuple):
    """Where a bot's version stands in a variant."""

    variant: int
    version: int
    rank: int | None
    """None if it is retired."""
    mu: float
    sigma: float
    matches: int
    wins: int
    mean_place: float
    faults: int
    changed: str

    @property
    def score(self) -> float:
        """The conservative rating: the mean less three deviations."""
        return self.mu - 3 * self.sigma


class Sample(NamedTuple):
    """What was believed of a version after so many of its matches."""

    number: int
    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """The conservative rating then."""
        return self.mu - 3 * self.sigma


class Met(NamedTuple):
    """How a version did against another in a variant."""

    variant: int
    version: int
    opponent: int
    ahead: int
    tied: int
    behind: int

    @property
    def matches(self) -> int:
        """How often they were opponents."""
        return self.ahead + self.tied + self.behind

    @property
    def share(self) -> float:
        """Matches ahead, and half of those tied, of all."""
        return (self.ahead + self.tied / 2) / self.matches


class FinishedSeat(NamedTuple):
    """How a match ended for a seat."""

    version: int
    place: int
    score: int
    points: float
    ending: str
    sentence: str | None
    """What it did wrong, if it did."""


class FinishedMatch(NamedTuple):
    """A stored match without its replay."""

    id: int
    event: int
    number: int
    round: int
    seed: str
    ending: str
    decisions: int
    time_ms: int
    is_stored: bool
    """Whether there is a replay."""
    seats: tuple[FinishedSeat, ...]

    @property
    def is_played(self) -> bool:
        """Tell whether it was more than a forfeit."""
        return self.ending != FORFEIT


def variants(reader: Reader) -> list[Variant]:
    """Return every variant that an event was held in."""
    rows = reader.rows("SELECT id, game, name, parameters FROM variants ORDER BY game, id")
    return [Variant(*row) for row in rows]


def all_ratings(reader: Reader) -> list[Rated]:
    """Return every rating, the best of each variant first."""
    rows = reader.rows(
        """
        SELECT ratings.variant, ratings.version, rank, ratings.mu, ratings.sigma, ratings.matches,
            ratings.wins, 1.0 * place_sum / ratings.matches, ratings.faults, ratings.changed
        FROM ratings
        LEFT JOIN leaderboard ON variant_id = ratings.variant AND version_id = ratings.version
        ORDER BY ratings.variant, ratings.mu - 3 * ratings.sigma DESC, ratings.version
        """
    )
    return [Rated(*row) for row in rows]


def rating_courses(
    reader: Reader, most: int, game: str | None = None
) -> dict[tuple[int, int], list[Sample]]:
    """Return how each rating went, or those of a game, in at most so many even steps.

    By variant and version.
    """
    found = reader.rows(
        # Each is found by the history's key, however long the history is: these joins keep SQLite
        # from going through the history in place of the ratings.
        """
        WITH RECURSIVE steps (step) AS (
            SELECT 1 UNION ALL SELECT step + 1 FROM steps WHERE step < :most
        )
        SELECT ratings.variant, ratings.version, history.number, history.mu, history.sigma
        FROM ratings
        CROSS JOIN steps ON step <= ratings.matches
        LEFT JOIN rating_history AS history ON history.variant = ratings.variant
            AND history.version = ratings.version
            AND history.number = (ratings.matches * step - 1) / min(ratings.matches, :most) + 1
        WHERE :game IS NULL OR ratings.variant IN (SELECT id FROM variants WHERE game = :game)
        ORDER BY ratings.variant, ratings.version, step
        """,
        {"most": most, "game": game},
    )
    rows = list(found)
    if any(number is None for _, _, number, *_ in rows):
        raise BadLeague("a rating lacks some of its history: `arena verify` names what is not true")
    return {
        key: [Sample(*sample) for _, _, *sample in of_one]
        for key, of_one in groupby(rows, key=itemgetter(0, 1))
    }


def all_meetings(reader: Reader) -> list[Met]:
    """Return how everybody did against everybody else that they have met, both ways."""
    rows = reader.rows(
        """
        SELECT variant, version, opponent, ahead, tied, behind FROM meetings
        UNION ALL
        SELECT variant, opponent, version, behind, tied, ahead FROM meetings
        """
    )
    return [Met(*row) for row in rows]


def all_matches(reader: Reader) -> Iterator[FinishedMatch]:
    """Yield every stored match, event by event in the order of the schedule."""
    rows = reader.rows(
        """
        SELECT matches.id, matches.event, matches.number, round, seed, matches.ending, decisions,
            time_ms, coalesce(length(content), 0) > 0,
            version, place, score, points, seats.ending, sentence
        FROM matches
        JOIN pairings ON pairings.event = matches.event AND pairings.number = matches.pairing
        JOIN seats ON seats.match = matches.id
        LEFT JOIN replays ON replays.match = matches.id
        LEFT JOIN faults ON faults.match = matches.id AND faults.seat = seats.seat
        ORDER BY matches.event, matches.number, seats.seat
        """
    )
    for _, of_one in groupby(rows, key=itemgetter(0)):
        of_seats = list(of_one)
        seats = tuple(FinishedSeat(*row[9:]) for row in of_seats)
        yield FinishedMatch(*(*of_seats[0][:9], seats))


def replays_of(reader: Reader, matches: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the replays of some matches, by their ids."""
    for first in range(0, len(matches), _AT_ONCE):
        wanted = matches[first : first + _AT_ONCE]
        marks = ", ".join("?" * len(wanted))
        # Fetched whole: whoever takes its time over one must not keep the file from moving on.
        yield from list(
            reader.rows(f"SELECT match, content FROM replays WHERE match IN ({marks})", wanted)
        )
