"""Leaderboards, head-to-head results and faults.

Each function runs one query for the whole league. Call several of them within one snapshot.
"""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.errors import BadLeague
from arena.indices import VersionId
from leaderboard.head_to_head import HeadToHead
from leaderboard.result import FORFEIT, PLAYED
from leaderboard.store import Reader
from leaderboard.version_strength import STRENGTH_COLUMNS

SAMPLES = 12
"""The number of points of a rating's history in a leaderboard."""


class Variant(NamedTuple):
    """A game with particular parameters."""

    id: int
    game: str
    name: str
    parameters: str


class Sample(NamedTuple):
    """The rating of a version after one of its matches."""

    number: int
    mu: float
    sigma: float

    @property
    def score(self) -> float:
        """The conservative rating, μ − 3σ."""
        return self.mu - 3 * self.sigma


class Meeting(NamedTuple):
    """Two versions that were opponents in a variant, by their ids."""

    variant: int
    version: VersionId
    opponent: VersionId
    result: HeadToHead
    """The result of `version` against `opponent`."""


class LeaderboardRow(NamedTuple):
    """A row of a leaderboard, with the columns of the view of that name."""

    game: str
    variant: str
    rank: int
    """0 if the version is retired."""
    bot: str
    version: int
    score: float
    """The conservative rating, μ − 3σ."""
    mu: float
    sigma: float
    matches: int
    wins: int
    mean_place: float
    faults: int
    changed: str
    strength: float | None
    """Its strength, whatever the order of the results; None until a deal is complete."""
    strength_error: float | None
    """Half the width of the 95 % interval for its strength."""
    strength_rank: int | None
    best_rank: int | None
    worst_rank: int | None
    """The ends of the 95 % interval for its rank by strength."""
    chance_first: float | None
    chance_next: float | None
    """The chance to be stronger than the next by strength; None for the last."""
    variant_id: int
    version_id: VersionId
    history: tuple[float, ...] = ()
    """Evenly spaced samples of the score over its matches; the last is the present one."""
    strength_behind: int = 0
    """The number of matches of the variant that do not count for the strengths yet."""


class HeadToHeadRow(NamedTuple):
    """Two versions that were opponents in a variant, by their names."""

    game: str
    variant: str
    bot: str
    version: int
    opponent: str
    opponent_version: int
    result: HeadToHead


class FaultCount(NamedTuple):
    """The number of faults of one kind of a version, and the last one."""

    bot: str
    version: int
    game: str
    ending: str
    faults: int
    last_event: str
    last_match: int
    last_sentence: str


class EventFault(NamedTuple):
    """A fault of a seat in a match of an event."""

    match: int
    """The number of the match in the schedule."""
    seat: int
    bot: str
    version: int
    ending: str
    sentence: str
    printed: str


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


_MATCHES_BEHIND = """
    SELECT variant, sum(rated_up_to - coalesce(summed_up_to, 0)) AS behind
    FROM events LEFT JOIN summed_events ON event = id
    GROUP BY variant HAVING behind > 0
"""
"""Finds the variants with matches after the stored strengths, and how many."""


def leaderboard(reader: Reader, game: str | None = None) -> list[LeaderboardRow]:
    """Return the leaderboards of all variants, or of those of one game, one after the other."""
    where, values = _where("game", game)
    with reader.snapshot():
        histories = rating_histories(reader, SAMPLES, game)
        rows = [
            LeaderboardRow(*(*row, tuple(sample.score for sample in histories[row[-2], row[-1]])))
            for row in reader.rows(f"SELECT * FROM leaderboard {where}", values)
        ]
        return _with_new_strengths(reader, rows)


def _with_new_strengths(reader: Reader, rows: list[LeaderboardRow]) -> list[LeaderboardRow]:
    """Replace the strengths of variants that have newer matches."""
    behind_by_variant = dict(reader.rows(_MATCHES_BEHIND))
    if not behind_by_variant:
        return rows
    # Imported late: it takes time, and most readers find the stored strengths up to date.
    from leaderboard.league_strengths import new_strengths

    newer = new_strengths(reader, behind_by_variant)
    replaced = []
    for row in rows:
        if row.variant_id in newer:
            by_version, behind = newer[row.variant_id]
            row = row._replace(strength_behind=behind)
            line = by_version.get(row.version_id)
            if line:
                row = row._replace(**line.columns())
        replaced.append(row)
    return replaced


def all_ratings(reader: Reader) -> list[LeaderboardRow]:
    """Return all ratings, including those of retired versions, the best of each variant first."""
    strengths = ", ".join(f"strengths.{name}" for name in STRENGTH_COLUMNS.values())
    rows = reader.rows(
        f"""
        SELECT variants.game, variants.name, coalesce(leaderboard.rank, 0), bots.name,
            versions.number, ratings.mu - 3 * ratings.sigma AS score, ratings.mu, ratings.sigma,
            ratings.matches, ratings.wins, 1.0 * place_sum / ratings.matches, ratings.faults,
            ratings.changed, {strengths}, ratings.variant, ratings.version
        FROM ratings
        JOIN variants ON variants.id = ratings.variant
        JOIN versions ON versions.id = ratings.version
        JOIN bots ON bots.id = versions.bot
        LEFT JOIN leaderboard ON variant_id = ratings.variant AND version_id = ratings.version
        LEFT JOIN strengths ON strengths.variant = ratings.variant
            AND strengths.version = ratings.version
        ORDER BY ratings.variant, score DESC, ratings.version
        """
    )
    return _with_new_strengths(reader, [LeaderboardRow(*row) for row in rows])


def head_to_head(reader: Reader, game: str | None = None) -> list[HeadToHeadRow]:
    """Return the results of all versions against each other, or those of one game."""
    where, values = _where("game", game)
    rows = reader.rows(
        f"""
        SELECT game, variant, bot, version_number, opponent, opponent_version_number,
            ahead, tied, behind
        FROM head_to_head {where}
        """,
        values,
    )
    return [HeadToHeadRow(*(*row[:6], HeadToHead(*row[6:]))) for row in rows]


def faults_by_bot(reader: Reader, bot: str | None = None) -> list[FaultCount]:
    """Return the faults of all bots, or of one, counted by kind."""
    where, values = _where("bot", bot)
    return [FaultCount(*row) for row in reader.rows(f"SELECT * FROM faults_by_bot {where}", values)]


def faults_of_event(reader: Reader, event: int) -> list[EventFault]:
    """Return the faults of an event in the order of its schedule; a forfeit is not a fault."""
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
    """Return the totals of an event, from the match `first` of its schedule on."""
    rows = reader.rows(
        """
        SELECT name, versions.number, count(*), sum(points),
            sum(place = 1 AND EXISTS (
                SELECT 1 FROM seats AS others WHERE others.match = matches.id AND others.place > 1
            )),
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


def scores_after(reader: Reader, event: int) -> dict[VersionId, float]:
    """Return the score of each version of an event's field after the event's last match.

    Later events do not count. Versions without a rating are left out.
    """
    rows = reader.rows(
        # The newest come first: most events that are looked at are recent.
        """
        SELECT version, (
            SELECT mu - 3 * sigma
            FROM rating_history AS history JOIN matches ON matches.id = history.match
            WHERE history.variant = events.variant AND history.version = entrants.version
                AND rating_order <= coalesce(
                    (SELECT max(rating_order) FROM matches WHERE event = :event),
                    -- It only repeats others: its ratings are those that it began with.
                    (SELECT max(rating_order) FROM matches
                        WHERE id < (SELECT max(id) FROM matches WHERE event = :event))
                )
            ORDER BY history.number DESC LIMIT 1
        )
        FROM events JOIN entrants ON entrants.event = events.id
        WHERE events.id = :event
        """,
        {"event": event},
    )
    return {version: score for version, score in rows if score is not None}


def variants(reader: Reader) -> list[Variant]:
    """Return every variant that has had an event."""
    rows = reader.rows("SELECT id, game, name, parameters FROM variants ORDER BY game, id")
    return [Variant(*row) for row in rows]


def rating_histories(
    reader: Reader, most: int, game: str | None = None
) -> dict[tuple[int, VersionId], list[Sample]]:
    """Return at most `most` evenly spaced samples of each rating, by variant and version."""
    found = reader.rows(
        # Each sample is found by the key of the history: with these joins, SQLite scans the ratings
        # and not the history.
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
        raise BadLeague(
            "a rating lacks part of its history: `arena verify` names the first difference"
        )
    return {
        key: [Sample(*sample) for _, _, *sample in group]
        for key, group in groupby(rows, key=itemgetter(0, 1))
    }


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


def _where(column: str, value: str | None) -> tuple[str, list[str]]:
    """Return a WHERE clause for a value of a column; an empty one for None."""
    return ("", []) if value is None else (f"WHERE {column} = ?", [value])
