"""Store the finished matches of an event and update the ratings.

Matches may finish in any order, but ratings follow the schedule: a match is rated when all matches
before it are stored. The ratings are written in the same transaction as the match that completed
the sequence, so the file stays consistent if the process is killed at any moment. A match that
repeats one of an earlier event is stored, but not rated.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.errors import BadInput
from leaderboard.file.journal import RESULT, portable, result_digest
from leaderboard.ratings.rater import Skill
from leaderboard.ratings.repeats import MatchKey, key_of, rated_elsewhere
from leaderboard.ratings.tie_rates import tie_rates_of
from leaderboard.ratings.variant_ratings import VariantRatings, VersionRating
from leaderboard.result import Machine, MatchResult, SeatResult
from leaderboard.store import Writer, timestamp

_Row = tuple[object, ...]


class _UnratedMatch(NamedTuple):
    """A match that is stored and not yet rated."""

    id: int
    seats: Sequence[SeatResult]
    rated: bool


class _EventCache:
    """The state of an event in the file, to avoid reading it again for every match."""

    def __init__(
        self,
        variant: int,
        ratings: VariantRatings,
        waiting: dict[int, _UnratedMatch],
        rated_before: Collection[MatchKey],
    ) -> None:
        self.variant = variant
        self.ratings = ratings
        self.waiting = waiting
        """By number."""
        self.rated_before = rated_before
        """The matches of other events that this one may repeat."""
        self.next_number = 0
        """The first match that is not yet rated."""
        self.last_order = 0
        """The number of rated matches in the whole league."""
        self.last_id = 0
        """The id of the match that was stored last in the whole league."""


class Ledger:
    """Stores the results of one event."""

    def __init__(self, writer: Writer, event: int) -> None:
        """Take an event by its id; its rounds must be stored already."""
        self._writer = writer
        self._event = event
        self._cache: _EventCache | None = None

    def finish(self, results: Sequence[MatchResult], *, now: datetime) -> int:
        """Store all of these matches or none; return the number of new ones."""
        with self._writer.transaction():
            cache = self._current_cache()
            # After an error, the next call reads the file again.
            self._cache = None
            new = {
                result.number: _without_repeat(result, cache.rated_before)
                for result in results
                if result.number >= cache.next_number and result.number not in cache.waiting
            }
            self._insert(new, cache)
            self._rate(cache, timestamp(now))
        self._cache = cache
        return len(new)

    def _current_cache(self) -> _EventCache:
        """Return the cache, or a new one if another ledger has stored matches since."""
        ((variant, game, parameters, *marks),) = self._writer.rows(
            """
            SELECT variants.id, game, parameters, rated_up_to,
                (SELECT coalesce(max(rating_order), 0) FROM matches),
                (SELECT coalesce(max(id), 0) FROM matches)
            FROM events JOIN variants ON variants.id = events.variant
            WHERE events.id = ?
            """,
            [self._event],
        )
        cache = self._cache
        if cache and marks == [cache.next_number, cache.last_order, cache.last_id]:
            return cache
        lines = self._writer.rows(
            """
            SELECT version, mu, sigma, matches, wins, place_sum, faults
            FROM ratings WHERE variant = ?
            """,
            [variant],
        )
        ratings = VariantRatings(
            game,
            parameters,
            (
                VersionRating(version, Skill(mu, sigma), *sums)
                for version, mu, sigma, *sums in lines
            ),
            ties=tie_rates_of(self._writer, variant),
        )
        rated_before = rated_elsewhere(self._writer, self._event)
        cache = _EventCache(variant, ratings, self._read_unrated(marks[0]), rated_before)
        cache.next_number, cache.last_order, cache.last_id = marks
        return cache

    def _read_unrated(self, next_number: int) -> dict[int, _UnratedMatch]:
        rows = self._writer.rows(
            """
            SELECT id, number, rated, version, place, score, points, seats.ending
            FROM matches JOIN seats ON seats.match = matches.id
            WHERE event = ? AND number >= ?
            ORDER BY number, seat
            """,
            [self._event, next_number],
        )
        return {
            number: _UnratedMatch(match, [SeatResult(*row[3:]) for row in seats], bool(rated))
            for (match, number, rated), seats in groupby(rows, key=itemgetter(0, 1, 2))
        }

    def _insert(self, new: Mapping[int, MatchResult], cache: _EventCache) -> None:
        matches, seats, faults, replays = [], [], [], []
        digests, contents = [], []
        machines = {}
        for match, result in enumerate(new.values(), start=cache.last_id + 1):
            _check(result)
            matches.append(
                (
                    *(match, self._event, result.number, result.pairing, result.deal),
                    *(result.rotation, result.seed.hex(), result.ending, result.decisions),
                    *(result.time_ms, result.cage, int(result.rated)),
                )
            )
            if result.machine:
                machines[match] = result.machine
            if result.replay:
                replays.append((match, result.replay))
                contents.append((match, portable(result.replay)))
            seated, faulted = _rows_of(result)
            seats += [(match, *row) for row in seated]
            faults += [(match, *row) for row in faulted]
            digests.append((match, result_digest(matches[-1], seated, faulted)))
            cache.waiting[result.number] = _UnratedMatch(match, result.seats, result.rated)
        cache.last_id += len(new)
        write_many = self._writer.write_many
        write_many(
            """
            INSERT INTO matches (id, event, number, pairing, deal, rotation, seed, ending,
                decisions, time_ms, cage, rated)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            matches,
        )
        write_many("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", seats)
        write_many("INSERT INTO faults VALUES (?, ?, ?, ?)", faults)
        write_many("INSERT INTO replays VALUES (?, ?)", replays)
        if machines:
            _store_machines(self._writer, machines)
        self._writer.note("matches", ("id", RESULT), digests)
        self._writer.note("replays", ("match", "content"), contents)

    def _rate(self, cache: _EventCache, now: str) -> None:
        """Rate every match whose predecessors are all stored."""
        variant, ratings = cache.variant, cache.ratings
        orders, history = [], []
        while stored := cache.waiting.pop(cache.next_number, None):
            cache.next_number += 1
            if not stored.rated:
                continue
            cache.last_order += 1
            orders.append((stored.id, cache.last_order))
            for version, skill, matches, *_ in ratings.apply(stored.seats):
                history.append((variant, version, matches, stored.id, *skill))
        write_many = self._writer.write_many
        write_many("UPDATE matches SET rating_order = ?2 WHERE id = ?1", orders)
        write_many("INSERT INTO rating_history VALUES (?, ?, ?, ?, ?, ?)", history)
        lines = [ratings.by_version[version] for version in {row[1] for row in history}]
        write_many(
            "INSERT OR REPLACE INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(variant, version, *skill, *sums, now) for version, skill, *sums in lines],
        )
        write_many(
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
        self._writer.note("matches", ("id", "rating_order"), orders)
        changed = [(variant, line.version, now) for line in lines]
        self._writer.note("ratings", ("variant", "version", "changed"), changed)
        self._writer.write(
            "UPDATE events SET rated_up_to = ? WHERE id = ?", [cache.next_number, self._event]
        )


def _store_machines(writer: Writer, machine_of: Mapping[int, Machine]) -> None:
    """Store where matches were played, by id, within a transaction."""
    known: dict[Machine, int] = {
        Machine(name, speed): number
        for number, name, speed in writer.rows("SELECT id, name, speed FROM machines")
    }
    new = {}
    for machine in machine_of.values():
        if machine not in known:
            known[machine] = new[machine] = len(known) + 1
    machines = [(number, *machine) for machine, number in new.items()]
    matches = [(match, known[machine]) for match, machine in machine_of.items()]
    writer.write_many("INSERT INTO machines VALUES (?, ?, ?)", machines)
    writer.write_many("INSERT INTO match_machines VALUES (?, ?)", matches)
    writer.note("machines", ("id", "name", "speed"), machines)
    writer.note("match_machines", ("match", "machine"), matches)


def _rows_of(result: MatchResult) -> tuple[list[_Row], list[_Row]]:
    """Return the rows of a match's seats and faults, without its id."""
    seats: list[_Row] = []
    faults: list[_Row] = []
    for seat, each in enumerate(result.seats):
        version, place, score, points, ending, sentence, printed, breaks, *accounts = each
        # A float, as the file returns it: 1 and 1.0 have different digests.
        seats.append((seat, version, place, score, float(points), ending, breaks, *accounts))
        if sentence or printed:
            faults.append((seat, sentence, printed))
    return seats, faults


def _without_repeat(result: MatchResult, rated_before: Collection[MatchKey]) -> MatchResult:
    """Return the result, not to be rated if it repeats a match."""
    is_repeat = bool(rated_before) and key_of(result) in rated_before
    return result._replace(rated=False) if is_repeat else result


def _check(result: MatchResult) -> None:
    """Refuse a match with a version in two seats: it would have two new ratings."""
    versions = [seat.version for seat in result.seats]
    if len(set(versions)) < len(versions):
        raise BadInput(f"match {result.number} has a bot's version in two seats")
