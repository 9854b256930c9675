"""Measure how even round-robins are, and print the tables of arena/scheduling/README.md."""

from __future__ import annotations

from arena.errors import BadInput
from arena.games.randomness import seed_from
from arena.scheduling.round_robin import round_robin, rounds_in_cycle
from arena.scheduling.table_sizes import table_sizes
from tests.scheduling.balance import balance_of

FIELDS = (4, 5, 6, 7, 8, 9, 10, 12, 16, 20, 25, 32, 48, 64)
SEATS = (2, 3, 4, 5, 6)
ALLOWED = (3, 4, 5, 6)
PARTS = {"a whole cycle": 1, "half a cycle": 2}


def row(entrants: int, part: int) -> str:
    """Return the row of a field of this many entrants."""
    return f"| {entrants} | {' | '.join(_cell(entrants, seats, part) for seats in SEATS)} |"


def _cell(entrants: int, seats: int, part: int) -> str:
    allowed = {seats, *ALLOWED}
    try:
        sizes = table_sizes(entrants, wanted=seats, allowed=allowed)
    except BadInput:
        return ""
    rounds = rounds_in_cycle(entrants, sizes) // part
    pairings = round_robin(
        entrants, seats=seats, allowed=allowed, seed=seed_from(1), limit=rounds * len(sizes)
    )
    least, most = balance_of(pairings, entrants).meetings
    return f"{rounds}: {least}" if least == most else f"{rounds}: {least}–{most}"


def main() -> None:
    """Print the tables."""
    for name, part in PARTS.items():
        print(f"\n| {name} | {' | '.join(f'tables of {seats}' for seats in SEATS)} |")
        print("|---" * (1 + len(SEATS)) + "|")
        for entrants in FIELDS:
            print(row(entrants, part))


if __name__ == "__main__":
    main()
