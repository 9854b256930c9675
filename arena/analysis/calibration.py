"""Whether chances are right: of the positions called 70 %, how many were won?

Positions of one match are not independent, so the interval comes from the matches: it is the spread
of the results when each match in turn is left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from arena.analysis.assessment import Analysis

BINS = 10
_Z = 1.959964
"""95 % of a normal distribution lies within this many standard deviations."""


class AnalysedMatch(NamedTuple):
    """What search thought of a match, and how it ended."""

    analysis: Analysis
    places: Sequence[int]


class Bin(NamedTuple):
    """Positions with about the same chance."""

    low: float
    high: float
    """The chances, from `low` up to `high`."""
    positions: int
    matches: int
    called: float
    """The mean chance."""
    won: float
    """The share that was won; a shared first place counts in part."""
    reach: float
    """Half of the 95 % interval of that share."""


def calibration(matches: Iterable[AnalysedMatch]) -> list[Bin]:
    """Compare chances with results; bins that no position is in are left out."""
    # For each bin and match: positions, the sum of chances, the sum of results.
    sums: list[list[tuple[int, float, float]]] = [[] for _ in range(BINS)]
    for analysis, places in matches:
        first = places.count(1)
        results = [1 / first if place == 1 else 0.0 for place in places]
        own: dict[int, tuple[int, float, float]] = {}
        for _, chances in analysis.course():
            for chance, result in zip(chances, results, strict=True):
                at = min(BINS - 1, int(chance * BINS))
                count, called, won = own.get(at, (0, 0.0, 0.0))
                own[at] = count + 1, called + chance, won + result
        for at, sums_of_match in own.items():
            sums[at].append(sums_of_match)
    return [_bin(at, found) for at, found in enumerate(sums) if found]


def _bin(at: int, found: Sequence[tuple[int, float, float]]) -> Bin:
    positions, called, won = map(sum, zip(*found, strict=True))
    share = won / positions
    # The linear approximation of leaving out one match at a time.
    squares = math.fsum((each_won - share * count) ** 2 for count, _, each_won in found)
    matches = len(found)
    factor = matches / (matches - 1) if matches > 1 else math.inf
    reach = min(1.0, _Z * math.sqrt(squares * factor) / positions) if matches > 1 else 1.0
    low, high = at / BINS, (at + 1) / BINS
    return Bin(low, high, int(positions), matches, called / positions, share, reach)
