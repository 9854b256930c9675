"""Add up the results of deals, and store the sums for each table.

A deal counts when all its matches are stored, so an event that was stopped lacks the deals in play
until it is resumed. Stored sums cover the deals that were complete up to a mark, the number of a
match; readers add the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from arena.errors import BadLeague
from arena.indices import VersionId
from arena.scheduling.pairing import rotations
from leaderboard.result import MatchResult
from leaderboard.sides import Sides
from leaderboard.store import BotsWriter, Reader
from leaderboard.strength.sums import (
    DealResults,
    LeagueSums,
    SeatPlace,
    TablePairs,
    TableSums,
    deal_results,
)


class CompleteDeal(NamedTuple):
    """A deal whose matches are all stored."""

    end: int
    """The number after its last match."""
    results: DealResults


def complete_deals(
    reader: Reader, event: int, sides: Sides, *, first: int = 0, end: int
) -> Iterator[CompleteDeal]:
    """Yield the deals of an event that were completed by a match between two numbers."""
    rows = reader.rows(
        """
        SELECT number, pairing, deal, rated, version, place
        FROM matches JOIN seats ON seats.match = matches.id
        WHERE event = ? AND number < ? AND (pairing, deal) IN (
            SELECT pairing, deal FROM matches WHERE event = ? AND number >= ? AND number < ?
        )
        ORDER BY pairing, deal, number, seat
        """,
        [event, end, event, first, end],
    )
    matches = (list(group) for _, group in groupby(rows, key=itemgetter(0)))
    for _, found in groupby(matches, key=_deal_key):
        deal = list(found)
        side_of = sides(len(deal[0]))
        if len(deal) < len(rotations(side_of)):
            continue
        played = [
            [SeatPlace(row[4], side, row[5]) for row, side in zip(match, side_of, strict=True)]
            for match in deal
            if match[0][3]
        ]
        yield CompleteDeal(deal[-1][0][0] + 1, deal_results(played))


def _deal_key(match: list[tuple[Any, ...]]) -> object:
    """Return what the matches of a deal share: also its table, whatever else a file may say."""
    return match[0][1:3], len(match), {row[4] for row in match}


class OpenDeals:
    """The results so far of deals that are not complete, of one event."""

    def __init__(self, sides: Sides) -> None:
        """Start without results; `sides` returns the sides at a table with a number of seats."""
        self._sides = sides
        self._results: dict[object, list[MatchResult]] = {}

    def add(self, result: MatchResult) -> DealResults | None:
        """Add a result; return the deal that it completes, if any.

        Repeats count too: an event's own strengths need them, and an unrated event has some.
        """
        table = frozenset(seat.version for seat in result.seats)
        key = result.pairing, result.deal, len(result.seats), table
        deal = self._results.setdefault(key, [])
        deal.append(result)
        if len(deal) < len(rotations(self._sides(len(result.seats)))):
            return None
        return results_of_deal(self._results.pop(key), self._sides)


def deals_of(results: Iterable[MatchResult], sides: Sides) -> Iterator[DealResults]:
    """Yield the deals of which all matches are among these results of one event."""
    deals = OpenDeals(sides)
    return (deal for deal in map(deals.add, results) if deal is not None)


def results_of_deal(matches: Iterable[MatchResult], sides: Sides) -> DealResults:
    """Return how each pair of opponents did in the matches of one deal; forfeits say nothing."""
    return deal_results(
        [
            SeatPlace(seat.version, side, seat.place)
            for seat, side in zip(match.seats, sides(len(match.seats)), strict=True)
        ]
        for match in matches
        if match.is_played
    )


def read_sums(reader: Reader, variant: int) -> LeagueSums:
    """Return the stored sums of a variant."""
    sums = LeagueSums()
    rows = reader.rows(
        "SELECT pairs, deals, scores, products FROM deal_sums WHERE variant = ?", [variant]
    )
    for pairs, deals, scores, products in rows:
        try:
            sums.add(_read_table(pairs), TableSums(deals, _numbers(scores), _numbers(products)))
        except ValueError:
            raise BadLeague(
                f"the sums of the table {pairs!r} are damaged: restore the file from a backup"
            ) from None
    return sums


def write_sums(
    writer: BotsWriter, variant: int, sums: LeagueSums, tables: Iterable[TablePairs]
) -> None:
    """Store the sums of some tables."""
    rows = []
    for table in tables:
        each = sums.tables[table]
        rows.append(
            (variant, _show_table(table), each.deals, _show(each.scores), _show(each.products))
        )
    writer.write_many("INSERT OR REPLACE INTO deal_sums VALUES (?, ?, ?, ?, ?)", rows)


def _show_table(table: TablePairs) -> str:
    """Write each pair as ONE-OTHER:MATCHES."""
    return " ".join(
        f"{one}-{other}:{matches}"
        for (one, other), matches in zip(table.pairs, table.matches, strict=True)
    )


def _read_table(text: str) -> TablePairs:
    words = [word.replace("-", ":").split(":") for word in text.split()]
    pairs = tuple((VersionId(int(one)), VersionId(int(other))) for one, other, _ in words)
    return TablePairs(pairs, tuple(int(matches) for _, _, matches in words))


def _show(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]
