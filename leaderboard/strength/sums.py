"""All that a fit needs to know of the deals: sums of whole numbers for each table.

A deal is played in every rotation of the seats. Luck and style make its matches similar, so the
deal, not the match, is the unit that says how certain a strength is.

Deals at the same table, with the same number of matches for each pair, are added up: their number,
the scores of the pairs and the products of these scores. The numbers are whole, so the sums do not
depend on the order, and a league of a million matches needs no more of them than it has tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.indices import VersionId

Pair = tuple[VersionId, VersionId]
"""Two opponents, the lower id first."""


class PairResult(NamedTuple):
    """How the first of two opponents did against the second."""

    score: float
    """1 for each match in which it finished ahead, ½ for each tie."""
    matches: int


DealResults = Mapping[Pair, PairResult]
"""The pairs that met in a deal."""


class SeatPlace(NamedTuple):
    """The version in a seat, the side that it plays for and its place."""

    version: VersionId
    side: int
    place: int


def deal_results(matches: Iterable[Sequence[SeatPlace]]) -> DealResults:
    """Compare all opponents in the matches of one deal; partners never meet."""
    results: dict[Pair, PairResult] = {}
    for seats in matches:
        for one in seats:
            for other in seats:
                if one.version < other.version and one.side != other.side:
                    pair = one.version, other.version
                    score, count = results.get(pair, (0.0, 0))
                    results[pair] = PairResult(score + _score(one, other), count + 1)
    return results


def _score(one: SeatPlace, other: SeatPlace) -> float:
    if one.place == other.place:
        return 0.5
    return 1.0 if one.place < other.place else 0.0


class TablePairs(NamedTuple):
    """The pairs that met at a table, in ascending order, and their matches in each deal."""

    pairs: tuple[Pair, ...]
    matches: tuple[int, ...]

    @property
    def versions(self) -> tuple[VersionId, ...]:
        """The versions at the table, in ascending order."""
        return tuple(sorted({version for pair in self.pairs for version in pair}))


@dataclass
class TableSums:
    """The sums over the deals of one table; scores are counted in half points."""

    deals: int
    scores: list[int]
    """The score of each pair."""
    products: list[int]
    """For each pair and each pair up to it, the product of their scores."""

    def add(self, other: TableSums) -> None:
        """Add the sums over other deals of the same table."""
        self.deals += other.deals
        self.scores = [one + more for one, more in zip(self.scores, other.scores, strict=True)]
        self.products = [
            one + more for one, more in zip(self.products, other.products, strict=True)
        ]


@dataclass
class LeagueSums:
    """The sums of every table."""

    tables: dict[TablePairs, TableSums] = field(default_factory=dict)

    @classmethod
    def of(cls, deals: Iterable[DealResults]) -> LeagueSums:
        """Add up deals."""
        sums = cls()
        for deal in deals:
            sums.add_deal(deal)
        return sums

    def add_deal(self, deal: DealResults) -> None:
        """Add the result of a deal; one without opponents changes nothing."""
        if not deal:
            return
        pairs = tuple(sorted(deal))
        scores = [round(2 * deal[pair].score) for pair in pairs]
        products = [scores[at] * scores[by] for at in range(len(pairs)) for by in range(at + 1)]
        self.add(
            TablePairs(pairs, tuple(deal[pair].matches for pair in pairs)),
            TableSums(1, scores, products),
        )

    def add(self, table: TablePairs, sums: TableSums) -> None:
        """Add the sums over deals of a table; raise ValueError if they cannot be its sums."""
        size = len(table.pairs)
        counts = (len(table.matches), len(sums.scores), len(sums.products))
        if counts != (size, size, size * (size + 1) // 2) or not size or sums.deals < 1:
            raise ValueError(f"not the sums of {size} pairs")
        if table in self.tables:
            self.tables[table].add(sums)
        else:
            self.tables[table] = TableSums(sums.deals, list(sums.scores), list(sums.products))

    def versions(self) -> tuple[VersionId, ...]:
        """Return all versions that have met an opponent, in ascending order."""
        return tuple(sorted({version for table in self.tables for version in table.versions}))

    def deals_by_version(self) -> Counter[VersionId]:
        """Count the deals of each version."""
        deals: Counter[VersionId] = Counter()
        for table, sums in self.tables.items():
            for version in table.versions:
                deals[version] += sums.deals
        return deals

    def pairs(self) -> dict[Pair, tuple[int, int]]:
        """Return the half points of each pair and the number of its matches, in ascending order."""
        totals: dict[Pair, tuple[int, int]] = {}
        for table, sums in self.tables.items():
            for pair, matches, score in zip(table.pairs, table.matches, sums.scores, strict=True):
                before, count = totals.get(pair, (0, 0))
                totals[pair] = before + score, count + matches * sums.deals
        return dict(sorted(totals.items()))
