"""Fit the strengths of all versions to all results at once.

The chance that one version finishes ahead of another is Φ((θ₁ − θ₂) / √2β), in TrueSkill's unit; a
tie counts as half a win for each. The fit maximises the posterior by Newton's method. It needs only
the sums of the pairs, so the order of the matches is lost before it starts. The prior is so wide
that it only keeps those finite that results do not bound; it would pull extreme bots inwards.

How sure the strengths are comes from the deals and not from the formula: the covariance is the
sandwich estimate with a deal as the unit, in the form that leaves out one deal at a time (CR3). So
it holds for lucky games and for matches of a deal that resemble each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from operator import itemgetter
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.strength.connections import Bounds, bounds_of
from leaderboard.strength.distributions import pull
from leaderboard.strength.matrix import (
    Matrix,
    Vector,
    cholesky,
    dot,
    inverse,
    sandwich,
    small_inverse,
    solve,
    zeros,
)
from leaderboard.strength.sums import LeagueSums, Pair, TablePairs, TableSums

MEAN = 25.0
"""The mean of the prior, and of the versions that a group is measured from."""
UNIT = sqrt(2) * 25 / 6
"""TrueSkill's β, for the difference of two."""
_PRIOR = 1 / (4 * 25 / 3) ** 2
"""The weight of the prior, which is four times as wide as TrueSkill's."""
_CLOSE = 1e-11
"""Newton's method stops when no strength moves by more."""
_LONGEST_STEP = 8.0
_MOST_STEPS = 100
_MOST_DEGREES = 1e9
"""In place of infinity, which JSON cannot write."""


class _PairSlopes(NamedTuple):
    """The slope and the curvature of the logarithm of a pair's likelihood."""

    win: float
    """The slope of one win of the first."""
    loss: float
    """The slope of one loss, without its sign."""
    bend: float
    """The mean curvature of one match."""


class Fit(NamedTuple):
    """The strengths that were fitted, and how sure they are."""

    versions: tuple[VersionId, ...]
    """In ascending order, like all that follows."""
    strengths: Vector
    covariance: Matrix
    variances: Vector
    """Of each strength, relative to the mean of the versions that its group is measured from."""
    degrees: Vector
    """The degrees of freedom of these variances."""
    bounds: tuple[Bounds, ...]


def fit_sums(sums: LeagueSums) -> Fit:
    """Fit the strengths to the sums over all deals."""
    versions = sums.versions()
    if not versions:
        return Fit((), [], [], [], [], ())
    index = {version: at for at, version in enumerate(versions)}
    pairs = sums.pairs()
    offsets = _climb(pairs, index)
    slopes = _slopes(pairs, index, offsets)
    curvature = _curvature(pairs, index, slopes)
    bread = inverse(cholesky(curvature))
    bounds = [each for _, each in sorted(bounds_of(pairs).items())]
    centres = {
        group: [at for at, each in enumerate(bounds) if each.is_centre and each.group == group]
        for group in {each.group for each in bounds}
    }
    means = {
        group: [_mean(column, members) for column in bread] for group, members in centres.items()
    }
    filling, spread = _one_deal(curvature, sums, index), [0.0] * len(versions)
    for table, table_sums in sorted(sums.tables.items(), key=itemgetter(0)):
        places = [index[version] for version in table.versions]
        influence = _influence(table, table_sums, slopes, bread, index)
        mean = means[bounds[places[0]].group]
        for at, row in zip(places, influence, strict=True):
            into = filling[at]
            for by, value in zip(places, row, strict=True):
                into[by] += value
            weights = [bread[at][by] - mean[by] for by in places]
            variance = dot(weights, [dot(row, weights) for row in influence])
            spread[at] += variance * variance / (table_sums.deals + 2)
    covariance = sandwich(bread, filling)
    strengths, variances = [], []
    zero = {group: _mean(offsets, members) for group, members in centres.items()}
    inner = {
        group: fsum(_mean(covariance[at], members) for at in members) / len(members)
        for group, members in centres.items()
    }
    for at, (offset, (group, *_)) in enumerate(zip(offsets, bounds, strict=True)):
        strengths.append(MEAN + offset - zero[group])
        own = _mean(covariance[at], centres[group])
        variances.append(covariance[at][at] - 2 * own + inner[group])
    degrees = [
        min(variance * variance / each, _MOST_DEGREES) if each else _MOST_DEGREES
        for variance, each in zip(variances, spread, strict=True)
    ]
    return Fit(versions, strengths, covariance, variances, degrees, tuple(bounds))


def fit_strengths(sums: LeagueSums) -> dict[VersionId, float]:
    """Fit the strengths alone, without how sure they are: that takes less than half the time."""
    versions = sums.versions()
    index = {version: at for at, version in enumerate(versions)}
    offsets = _climb(sums.pairs(), index)
    return {version: MEAN + offset for version, offset in zip(versions, offsets, strict=True)}


def _one_deal(curvature: Matrix, sums: LeagueSums, index: dict[VersionId, int]) -> Matrix:
    """Return the prior, and the spread of one more deal with independent matches for each version.

    A few deals may agree by chance: without it, a single deal could seem to say all.
    """
    deals = sums.deals_by_version()
    scales = [1 / sqrt(deals[version]) for version in index]
    matrix = [
        [value * scale * other for value, other in zip(row, scales, strict=True)]
        for row, scale in zip(curvature, scales, strict=True)
    ]
    for at, row in enumerate(matrix):
        row[at] += _PRIOR * (1 - scales[at] ** 2)
    return matrix


def _mean(values: Vector, members: Sequence[int]) -> float:
    return fsum(values[at] for at in members) / len(members)


def _climb(pairs: dict[Pair, tuple[int, int]], index: dict[VersionId, int]) -> Vector:
    """Return the strengths, less the mean of the prior, with the largest posterior."""
    offsets = [0.0] * len(index)
    for _ in range(_MOST_STEPS):
        slopes = _slopes(pairs, index, offsets)
        gradient = [-_PRIOR * offset for offset in offsets]
        for pair, (half_points, matches) in pairs.items():
            one, other = index[pair[0]], index[pair[1]]
            win, loss, _ = slopes[pair]
            slope = (half_points * win - (2 * matches - half_points) * loss) / 2
            gradient[one] += slope
            gradient[other] -= slope
        step = solve(cholesky(_curvature(pairs, index, slopes)), gradient)
        longest = max(map(abs, step), default=0.0)
        shorter = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        offsets = [offset + shorter * move for offset, move in zip(offsets, step, strict=True)]
        if longest < _CLOSE:
            break
    return offsets


def _slopes(
    pairs: dict[Pair, tuple[int, int]], index: dict[VersionId, int], offsets: Vector
) -> dict[Pair, _PairSlopes]:
    slopes = {}
    for pair, (half_points, matches) in pairs.items():
        z = (offsets[index[pair[0]]] - offsets[index[pair[1]]]) / UNIT
        win, loss = pull(z), pull(-z)
        share = half_points / (2 * matches)
        bend = share * win * (win + z) + (1 - share) * loss * (loss - z)
        slopes[pair] = _PairSlopes(win / UNIT, loss / UNIT, bend / UNIT**2)
    return slopes


def _curvature(
    pairs: dict[Pair, tuple[int, int]],
    index: dict[VersionId, int],
    slopes: dict[Pair, _PairSlopes],
) -> Matrix:
    matrix = zeros(len(index))
    for row, at in zip(matrix, index.values(), strict=True):
        row[at] = _PRIOR
    for pair, (_, matches) in pairs.items():
        _bend(matrix, index[pair[0]], index[pair[1]], matches * slopes[pair].bend)
    return matrix


def _bend(matrix: Matrix, one: int, other: int, amount: float) -> None:
    matrix[one][one] += amount
    matrix[other][other] += amount
    matrix[one][other] -= amount
    matrix[other][one] -= amount


def _influence(
    table: TablePairs,
    sums: TableSums,
    slopes: dict[Pair, _PairSlopes],
    bread: Matrix,
    index: dict[VersionId, int],
) -> Matrix:
    """Return the sum of u uᵀ over the deals of a table, for the versions at the table.

    u is the slope of a deal's likelihood, enlarged to what it would be at the strengths that a fit
    without this deal finds. All matches of a pair count with the mean of their curvatures, so the
    enlargement is the same for all deals of the table.
    """
    versions = table.versions
    size = len(versions)
    local = {version: at for at, version in enumerate(versions)}
    ends = [(local[one], local[other]) for one, other in table.pairs]
    curvature = zeros(size)
    for (one, other), pair, matches in zip(ends, table.pairs, table.matches, strict=True):
        _bend(curvature, one, other, matches * slopes[pair].bend)
    places = [index[version] for version in versions]
    corner = [[bread[at][by] for by in places] for at in places]
    system = [[-dot(row, column) for column in corner] for row in curvature]
    for at, row in enumerate(system):
        row[at] += 1.0
    enlarged = small_inverse(system)
    squares = _squares(table, sums, slopes, ends)
    half = [[dot(row, column) for column in squares] for row in enlarged]
    return [[dot(row, other) for other in enlarged] for row in half]


def _squares(
    table: TablePairs,
    sums: TableSums,
    slopes: dict[Pair, _PairSlopes],
    ends: list[tuple[int, int]],
) -> Matrix:
    """Return the sum of g gᵀ over the deals of a table, with g the slope of a deal's likelihood."""
    # The slope of a pair in a deal is rate × half points − fixed.
    rates = [(slopes[pair].win + slopes[pair].loss) / 2 for pair in table.pairs]
    fixed = [
        matches * slopes[pair].loss
        for pair, matches in zip(table.pairs, table.matches, strict=True)
    ]
    squares = zeros(len(table.versions))
    products = iter(sums.products)
    for at, (one, other) in enumerate(ends):
        for by in range(at + 1):
            third, fourth = ends[by]
            product = (
                rates[at] * rates[by] * next(products)
                - rates[at] * fixed[by] * sums.scores[at]
                - rates[by] * fixed[at] * sums.scores[by]
                + fixed[at] * fixed[by] * sums.deals
            )
            if by < at:
                _cross(squares, (third, fourth), (one, other), product)
            _cross(squares, (one, other), (third, fourth), product)
    return squares


def _cross(squares: Matrix, one: tuple[int, int], other: tuple[int, int], product: float) -> None:
    squares[one[0]][other[0]] += product
    squares[one[1]][other[1]] += product
    squares[one[0]][other[1]] -= product
    squares[one[1]][other[0]] -= product
