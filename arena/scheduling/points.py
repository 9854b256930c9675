"""How many points is a match worth to each who played in it?

The share of its opponents that an entrant finished ahead of, a tie being half: from first to last
at a table of four that is 1, ⅔, ⅓, 0, and places 1, 1, 3, 4 give ⅚, ⅚, ⅓, 0. Partners are not
opponents, so a team has 1 or 0. Points are fractions, so that equal is equal however it came about.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from arena.scheduling.pairing import Pairing


def points_of(places: Sequence[int], sides: Sequence[int] | None = None) -> tuple[Fraction, ...]:
    """Turn the places of a match into points, seat by seat.

    `sides` tells for each seat the side it plays for; without it nobody has a partner.
    """
    sides = range(len(places)) if sides is None else sides
    points = []
    for place, side in zip(places, sides, strict=True):
        against = [p for p, s in zip(places, sides, strict=True) if s != side]
        halves = sum((place < other) + (place <= other) for other in against)
        points.append(Fraction(halves, 2 * len(against)))
    return tuple(points)


def pairing_points(
    pairing: Pairing, matches: Iterable[tuple[Sequence[int], Sequence[Fraction]]]
) -> tuple[Fraction, ...]:
    """Return what a pairing is worth to its entrants: the mean of its matches, in seating order.

    `matches` gives for each match the entrants by seat and their points.
    """
    totals = dict.fromkeys(pairing.seating, Fraction(0))
    count = 0
    for seating, points in matches:
        count += 1
        for entrant, gained in zip(seating, points, strict=True):
            totals[entrant] += gained
    return tuple(total / count for total in totals.values())
