"""Check the stored strengths of a variant against its matches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from arena.indices import VersionId
from arena.tournament.verification.differences import compare, compare_rows
from leaderboard.store import Reader
from leaderboard.strength.league import describe_sums, playing_versions, sides_of_variant
from leaderboard.strength.stored_sums import complete_deals, read_sums
from leaderboard.strength.sums import LeagueSums
from leaderboard.strength.version_strength import VersionStrength

_ROUNDING = 1e-9
"""Relative difference that another machine's arithmetic may cause."""


def strength_differences(
    reader: Reader, variant: int, name: str, bots: Mapping[VersionId, str]
) -> Iterator[str]:
    """Add up the deals again, and fit the strengths; yield what differs.

    `name` is that of the variant, `bots` has those of all versions.
    """
    sides = sides_of_variant(reader, variant)
    sums = LeagueSums()
    events = reader.rows(
        """
        SELECT events.id, name, status = 'finished', rated_up_to, coalesce(summed_up_to, 0)
        FROM events LEFT JOIN summed_events ON event = events.id
        WHERE variant = ?
        """,
        [variant],
    )
    for event, event_name, is_over, rated_up_to, summed_up_to in events:
        end = 0
        last = rated_up_to if is_over else min(rated_up_to, summed_up_to)
        for deal in complete_deals(reader, event, sides, end=last):
            sums.add_deal(deal.results)
            end = max(end, deal.end)
        yield from compare(f"{name}, event {event_name}: summed_up_to", summed_up_to, end)
    stored = read_sums(reader, variant)
    for table in sorted({*stored.tables, *sums.tables}):
        one, other = stored.tables.get(table), sums.tables.get(table)
        where = f"{name}, the table of versions {', '.join(map(str, table.versions))}"
        for column in ("deals", "scores", "products"):
            values = getattr(one, column, None), getattr(other, column, None)
            yield from compare(f"{where}: {column}", *values)
    yield from _compare_strengths(reader, variant, sums, name, bots)


def _compare_strengths(
    reader: Reader, variant: int, sums: LeagueSums, name: str, bots: Mapping[VersionId, str]
) -> Iterator[str]:
    columns = VersionStrength._fields[1:]
    rows = reader.rows(
        f"SELECT version, {', '.join(columns)} FROM strengths WHERE variant = ?", [variant]
    )
    stored = {row[0]: row[1:] for row in rows}
    lines = describe_sums(sums, playing_versions(reader))
    computed = {line.version: line[1:] for line in lines}
    for version in sorted({*stored, *computed}):
        where = f"{name}, {bots.get(version, version)}"
        yield from compare_rows(
            where, columns, stored.get(version), computed.get(version), is_same=_is_same
        )


def _is_same(one: Any, other: Any) -> bool:  # numbers, or None
    if one is None or other is None:
        return one is other
    return bool(abs(one - other) <= _ROUNDING * max(abs(one), abs(other)))
