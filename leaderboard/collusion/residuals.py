"""How two versions did when they sat at one table, compared with what their strengths predict.

The surplus of a version in a deal is its points per match minus the points that the strengths at
the table predict. Points are the share of opponents that it finished ahead of. For two versions at
a table there are two sums of interest: half the difference of their surpluses, which grows if one
plays for the other, and half their sum, which grows if both gain at the cost of the others.

The sums over deals are made from the sums of each table, so their cost does not grow with the
number of matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from math import exp, pi, sqrt

from arena.indices import VersionId
from leaderboard.strength.distributions import normal_share
from leaderboard.strength.fit import UNIT
from leaderboard.strength.matrix import Matrix, Vector, dot
from leaderboard.strength.strengths import Strengths
from leaderboard.strength.sums import Pair, TablePairs, TableSums


class Pattern(Enum):
    """What two versions do when they sit at one table."""

    TRANSFER = "transfer"
    """The first gets less than its strength predicts, the second more."""
    MUTUAL_GAIN = "mutual gain"
    """Both get more."""


@dataclass(slots=True)
class PairSurplus:
    """The sums over the deals in which two versions sat at one table."""

    deals: int = 0
    matches: int = 0
    total: float = 0.0
    """The surplus, weighted by matches like all that follows."""
    squares: float = 0.0
    products: float = 0.0
    """Surplus times matches."""
    weights: float = 0.0
    """Matches squared."""

    def add(self, deals: int, matches: int, total: float, squares: float) -> None:
        """Add deals with this many matches each, their surpluses and the squares of these."""
        self.deals += deals
        self.matches += deals * matches
        self.total += matches * total
        self.squares += matches * matches * squares
        self.products += matches * matches * total
        self.weights += deals * matches * matches

    @property
    def mean(self) -> float:
        """The mean surplus, in points per match."""
        return self.total / self.matches

    @property
    def error(self) -> float:
        """The standard error of the mean, with a deal as the unit; there must be two or more."""
        mean = self.mean
        spread = self.squares - 2 * mean * self.products + mean * mean * self.weights
        return sqrt(max(spread, 0.0) * self.deals / (self.deals - 1)) / self.matches


Surpluses = dict[tuple[Pattern, Pair], PairSurplus]
"""By pattern and pair, the lower id first; a transfer from the first to the second is positive."""


def surpluses_of(
    tables: Iterable[tuple[TablePairs, TableSums]], strengths: Mapping[VersionId, float]
) -> Surpluses:
    """Sum up the surpluses of all opponents at these tables."""
    found: Surpluses = {}
    for table, sums in tables:
        totals, squares = _surpluses_at(table, sums, strengths)
        places = {version: at for at, version in enumerate(table.versions)}
        for pair, matches in zip(table.pairs, table.matches, strict=True):
            one, other = places[pair[0]], places[pair[1]]
            both = squares[one][one] + squares[other][other]
            for pattern, sign in ((Pattern.TRANSFER, -1), (Pattern.MUTUAL_GAIN, 1)):
                surplus = found.setdefault((pattern, pair), PairSurplus())
                surplus.add(
                    sums.deals,
                    matches,
                    (totals[other] + sign * totals[one]) / 2,
                    (both + 2 * sign * squares[one][other]) / 4,
                )
    return found


def _surpluses_at(
    table: TablePairs, sums: TableSums, strengths: Mapping[VersionId, float]
) -> tuple[Vector, Matrix]:
    """Return the sum over deals of each version's surplus, and of the products of any two."""
    expected = [expected_share(strengths, *pair) for pair in table.pairs]
    scores = [
        score / (2 * matches) for score, matches in zip(sums.scores, table.matches, strict=True)
    ]
    differences = [
        score - sums.deals * share for score, share in zip(scores, expected, strict=True)
    ]
    products = iter(sums.products)
    size = len(table.pairs)
    moments = [[0.0] * size for _ in range(size)]
    for at in range(size):
        for by in range(at + 1):
            product = next(products) / (4 * table.matches[at] * table.matches[by])
            product -= expected[by] * scores[at] + expected[at] * scores[by]
            product += sums.deals * expected[at] * expected[by]
            moments[at][by] = moments[by][at] = product
    weights = _weights(table)
    totals = [dot(row, differences) for row in weights]
    halves = [[dot(row, column) for column in moments] for row in weights]
    return totals, [[dot(half, row) for row in weights] for half in halves]


def _weights(table: TablePairs) -> Matrix:
    """Return how much the result of each pair adds to the points of each version."""
    rows = []
    for version in table.versions:
        row = [(pair[0] == version) - (pair[1] == version) for pair in table.pairs]
        opponents = sum(map(abs, row))
        rows.append([sign / opponents for sign in row])
    return rows


def expected_share(strengths: Mapping[VersionId, float], one: VersionId, other: VersionId) -> float:
    """Return the share of matches in which one version should finish ahead of another."""
    return normal_share((strengths[one] - strengths[other]) / UNIT)


def prediction_variance(
    tables: Iterable[tuple[TablePairs, TableSums]],
    strengths: Strengths,
    pattern: Pattern,
    pair: Pair,
) -> float:
    """Return the variance of a mean surplus that comes from the strengths alone.

    They must not be fitted to these tables.
    """
    slopes = dict.fromkeys(strengths.versions, 0.0)
    sign = 1 if pattern is Pattern.MUTUAL_GAIN else -1
    matches = 0
    for table, sums in tables:
        places = {version: at for at, version in enumerate(table.versions)}
        weights = _weights(table)
        rows = weights[places[pair[0]]], weights[places[pair[1]]]
        count = sums.deals * table.matches[table.pairs.index(pair)]
        matches += count
        for at, (one, other) in enumerate(table.pairs):
            weight = count * (rows[1][at] + sign * rows[0][at]) / 2
            steepness = weight * _share_slope(strengths, one, other)
            slopes[one] += steepness
            slopes[other] -= steepness
    vector = [slopes[version] / matches for version in strengths.versions]
    return dot(vector, [dot(row, vector) for row in strengths.covariance])


def _share_slope(strengths: Strengths, one: VersionId, other: VersionId) -> float:
    """Return how fast the expected share grows with the strength of the first."""
    z = (strengths.strength(one) - strengths.strength(other)) / UNIT
    return exp(-z * z / 2) / sqrt(2 * pi) / UNIT
