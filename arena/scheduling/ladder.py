"""Who plays whom in the next round of a ladder: those whose order is in doubt meet.

A ladder is paired from draws of the entrants' strengths: strengths as they may be, given the
results so far. Two entrants whose order is known have the same order in every draw, and two that
may be equal change places. So draws bring together the entrants whose matches say most.

- If the whole order matters, all entrants are seated by one draw: neighbours sit together.
- If the first places matter, only half of the tables are filled, and the others have a bye. Each
  table has its own draw, and is filled with the entrants nearest to the last of the first places.
- New entrants come first. Until they have sat at `NEW_TABLES` tables, they have no bye, and as long
  as there are any, all tables are filled.

Seats are drawn by lot, so that partners in team games change from table to table. Entrants of one
group never meet. If a draw leaves a table empty for that reason, a few others are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from random import Random

from arena.errors import BadInput
from arena.indices import EntrantIndex
from arena.scheduling.groups import Groups
from arena.scheduling.pairing import Bye, Pairing
from arena.scheduling.swiss.rounds import Round
from arena.scheduling.table_sizes import table_sizes

_TRIES = 20
"""Draws that are tried to fill all tables without entrants of one group."""
NEW_TABLES = 2
"""An entrant is new until it has sat at this many tables."""

Draws = Iterator[Mapping[EntrantIndex, float]]
"""Strengths as they may be, one set after another."""


def ladder_round(
    tables_sat: Mapping[EntrantIndex, int],
    draws: Draws,
    *,
    top: int,
    seats: int,
    allowed_sizes: Collection[int],
    rng: Random,
    number: int,
    first_pairing: int,
    groups: Groups = (),
) -> Round:
    """Seat entrants for the round `number`.

    `tables_sat` has the entrants that play, with the number of tables at which each has sat so far.
    `top` is the number of first places that matter, or 0 for the order. If too few entrants are
    left to fill a table, all of them have a bye. Entrants of one group never meet.
    """
    try:
        sizes = table_sizes(len(tables_sat), wanted=seats, allowed=allowed_sizes)
    except BadInput:
        sizes = ()
    lots = {entrant: rng.random() for entrant in sorted(tables_sat)}
    # The newest first; entrants with equally many tables by lot.
    waiting = sorted(lots, key=lambda entrant: (tables_sat[entrant], lots[entrant]))
    are_new = any(count < NEW_TABLES for count in tables_sat.values())
    is_edge = 0 < top < len(waiting) and not are_new
    wanted = sizes[: -(-len(sizes) // 2)] if is_edge else sizes
    tables: list[list[EntrantIndex]] = []
    for _ in range(_TRIES):
        if is_edge:
            tried = _tables_at_edge(waiting, draws, top=top, sizes=wanted, groups=groups)
        else:
            tried = _tables_of_neighbours(waiting, next(draws), sizes=wanted, groups=groups)
        tables = max(tables, tried, key=len)
        if len(tables) == len(wanted):
            break
    pairings = [
        Pairing(number, pairing, tuple(rng.sample(table, len(table))))
        for pairing, table in enumerate(tables, start=first_pairing)
    ]
    idle = set(waiting).difference(*(pairing.seating for pairing in pairings))
    return Round(tuple(pairings), tuple(Bye(number, entrant) for entrant in sorted(idle)))


def _tables_at_edge(
    waiting: Sequence[EntrantIndex],
    draws: Draws,
    *,
    top: int,
    sizes: Sequence[int],
    groups: Groups,
) -> list[list[EntrantIndex]]:
    """Fill each table, by its own draw, with those nearest to the edge of the first places."""
    left = list(waiting)
    tables = []
    for size in sizes:
        drawn = next(draws)
        order = sorted(waiting, key=lambda entrant: -drawn[entrant])
        edge = (drawn[order[top - 1]] + drawn[order[top]]) / 2
        left.sort(key=lambda entrant: abs(drawn[entrant] - edge))
        tables += _take(left, size, groups)
    return tables


def _tables_of_neighbours(
    waiting: Sequence[EntrantIndex],
    drawn: Mapping[EntrantIndex, float],
    *,
    sizes: Sequence[int],
    groups: Groups,
) -> list[list[EntrantIndex]]:
    """Seat those who have waited longest by one draw, neighbours together."""
    left = sorted(waiting[: sum(sizes)], key=lambda entrant: -drawn[entrant])
    return [table for size in sizes for table in _take(left, size, groups)]


def _take(left: list[EntrantIndex], size: int, groups: Groups) -> list[list[EntrantIndex]]:
    """Take the first entrants that may meet; return their table, or nothing if they are too few."""
    table: list[EntrantIndex] = []
    seated: set[int] = set()
    for entrant in left:
        group = groups[entrant] if groups else entrant
        if len(table) < size and group not in seated:
            table.append(entrant)
            seated.add(group)
    if len(table) < size:
        return []
    left[:] = [entrant for entrant in left if entrant not in table]
    return [table]
