"""Schedules that consist of every possible table once."""

from __future__ import annotations

from itertools import combinations

from arena.scheduling.circle import RoundTables


def all_tables(entrants: int, seats: int) -> list[RoundTables]:
    """List every possible table once, for a field of at most two tables.

    A round has one table, or two that contain the whole field. Entrants who have met least so far
    come next.
    """
    tables = [list(table) for table in combinations(range(entrants), seats)]
    waiting: list[RoundTables] = [[table] for table in tables]
    if entrants == 2 * seats:
        # Tables with entrant 0 come first; each one's complement is at the mirrored position.
        half = len(tables) // 2
        waiting = [list(pair) for pair in zip(tables[:half], reversed(tables), strict=False)]
    meetings = [[0] * entrants for _ in range(entrants)]
    played = []
    while waiting:
        chosen = min(waiting, key=lambda tables: _meetings_so_far(tables, meetings))
        waiting.remove(chosen)
        played.append(chosen)
        for table in chosen:
            for one, other in combinations(table, 2):
                meetings[one][other] += 1
    return played


def _meetings_so_far(tables: RoundTables, meetings: list[list[int]]) -> int:
    return sum(meetings[one][other] for table in tables for one, other in combinations(table, 2))
