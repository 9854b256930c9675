"""Points of a match.

An entrant's points are the share of its opponents that it finished ahead of; a tie counts half. At
a table of four that is 1, ⅔, ⅓, 0 from first to last, and places 1, 1, 3, 4 give ⅚, ⅚, ⅓, 0.
Partners are not opponents, so a team gets 1 or 0. Points are fractions: sums compare exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache


def points_of(places: Sequence[int], sides: Sequence[int] | None = None) -> tuple[Fraction, ...]:
    """Turn the places of a match into points, seat by seat.

    `sides` has the side of each seat; without it there are no partners.
    """
    return _points_of(tuple(places), tuple(range(len(places)) if sides is None else sides))


@lru_cache(maxsize=1024)  # a large event repeats the same few results
def _points_of(places: tuple[int, ...], sides: tuple[int, ...]) -> tuple[Fraction, ...]:
    points = []
    for place, side in zip(places, sides, strict=True):
        against = [p for p, s in zip(places, sides, strict=True) if s != side]
        halves = sum((place < other) + (place <= other) for other in against)
        points.append(Fraction(halves, 2 * len(against)))
    return tuple(points)
