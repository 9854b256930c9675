"""The strengths of a league: stored at the end of each event, and brought up to date for readers.

`store_strengths` adds the new deals to the stored sums, fits them and stores what follows, in one
transaction with the end of the event. A reader who finds newer matches fits again if that is cheap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from arena.errors import ArenaError, BadLeague
from arena.indices import VersionId
from leaderboard.result import MatchResult
from leaderboard.sides import Sides, sides_of
from leaderboard.store import BotsWriter, Reader
from leaderboard.strength.stored_sums import (
    complete_deals,
    deals_of,
    read_sums,
    write_sums,
)
from leaderboard.strength.strengths import Strengths, strengths_of
from leaderboard.strength.sums import LeagueSums, TablePairs

MOST_VERSIONS = 400
"""A variant with more versions has no strengths: the cost of a fit grows with their cube."""
LIVE_MATCHES = 1000
LIVE_TABLES = 500
LIVE_VERSIONS = 16
"""A reader fits again with at most this many new matches, different tables and versions."""
EVENT_VERSIONS = 100
"""The strengths of an event are not stored, so a larger one has none."""
STRENGTH_COLUMNS = {
    "strength": "strength",
    "strength_error": "error",
    "strength_low": "low",
    "strength_high": "high",
    "strength_group": "group_number",
    "strength_rank": "rank",
    "best_rank": "best_rank",
    "worst_rank": "worst_rank",
    "chance_first": "chance_first",
    "chance_next": "chance_next",
}
"""The columns of leaderboards and standings, each with its name here and in `strengths`."""


class VariantStrengths(NamedTuple):
    """The strengths of a variant, and the matches that came later."""

    by_version: dict[VersionId, VersionStrength]
    """Empty if the stored ones still hold."""
    behind: int
    """The number of matches that are stored and do not count yet."""


class _EventMark(NamedTuple):
    """How far the stored sums cover an event."""

    event: int
    summed_up_to: int
    rated_up_to: int


def describe(fitted: Strengths, ranked: Collection[VersionId]) -> list[VersionStrength]:
    """Return what is known of each version; only some have a rank, among those of their group."""
    lines = {
        version: VersionStrength(
            version, fitted.strength(version), *fitted.interval(version), degrees, bounds.group
        )
        for version, degrees, bounds in zip(
            fitted.versions, fitted.degrees, fitted.bounds, strict=True
        )
    }
    groups: defaultdict[int, list[VersionStrength]] = defaultdict(list)
    for version in ranked:
        if version in lines:
            groups[lines[version].group_number].append(lines[version])
    for group in groups.values():
        group.sort(key=lambda line: (-line.strength, line.version))
        ranks = fitted.ranks([line.version for line in group])
        for rank, (line, after) in enumerate(zip_longest(group, group[1:]), start=1):
            best, worst = ranks.interval(line.version)
            lines[line.version] = line._replace(
                rank=rank,
                best_rank=best,
                worst_rank=worst,
                chance_first=ranks.first(line.version),
                chance_next=after and fitted.chance_better(line.version, after.version),
            )
    return list(lines.values())


def event_strengths(
    results: Iterable[MatchResult], sides: Sides
) -> dict[VersionId, VersionStrength]:
    """Return the strengths that follow from the matches of one event alone."""
    sums = LeagueSums.of(deals_of(results, sides))
    if len(sums.versions()) > EVENT_VERSIONS:
        return {}
    return {line.version: line for line in describe_sums(sums, sums.versions())}


def variant_sums(reader: Reader, variant: int) -> LeagueSums:
    """Add up all complete deals of a variant, without storing the sums."""
    sums = read_sums(reader, variant)
    for _ in _add_new(reader, variant, sums):
        pass
    return sums


def new_strengths(reader: Reader, behind: Mapping[int, int]) -> dict[int, VariantStrengths]:
    """Return the strengths of variants that have matches after the stored strengths.

    `behind` has the number of these matches. The strengths are fitted again where that is cheap.
    """
    return {
        variant: _fit_again(reader, variant, count) or VariantStrengths({}, count)
        for variant, count in behind.items()
    }


def _fit_again(reader: Reader, variant: int, behind: int) -> VariantStrengths | None:
    """Return up-to-date strengths; None if that takes long or there is no new deal."""
    if behind > LIVE_MATCHES or not _has_few_tables(reader, variant):
        return None
    sums = read_sums(reader, variant)
    ends = list(_add_new(reader, variant, sums))
    if not ends or len(sums.versions()) > LIVE_VERSIONS or len(sums.tables) > LIVE_TABLES:
        return None
    lines = describe_sums(sums, playing_versions(reader))
    covered = sum(end - mark.summed_up_to for mark, end in ends)
    return VariantStrengths({line.version: line for line in lines}, behind - covered)


class PreparedStrengths(NamedTuple):
    """Strengths of a variant that are not stored yet, and what they were computed from."""

    variant: int
    ranked: frozenset[VersionId]
    """The versions with a rank: the ones that play."""
    summed: dict[int, int]
    """The stored sums before: the first match of each event that is not in them."""
    sums: LeagueSums
    changed: list[TablePairs]
    """The tables with new deals."""
    ends: list[tuple[int, int]]
    """The events with new deals, with the first match that is not in the new sums."""
    lines: list[VersionStrength]


def prepare_strengths(
    reader: Reader, variant: int, ranked: Collection[VersionId], *, with_new: bool = True
) -> PreparedStrengths:
    """Work out the strengths of a variant; with hundreds of versions, this takes seconds.

    So do it before the transaction that stores them: nobody else can write during that. With
    `with_new`, complete deals are added to the stored sums.
    """
    summed = _summed(reader, variant)  # first: what is written meanwhile is then noticed
    sums = read_sums(reader, variant)
    before = {table: each.deals for table, each in sums.tables.items()}
    added = list(_add_new(reader, variant, sums)) if with_new else []
    return PreparedStrengths(
        variant,
        frozenset(ranked),
        summed,
        sums,
        [table for table, each in sums.tables.items() if before.get(table) != each.deals],
        [(mark.event, end) for mark, end in added],
        describe_sums(sums, ranked),
    )


def store_prepared(writer: BotsWriter, prepared: PreparedStrengths) -> None:
    """Store strengths and sums; work them out again if the file has changed meanwhile."""
    variant, ranked = prepared.variant, frozenset(playing_versions(writer))
    if (prepared.ranked, prepared.summed) != (ranked, _summed(writer, variant)):
        prepared = prepare_strengths(writer, variant, ranked, with_new=bool(prepared.ends))
    write_sums(writer, variant, prepared.sums, prepared.changed)
    writer.write_many("INSERT OR REPLACE INTO summed_events VALUES (?, ?)", prepared.ends)
    writer.write("DELETE FROM strengths WHERE variant = ?", [variant])
    writer.write_many(
        "INSERT INTO strengths VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(variant, *line) for line in prepared.lines],
    )


def store_strengths(writer: BotsWriter, variant: int) -> None:
    """Add the complete deals of a variant to its sums, and store the strengths that follow."""
    store_prepared(writer, prepare_strengths(writer, variant, playing_versions(writer)))


def prepare_all(
    reader: Reader, ranked: Collection[VersionId], *, with_new: bool
) -> list[PreparedStrengths]:
    """Work out the strengths of every variant that this arena can play."""
    found = []
    for (variant,) in list(reader.rows("SELECT id FROM variants ORDER BY id")):
        try:
            found.append(prepare_strengths(reader, variant, ranked, with_new=with_new))
        except ArenaError:
            continue  # a game or parameters of a damaged file: `arena verify` names them
    return found


def describe_sums(sums: LeagueSums, ranked: Collection[VersionId]) -> list[VersionStrength]:
    """Fit the sums; return nothing for too many versions."""
    if len(sums.versions()) > MOST_VERSIONS:
        return []
    try:
        return describe(strengths_of(sums), ranked)
    except (ArithmeticError, ValueError):
        # Not even extreme results lead here: the sums of a file from someone else may.
        raise BadLeague(
            "the sums of its deals are damaged: restore the file from a backup"
        ) from None


def _add_new(reader: Reader, variant: int, sums: LeagueSums) -> Iterator[tuple[_EventMark, int]]:
    """Add the deals that are not in the stored sums; yield the new mark of each event."""
    sides = sides_of_variant(reader, variant)
    for mark in _marks(reader, variant):
        end = mark.summed_up_to
        for deal in complete_deals(
            reader, mark.event, sides, first=mark.summed_up_to, end=mark.rated_up_to
        ):
            sums.add_deal(deal.results)
            end = max(end, deal.end)
        if end > mark.summed_up_to:
            yield mark, end


def sides_of_variant(reader: Reader, variant: int) -> Sides:
    """Return the sides of a stored variant."""
    ((game, parameters),) = reader.rows(
        "SELECT game, parameters FROM variants WHERE id = ?", [variant]
    )
    return sides_of(game, parameters)


def _marks(reader: Reader, variant: int) -> list[_EventMark]:
    """Return the events that have matches after those in the sums."""
    rows = reader.rows(
        """
        SELECT id, coalesce(summed_up_to, 0) AS summed, rated_up_to
        FROM events LEFT JOIN summed_events ON event = id
        WHERE variant = ? AND rated_up_to > summed
        ORDER BY id
        """,
        [variant],
    )
    return [_EventMark(*row) for row in rows]


def _has_few_tables(reader: Reader, variant: int) -> bool:
    sql = "SELECT 1 FROM deal_sums WHERE variant = ? LIMIT 1 OFFSET ?"
    return reader.row(sql, [variant, LIVE_TABLES]) is None


def playing_versions(reader: Reader) -> set[VersionId]:
    """Return the versions that are not retired: only they have ranks."""
    return {version for (version,) in reader.rows("SELECT id FROM versions WHERE retired IS NULL")}


def _summed(reader: Reader, variant: int) -> dict[int, int]:
    """Return the events of a variant in the stored sums, each with the first match that is not."""
    rows = reader.rows(
        "SELECT event, summed_up_to FROM summed_events JOIN events ON id = event WHERE variant = ?",
        [variant],
    )
    return dict(rows)


class VersionStrength(NamedTuple):
    """The strength of a version in a variant or an event, and how sure it is."""

    version: VersionId
    strength: float
    """In TrueSkill's unit; the mean of those in its group that have both ends is 25."""
    low: float | None
    high: float | None
    """The ends of its 95 % interval; None for an end that the results leave open."""
    degrees: float
    """The degrees of freedom of the variance."""
    group_number: int
    """The number of its group, from 1: those that met, directly or through others."""
    rank: int | None = None
    """By strength, among the versions of its group that are not retired; None if this one is."""
    best_rank: int | None = None
    worst_rank: int | None = None
    """The ends of the 95 % interval for its rank."""
    chance_first: float | None = None
    """The chance to be the strongest of its group."""
    chance_next: float | None = None
    """The chance to be stronger than the next in rank; None for the last."""

    @property
    def error(self) -> float | None:
        """Half the width of the 95 % interval; None unless it has both ends."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2

    def columns(self) -> dict[str, Any]:  # numbers, or None
        """Return the columns of a leaderboard or of standings that show this strength."""
        return {column: getattr(self, field) for column, field in STRENGTH_COLUMNS.items()}
