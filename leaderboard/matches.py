"""Stored matches, their results and their replays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from arena.errors import BadSeed
from arena.games.randomness import Seed
from leaderboard.result import MatchResult, SeatResult
from leaderboard.store import Reader

_HAS_REPLAY = "coalesce(length(content), 0) > 0"
_AT_ONCE = 100
"""The number of replays in memory at a time."""


class StoredMatch(NamedTuple):
    """A match of the league, and where it is stored."""

    id: int
    event: int
    round: int
    has_replay: bool
    result: MatchResult
    """For a list of many matches, without the replay and without what its bots printed."""


class RatedMatch(NamedTuple):
    """A match that counts for the ratings."""

    id: int
    variant: int
    event: str
    number: int
    seats: list[SeatResult]


def replay_of(reader: Reader, event: int, number: int) -> bytes | None:
    """Return the replay of a match; None if it was not played."""
    row = reader.row(
        """
        SELECT content FROM matches JOIN replays ON replays.match = matches.id
        WHERE event = ? AND number = ?
        """,
        [event, number],
    )
    return bytes(row[0]) if row and row[0] else None


def last_match(reader: Reader, event: int) -> int | None:
    """Return the number of the last match of an event that is stored; None if there is none."""
    row = reader.row("SELECT max(number) FROM matches WHERE event = ?", [event])
    return None if row is None else row[0]


def numbered_replays(reader: Reader, event: int) -> Iterator[tuple[int, bytes]]:
    """Yield the replays of an event in the order of its schedule, with the numbers of matches."""
    rows = reader.rows("SELECT number FROM matches WHERE event = ? ORDER BY number", [event])
    for (number,) in list(rows):
        replay = replay_of(reader, event, number)
        if replay is not None:
            yield number, replay


def results_of(reader: Reader, event: int, *, replays: bool = True) -> Iterator[MatchResult]:
    """Yield the stored matches of an event in the order of its schedule.

    Replays are most of the file; without them it is faster.
    """
    content = "coalesce(content, x'')" if replays else "x''"
    for match in _stored_matches(reader, content, "matches.event = ?", [event]):
        yield match.result


def _read_seed(text: str, number: int) -> Seed:
    try:
        return Seed(bytes.fromhex(text))
    except ValueError:
        raise BadSeed(f"match {number} of the event has an invalid seed") from None


def all_matches(reader: Reader) -> Iterator[StoredMatch]:
    """Yield every stored match, event by event in the order of the schedule."""
    return _stored_matches(reader, _HAS_REPLAY, "true", [])


def _stored_matches(
    reader: Reader, content: str, condition: str, values: Sequence[int]
) -> Iterator[StoredMatch]:
    """Yield matches with their replays, or what else `content` selects of them."""
    printed = "''" if content == _HAS_REPLAY else "coalesce(printed, '')"
    rows = reader.rows(
        f"""
        SELECT matches.id, matches.event, round, {content}, matches.number, matches.pairing, deal,
            rotation, seed, matches.ending, decisions, time_ms, cage, rated,
            version, place, score, points, seats.ending, coalesce(sentence, ''),
            {printed}, breaks, team, answers, time_us, slowest_us, cpu_us, memory_kib
        FROM matches
        JOIN pairings ON pairings.event = matches.event AND pairings.number = matches.pairing
        JOIN seats ON seats.match = matches.id
        {"LEFT JOIN replays ON replays.match = matches.id" if "content" in content else ""}
        LEFT JOIN faults ON faults.match = matches.id AND faults.seat = seats.seat
        WHERE {condition}
        ORDER BY matches.event, matches.number, seats.seat
        """,
        values,
    )
    for _, group in groupby(rows, key=itemgetter(0)):
        rows_of_match = list(group)
        match, event, round_number, replay, *facts = rows_of_match[0][:14]
        number, pairing, deal, rotation, seed, ending, decisions, time_ms, cage, rated = facts
        result = MatchResult(
            number=number,
            pairing=pairing,
            deal=deal,
            rotation=rotation,
            seed=_read_seed(seed, number),
            ending=ending,
            seats=tuple(SeatResult(*row[14:]) for row in rows_of_match),
            decisions=decisions,
            time_ms=time_ms,
            cage=cage,
            replay=replay if isinstance(replay, bytes) else b"",
            rated=bool(rated),
        )
        yield StoredMatch(match, event, round_number, bool(replay), result)


def rated_matches(reader: Reader) -> Iterator[RatedMatch]:
    """Yield the matches that count for the ratings, in the order in which they were rated."""
    rows = reader.rows(
        """
        SELECT matches.id, variant, events.name, matches.number, version, place,
            score, points, seats.ending
        FROM matches
        JOIN events ON events.id = matches.event
        JOIN seats ON seats.match = matches.id
        WHERE rating_order IS NOT NULL
        ORDER BY rating_order, seat
        """
    )
    for (match, variant, event, number), group in groupby(rows, key=itemgetter(0, 1, 2, 3)):
        yield RatedMatch(match, variant, event, number, [SeatResult(*row[4:]) for row in group])


def replays_of(reader: Reader, matches: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    """Yield the ids of these matches, each with its replay."""
    for first in range(0, len(matches), _AT_ONCE):
        wanted = matches[first : first + _AT_ONCE]
        marks = ", ".join("?" * len(wanted))
        # Fetched as a list: an open query would keep the log from being written back.
        yield from list(
            reader.rows(f"SELECT match, content FROM replays WHERE match IN ({marks})", wanted)
        )
