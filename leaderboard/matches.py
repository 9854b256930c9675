"""Which matches of an event are stored, and how did they end?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from arena.errors import BadSeed
from leaderboard.results import Result, SeatResult
from leaderboard.store import Reader


def replay_of(reader: Reader, event: int, number: int) -> bytes | None:
    """Return the replay of a match of an event; None if there is none: it was not played."""
    row = reader.row(
        """
        SELECT content FROM matches JOIN replays ON replays.match = matches.id
        WHERE event = ? AND number = ?
        """,
        [event, number],
    )
    return bytes(row[0]) if row and row[0] else None


def results_of(reader: Reader, event: int, *, replays: bool = True) -> Iterator[Result]:
    """Yield the stored matches of an event in the order of its schedule.

    Replays are most of the file; without them it goes faster.
    """
    rows = reader.rows(
        f"""
        SELECT matches.id, number, pairing, deal, rotation, seed, matches.ending, decisions,
            time_ms, cage, {"coalesce(content, x'')" if replays else "x''"}, rated,
            version, place, score, points, seats.ending, coalesce(sentence, ''),
            coalesce(printed, ''), breaks
        FROM matches
        JOIN seats ON seats.match = matches.id
        {"LEFT JOIN replays ON replays.match = matches.id" if replays else ""}
        LEFT JOIN faults ON faults.match = matches.id AND faults.seat = seats.seat
        WHERE event = ?
        ORDER BY number, seats.seat
        """,
        [event],
    )
    for _, of_one in groupby(rows, key=itemgetter(0)):
        of_seats = list(of_one)
        *numbers, seed, ending, decisions, time_ms, cage, replay, rated = of_seats[0][1:12]
        seats = tuple(SeatResult(*row[12:]) for row in of_seats)
        try:
            dealt = bytes.fromhex(seed)
        except ValueError:
            raise BadSeed(f"match {numbers[0]} of the event has a seed that is none") from None
        facts = (dealt, ending, seats, decisions, time_ms, cage, replay, bool(rated))
        yield Result(*(*numbers, *facts))
