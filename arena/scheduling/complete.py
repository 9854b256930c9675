"""In which order does every possible table get its turn?"""

from __future__ import annotations

from itertools import combinations

from arena.scheduling.circle import Round


def all_tables(entrants: int, seats: int) -> list[Round]:
    """List every choice of so many entrants once, for at most two tables' worth of entrants.

    A round has one table, or two that share the whole field. At any moment, those sit next who
    have met least until then.
    """
    tables = [list(table) for table in combinations(range(entrants), seats)]
    waiting: list[Round] = [[table] for table in tables]
    if entrants == 2 * seats:
        # The choices with entrant 0 come first, and the last one is the rest of the first.
        half = len(tables) // 2
        waiting = [list(pair) for pair in zip(tables[:half], reversed(tables), strict=False)]
    meetings = [[0] * entrants for _ in range(entrants)]
    played = []
    while waiting:
        chosen = min(waiting, key=lambda tables: _met(tables, meetings))
        waiting.remove(chosen)
        played.append(chosen)
        for table in chosen:
            for one, other in combinations(table, 2):
                meetings[one][other] += 1
    return played


def _met(tables: Round, meetings: list[list[int]]) -> int:
    return sum(meetings[one][other] for table in tables for one, other in combinations(table, 2))
