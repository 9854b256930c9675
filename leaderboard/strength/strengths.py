"""What a fit says: strengths, intervals, ranks and chances."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import sqrt
from random import Random

from arena.indices import VersionId
from leaderboard.strength.distributions import normal_share, student_quantile
from leaderboard.strength.fit import Fit, centred_variances, fit_sums
from leaderboard.strength.matrix import Vector, cholesky, dot
from leaderboard.strength.sums import LeagueSums

_MOST_DRAWS, _FEWEST_DRAWS, _DRAWN_STRENGTHS = 2000, 500, 100_000
"""Large fields have fewer draws: each takes time with the square of the field."""
_SEED = 1763
_LEVEL = 0.95
"""Of all intervals."""


@dataclass(frozen=True)
class Ranks:
    """The ranks among some versions, counted in draws of their strengths."""

    counts: dict[VersionId, list[int]]
    """The number of draws in which each version had each rank, from the first on."""
    draws: int

    def interval(self, version: VersionId) -> tuple[int, int]:
        """Return the best and the worst rank that remain when both tails are cut off."""
        tail = (1 - _LEVEL) / 2 * self.draws
        reached = list(accumulate(self.counts[version]))
        best = bisect_left(reached, tail) + 1
        return best, bisect_left(reached, self.draws - tail) + 1

    def first(self, version: VersionId) -> float:
        """Return the share of draws in which a version was first."""
        return self.counts[version][0] / self.draws


class Strengths(Fit):
    """The strengths of all versions, and how sure they are.

    The numbers depend on the results only and not on their order.
    """

    def strength(self, version: VersionId) -> float:
        """Return the strength of a version."""
        return self.strengths[self._index[version]]

    def half_width(self, version: VersionId) -> float:
        """Return half the width of the interval for a strength."""
        at = self._index[version]
        quantile = student_quantile((1 + _LEVEL) / 2, self.degrees[at])
        return quantile * sqrt(self._variances[at])

    def chance_better(self, one: VersionId, other: VersionId) -> float:
        """Return the chance that one version is stronger than another."""
        at, by = self._index[one], self._index[other]
        covariance = self.covariance
        variance = covariance[at][at] + covariance[by][by] - 2 * covariance[at][by]
        return normal_share((self.strengths[at] - self.strengths[by]) / sqrt(variance))

    def ranks(self, among: Collection[VersionId]) -> Ranks:
        """Count the ranks among some versions in draws with a fixed seed."""
        chosen = [(version, self._index[version]) for version in sorted(among)]
        counts = {version: [0] * len(chosen) for version, _ in chosen}
        size = max(len(self.versions), 1)
        number = min(_MOST_DRAWS, max(_FEWEST_DRAWS, _DRAWN_STRENGTHS // size))
        for draw in self.draws(Random(_SEED), number):
            order = sorted(chosen, key=lambda each: -draw[each[1]])
            for rank, (version, _) in enumerate(order):
                counts[version][rank] += 1
        return Ranks(counts, number)

    def draws(self, rng: Random, count: int) -> Iterator[Vector]:
        """Yield strengths drawn from what is known, in the order of `versions`."""
        factor = cholesky(self.covariance)
        for _ in range(count):
            steps = [rng.gauss(0.0, 1.0) for _ in factor]
            yield [
                strength + dot(row, steps)
                for strength, row in zip(self.strengths, factor, strict=True)
            ]

    @cached_property
    def _index(self) -> dict[VersionId, int]:
        return {version: at for at, version in enumerate(self.versions)}

    @cached_property
    def _variances(self) -> Vector:
        return centred_variances(self.covariance)


def strengths_of(sums: LeagueSums) -> Strengths:
    """Fit the strengths to the sums over all deals."""
    return Strengths(*fit_sums(sums))
