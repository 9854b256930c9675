"""How are an event's finished matches entered, and when do they move the ratings?

Matches may be finished in any order, ratings follow the schedule: a match moves them when all
matches before it are stored. All that follows from a match is in one transaction with the last
match that it waited for, so a process may be killed at any moment and the file is in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.errors import BadInput
from leaderboard.rating_book import RatingBook, RatingLine, SeatFacts
from leaderboard.ratings import Skill
from leaderboard.results import Result
from leaderboard.store import Writer, timestamp


class _Stored(NamedTuple):
    """A match that is stored and has not had its turn to move the ratings."""

    id: int
    seats: Sequence[SeatFacts]
    rated: bool


class _Memory:
    """What the file says of an event, so that it need not be asked again for every match."""

    def __init__(self, variant: int, book: RatingBook, waiting: dict[int, _Stored]) -> None:
        self.variant = variant
        self.book = book
        self.waiting = waiting
        """By number."""
        self.next_number = 0
        """The first match that has not had its turn."""
        self.last_order = 0
        """How many matches have moved ratings in the whole league."""
        self.last_id = 0
        """The id of the match that was stored last in the whole league."""


class Ledger:
    """Takes the results of one event."""

    def __init__(self, writer: Writer, event: int) -> None:
        """Take an event by its id; its rounds must have been entered."""
        self._writer = writer
        self._event = event
        self._memory: _Memory | None = None

    def finish(self, results: Sequence[Result], *, now: datetime) -> int:
        """Enter matches, all or none; return how many were not stored before."""
        with self._writer.transaction():
            memory = self._current()
            # Should anything go wrong from here on, the file is asked again the next time.
            self._memory = None
            new = {
                result.number: result
                for result in results
                if result.number >= memory.next_number and result.number not in memory.waiting
            }
            self._enter(new, memory)
            self._rate(memory, timestamp(now))
        self._memory = memory
        return len(new)

    def _current(self) -> _Memory:
        """Return what is remembered, unless another ledger has entered matches meanwhile."""
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
        memory = self._memory
        if memory and marks == [memory.next_number, memory.last_order, memory.last_id]:
            return memory
        lines = self._writer.rows(
            """
            SELECT version, mu, sigma, matches, wins, place_sum, faults
            FROM ratings WHERE variant = ?
            """,
            [variant],
        )
        book = RatingBook(
            game,
            parameters,
            (RatingLine(version, Skill(mu, sigma), *sums) for version, mu, sigma, *sums in lines),
        )
        memory = _Memory(variant, book, self._waiting(marks[0]))
        memory.next_number, memory.last_order, memory.last_id = marks
        return memory

    def _waiting(self, next_number: int) -> dict[int, _Stored]:
        rows = self._writer.rows(
            """
            SELECT id, number, rated, version, place, seats.ending
            FROM matches JOIN seats ON seats.match = matches.id
            WHERE event = ? AND number >= ?
            ORDER BY number, seat
            """,
            [self._event, next_number],
        )
        return {
            number: _Stored(match, [SeatFacts(*row[3:]) for row in seats], bool(rated))
            for (match, number, rated), seats in groupby(rows, key=itemgetter(0, 1, 2))
        }

    def _enter(self, new: Mapping[int, Result], memory: _Memory) -> None:
        matches, seats, faults, replays = [], [], [], []
        for match, result in enumerate(new.values(), start=memory.last_id + 1):
            _check(result)
            matches.append(
                (
                    *(match, self._event, result.number, result.pairing, result.deal),
                    *(result.rotation, result.seed.hex(), result.ending, result.decisions),
                    *(result.time_ms, result.cage, result.rated),
                )
            )
            if result.replay:
                replays.append((match, result.replay))
            for seat, each in enumerate(result.seats):
                version, place, score, points, how, sentence, printed, breaks = each
                seats.append((match, seat, version, place, score, points, how, breaks))
                if sentence or printed:
                    faults.append((match, seat, sentence, printed))
            facts = [SeatFacts(seat.version, seat.place, seat.ending) for seat in result.seats]
            memory.waiting[result.number] = _Stored(match, facts, result.rated)
        memory.last_id += len(new)
        write_many = self._writer.write_many
        write_many(
            """
            INSERT INTO matches (id, event, number, pairing, deal, rotation, seed, ending,
                decisions, time_ms, cage, rated)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            matches,
        )
        write_many("INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?)", seats)
        write_many("INSERT INTO faults VALUES (?, ?, ?, ?)", faults)
        write_many("INSERT INTO replays VALUES (?, ?)", replays)

    def _rate(self, memory: _Memory, now: str) -> None:
        """Move the ratings by every match whose turn has come."""
        variant, book = memory.variant, memory.book
        orders, history = [], []
        while stored := memory.waiting.pop(memory.next_number, None):
            memory.next_number += 1
            if not stored.rated:
                continue
            memory.last_order += 1
            orders.append((memory.last_order, stored.id))
            for version, skill, matches, *_ in book.apply(stored.seats):
                history.append((variant, version, matches, stored.id, *skill))
        write_many = self._writer.write_many
        write_many("UPDATE matches SET rating_order = ? WHERE id = ?", orders)
        write_many("INSERT INTO rating_history VALUES (?, ?, ?, ?, ?, ?)", history)
        lines = [book.lines[version] for version in {row[1] for row in history}]
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
            [(variant, *pair, *meeting) for pair, meeting in book.meetings.items()],
        )
        book.meetings.clear()
        self._writer.write(
            "UPDATE events SET rated_up_to = ? WHERE id = ?", [memory.next_number, self._event]
        )


def _check(result: Result) -> None:
    """Refuse a match whose ratings could not be told apart."""
    versions = [seat.version for seat in result.seats]
    if len(set(versions)) < len(versions):
        raise BadInput(f"match {result.number} has a bot's version in two seats")
