"""What a fit says: strengths, intervals, ranks and chances."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import accumulate, groupby
from math import sqrt
from random import Random
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.strength.distributions import normal_share, student_quantile
from leaderboard.strength.fit import Fit, fit_sums
from leaderboard.strength.matrix import Matrix, Vector, cholesky, dot
from leaderboard.strength.sums import LeagueSums

_MOST_DRAWS, _FEWEST_DRAWS, _DRAWN_STRENGTHS = 2000, 500, 100_000
"""Large fields have fewer draws: each takes time with the square of the field."""
_SEED = 1763
_LEVEL = 0.95
"""Of all intervals."""
_DIGITS = 4
"""What two versions share is compared to this: the rest is errors of rounding."""
_ROUNDING = 1e-9


class Ranks(NamedTuple):
    """The ranks among some versions, counted in draws of their strengths."""

    shares: dict[VersionId, list[float]]
    """The share of draws in which each version had each rank, from the first on."""

    def interval(self, version: VersionId) -> tuple[int, int]:
        """Return the best and the worst rank that remain when both tails are cut off."""
        tail = (1 - _LEVEL) / 2
        reached = list(accumulate(self.shares[version]))
        # A share just above or below the tail may be rounded to it.
        best = bisect_left(reached, tail - _ROUNDING) + 1
        return best, min(bisect_left(reached, 1 - tail - _ROUNDING) + 1, len(reached))

    def first(self, version: VersionId) -> float:
        """Return the chance of a version to be first."""
        return self.shares[version][0]


class Strengths(Fit):
    """The strengths of all versions, and how sure they are.

    The numbers depend on the results only and not on their order.
    """

    def strength(self, version: VersionId) -> float:
        """Return the strength of a version."""
        return self.strengths[self._index[version]]

    def group(self, version: VersionId) -> int:
        """Return the number of the group that a version can be compared with."""
        return self.bounds[self._index[version]].group

    def interval(self, version: VersionId) -> tuple[float | None, float | None]:
        """Return the ends of the 95 % interval for a strength; None for one that is open."""
        at = self._index[version]
        quantile = student_quantile((1 + _LEVEL) / 2, self.degrees[at])
        half = quantile * sqrt(self.variances[at])
        strength, bounds = self.strengths[at], self.bounds[at]
        return (
            strength - half if bounds.has_low else None,
            strength + half if bounds.has_high else None,
        )

    def chance_better(self, one: VersionId, other: VersionId) -> float:
        """Return the chance that one version is stronger than another."""
        at, by = self._index[one], self._index[other]
        covariance = self.covariance
        variance = covariance[at][at] + covariance[by][by] - 2 * covariance[at][by]
        return normal_share((self.strengths[at] - self.strengths[by]) / sqrt(variance))

    def ranks(self, among: Collection[VersionId]) -> Ranks:
        """Count the ranks among some versions of a group in draws with a fixed seed.

        Versions are drawn in an order that follows from what is known of them, and those of which
        the same is known get the same ranks: so their numbers do not matter.
        """
        known = {version: self._known(version, among) for version in sorted(among)}
        order = sorted(known, key=known.__getitem__)
        places = [self._index[version] for version in order]
        factor = cholesky([[self.covariance[at][by] for by in places] for at in places])
        means = [self.strengths[at] for at in places]
        counts = {version: [0] * len(order) for version in order}
        number = min(_MOST_DRAWS, max(_FEWEST_DRAWS, _DRAWN_STRENGTHS // max(len(order), 1)))
        rng = Random(_SEED)
        for _ in range(number):
            drawn = dict(zip(order, _draw(rng, means, factor), strict=True))
            for rank, version in enumerate(sorted(order, key=drawn.__getitem__, reverse=True)):
                counts[version][rank] += 1
        shares: dict[VersionId, list[float]] = {}
        for _, same in groupby(order, key=known.__getitem__):
            equals = list(same)
            sums = [sum(each) for each in zip(*map(counts.__getitem__, equals), strict=True)]
            shares |= {each: [count / len(equals) / number for count in sums] for each in equals}
        return Ranks(shares)

    def _known(self, version: VersionId, among: Collection[VersionId]) -> tuple[object, ...]:
        """Return what is known of a version, apart from errors of rounding."""
        at = self._index[version]
        row = self.covariance[at]
        others = sorted(round(row[self._index[other]], _DIGITS) for other in among)
        return round(self.strengths[at], _DIGITS), round(row[at], _DIGITS), others

    def draws(self, rng: Random, count: int) -> Iterator[Vector]:
        """Yield strengths drawn from what is known, in the order of `versions`."""
        factor = cholesky(self.covariance)
        for _ in range(count):
            yield _draw(rng, self.strengths, factor)

    @cached_property
    def _index(self) -> dict[VersionId, int]:
        return {version: at for at, version in enumerate(self.versions)}


def _draw(rng: Random, means: Vector, factor: Matrix) -> Vector:
    steps = [rng.gauss(0.0, 1.0) for _ in means]
    return [mean + dot(row, steps) for mean, row in zip(means, factor, strict=True)]


def strengths_of(sums: LeagueSums) -> Strengths:
    """Fit the strengths to the sums over all deals."""
    return Strengths(*fit_sums(sums))
