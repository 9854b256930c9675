"""Linear algebra on lists, enough for a few hundred bots.

Products are added with `fsum`, which rounds once: the results are the same with every version of
Python, while its `sum` is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from operator import mul

Vector = list[float]
Matrix = list[Vector]


def zeros(size: int) -> Matrix:
    """Return a square matrix of zeros."""
    return [[0.0] * size for _ in range(size)]


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the inner product, as far as the shorter of the two goes."""
    return fsum(map(mul, one, other))


def cholesky(matrix: Matrix) -> Matrix:
    """Return the rows of the lower triangle whose square is a positive definite matrix."""
    rows: Matrix = []
    for at, values in enumerate(matrix):
        row: Vector = []
        for by in range(at):
            row.append((values[by] - dot(row, rows[by])) / rows[by][by])
        row.append(sqrt(values[at] - dot(row, row)))
        rows.append(row)
    return rows


def solve(factor: Matrix, vector: Sequence[float]) -> Vector:
    """Solve a system whose matrix has this Cholesky factor."""
    size = len(vector)
    half: Vector = []
    for row, value in zip(factor, vector, strict=True):
        half.append((value - dot(row, half)) / row[-1])
    columns = [[factor[by][at] for by in range(at, size)] for at in range(size)]
    found: Vector = [0.0] * size
    for at in reversed(range(size)):
        diagonal, *below = columns[at]
        found[at] = (half[at] - dot(below, found[at + 1 :])) / diagonal
    return found


def inverse(factor: Matrix) -> Matrix:
    """Return the inverse of the matrix that has this Cholesky factor."""
    size = len(factor)
    columns = [_inverse_column(factor, at) for at in range(size)]
    result = zeros(size)
    for at, column in enumerate(columns):
        for by in range(at + 1):
            # A column starts at its diagonal: skip what the other one has above this one's.
            result[at][by] = result[by][at] = dot(column, columns[by][at - by :])
    return result


def _inverse_column(factor: Matrix, at: int) -> Vector:
    """Return a column of the inverse of a lower triangle, from the diagonal on."""
    column = [1.0 / factor[at][at]]
    for by in range(at + 1, len(factor)):
        column.append(-dot(factor[by][at:by], column) / factor[by][by])
    return column


def sandwich(bread: Matrix, filling: Matrix) -> Matrix:
    """Return bread × filling × bread for two symmetric matrices."""
    half = [[dot(row, column) for column in filling] for row in bread]
    result = zeros(len(bread))
    for at, row in enumerate(half):
        for by in range(at + 1):
            result[at][by] = result[by][at] = dot(row, bread[by])
    return result


def small_inverse(matrix: Matrix) -> Matrix:
    """Return the inverse of a small matrix that need not be symmetric, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *([0.0] * size)] for row in matrix]
    for at in range(size):
        rows[at][size + at] = 1.0
    for at in range(size):
        best = max(range(at, size), key=lambda by: abs(rows[by][at]))
        rows[at], rows[best] = rows[best], rows[at]
        pivot = rows[at][at]
        top = rows[at] = [value / pivot for value in rows[at]]
        for by in range(size):
            factor = rows[by][at]
            if by != at and factor:
                rows[by] = [
                    value - factor * less for value, less in zip(rows[by], top, strict=True)
                ]
    return [row[size:] for row in rows]
