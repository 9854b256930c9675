"""Store the finished matches of an event and update the ratings.

Matches may finish in any order, but ratings follow the schedule: a match is rated when all matches
before it are stored. The ratings are written in the same transaction as the match that completed
the sequence, so the file stays consistent if the process is killed at any moment. A match that
repeats one of an earlier event is stored, but not rated.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.errors import BadInput
from leaderboard.file.journal import RESULT, insert, portable, result_digest
from leaderboard.ratings.repeats import MatchKey, key_of, rated_elsewhere
from leaderboard.ratings.variant_ratings import (
    HistoryRow,
    VariantRatings,
    read_ratings,
    write_history,
    write_ratings,
)
from leaderboard.result import Machine, MatchResult, SeatResult
from leaderboard.store import Writer

_Row = tuple[object, ...]


class _UnratedMatch(NamedTuple):
    """A match that is stored and not yet rated."""

    id: int
    seats: Sequence[SeatResult]
    rated: bool


@dataclass
class _EventCache:
    """The state of an event in the file, to avoid reading it again for every match."""

    variant: int
    ratings: VariantRatings
    waiting: dict[int, _UnratedMatch]
    """By number."""
    rated_before: Collection[MatchKey]
    """The matches of other events that this one may repeat."""
    next_number: int
    """The first match that is not yet rated."""
    last_order: int
    """The number of rated matches in the whole league."""
    last_id: int
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
            self._rate(cache, now)
        self._cache = cache
        return len(new)

    def _current_cache(self) -> _EventCache:
        """Return the cache, or a new one if another ledger has stored matches since."""
        ((variant, *marks),) = self._writer.rows(
            """
            SELECT variant, rated_up_to,
                (SELECT coalesce(max(rating_order), 0) FROM matches),
                (SELECT coalesce(max(id), 0) FROM matches)
            FROM events WHERE id = ?
            """,
            [self._event],
        )
        cache = self._cache
        if cache and marks == [cache.next_number, cache.last_order, cache.last_id]:
            return cache
        return _EventCache(
            variant,
            read_ratings(self._writer, variant),
            self._read_unrated(marks[0]),
            rated_elsewhere(self._writer, self._event),
            *marks,
        )

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
        models = []
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
            models += [
                {"match": match, "seat": seat, **use._asdict()} for seat, use in result.models
            ]
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
        if models:
            insert(self._writer, "model_use", models)
        self._writer.note("matches", ("id", RESULT), digests)
        self._writer.note("replays", ("match", "content"), contents)

    def _rate(self, cache: _EventCache, now: datetime) -> None:
        """Rate every match whose predecessors are all stored."""
        variant, ratings = cache.variant, cache.ratings
        orders: list[tuple[int, int]] = []
        history: list[HistoryRow] = []
        while stored := cache.waiting.pop(cache.next_number, None):
            cache.next_number += 1
            if not stored.rated:
                continue
            cache.last_order += 1
            orders.append((stored.id, cache.last_order))
            for version, skill, matches, *_ in ratings.apply(stored.seats):
                history.append((variant, version, matches, stored.id, *skill))
        self._writer.write_many("UPDATE matches SET rating_order = ?2 WHERE id = ?1", orders)
        self._writer.note("matches", ("id", "rating_order"), orders)
        write_history(self._writer, history)
        changed = {version for _, version, *_ in history}
        write_ratings(self._writer, variant, ratings, changed, now=now)
        self._writer.write(
            "UPDATE events SET rated_up_to = ? WHERE id = ?", [cache.next_number, self._event]
        )


def _store_machines(writer: Writer, machine_of: Mapping[int, Machine]) -> None:
    """Store where matches were played, by id, within a transaction."""
    rows = writer.rows("SELECT name, speed, id FROM machines")
    known = {Machine(name, speed): number for name, speed, number in rows}
    before = len(known)
    for machine in machine_of.values():
        known.setdefault(machine, len(known) + 1)
    machines = [
        {"id": number, **machine._asdict()} for machine, number in [*known.items()][before:]
    ]
    insert(writer, "machines", machines)
    matches = [{"match": match, "machine": known[each]} for match, each in machine_of.items()]
    insert(writer, "match_machines", matches)


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
