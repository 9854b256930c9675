"""Check the stored strengths of a variant against its matches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from arena.indices import VersionId
from leaderboard.store import Reader
from leaderboard.strength.league import describe_sums, playing_versions
from leaderboard.strength.stored_sums import complete_deals, read_sums, sides_of
from leaderboard.strength.sums import LeagueSums
from leaderboard.strength.version_strength import VersionStrength

_ROUNDING = 1e-9
"""Relative difference that another machine's arithmetic may cause."""


class StrengthDifference(NamedTuple):
    """A stored number that does not follow from the matches."""

    where: str | VersionId
    """A version, or in words what else it belongs to."""
    column: str
    stored: object
    computed: object


def strength_differences(reader: Reader, variant: int) -> Iterator[StrengthDifference]:
    """Add up the deals again, and fit the strengths; yield what differs."""
    ((game, parameters),) = reader.rows(
        "SELECT game, parameters FROM variants WHERE id = ?", [variant]
    )
    sides = sides_of(game, parameters)
    sums = LeagueSums()
    events = reader.rows(
        """
        SELECT events.id, name, status = 'finished', rated_up_to, coalesce(summed_up_to, 0)
        FROM events LEFT JOIN summed_events ON event = events.id
        WHERE variant = ?
        """,
        [variant],
    )
    for event, name, is_over, rated_up_to, summed_up_to in events:
        end = 0
        last = rated_up_to if is_over else min(rated_up_to, summed_up_to)
        for deal in complete_deals(reader, event, sides, end=last):
            sums.add_deal(deal.results)
            end = max(end, deal.end)
        if end != summed_up_to:
            yield StrengthDifference(f"event {name}", "summed_up_to", summed_up_to, end)
    yield from _compare_sums(read_sums(reader, variant), sums)
    yield from _compare_strengths(reader, variant, sums)


def _compare_sums(stored: LeagueSums, computed: LeagueSums) -> Iterator[StrengthDifference]:
    for table in sorted({*stored.tables, *computed.tables}):
        one, other = stored.tables.get(table), computed.tables.get(table)
        where = f"the table of versions {', '.join(map(str, table.versions))}"
        for column in ("deals", "scores", "products"):
            values = getattr(one, column, None), getattr(other, column, None)
            if values[0] != values[1]:
                yield StrengthDifference(where, column, *values)


def _compare_strengths(
    reader: Reader, variant: int, sums: LeagueSums
) -> Iterator[StrengthDifference]:
    columns = VersionStrength._fields[1:]
    rows = reader.rows(
        f"SELECT version, {', '.join(columns)} FROM strengths WHERE variant = ?", [variant]
    )
    stored = {version: tuple(row) for version, *row in rows}
    lines = describe_sums(sums, playing_versions(reader))
    computed = {line.version: tuple(line[1:]) for line in lines}
    nothing = (None,) * len(columns)
    for version in sorted({*stored, *computed}):
        pairs = zip(
            columns, stored.get(version, nothing), computed.get(version, nothing), strict=True
        )
        for column, one, other in pairs:
            if not _is_same(one, other):
                yield StrengthDifference(version, column, one, other)


def _is_same(one: Any, other: Any) -> bool:  # numbers, or None
    if one is None or other is None:
        return one is other
    return bool(abs(one - other) <= _ROUNDING * max(abs(one), abs(other)))
