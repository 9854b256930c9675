"""Does it matter to a bot where it sits?

For each seat the mean of the points that a version took there, with an interval. Points are shares
from 0 to 1, so that their variance is at most that of a coin with the same mean; Wilson's interval
for such a coin is therefore on the safe side, with one match as with thousands.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from leaderboard.report import FinishedMatch

_Z = 1.959964
"""95 % of a normal distribution are within so many deviations."""


class SeatEffect(NamedTuple):
    """What a version took in one seat."""

    variant: int
    version: int
    seats: int
    """How many sat at the table."""
    seat: int
    matches: int
    mean: float
    low: float
    high: float
    """The bounds of the interval of 95 %."""


def seat_effects(
    matches: Iterable[FinishedMatch], variants: Mapping[int, int]
) -> dict[int, list[SeatEffect]]:
    """Return the effects by version; `variants` has each event's variant."""
    sums: defaultdict[tuple[int, int, int, int], list[float]] = defaultdict(lambda: [0, 0.0])
    for match in matches:
        if match.is_played:
            variant, seats = variants[match.event], len(match.seats)
            for number, seat in enumerate(match.seats):
                tally = sums[seat.version, variant, seats, number]
                tally[0] += 1
                tally[1] += seat.points
    effects: defaultdict[int, list[SeatEffect]] = defaultdict(list)
    for (version, variant, seats, number), (count, points) in sorted(sums.items()):
        mean = points / count
        low, high = wilson(mean, int(count))
        effect = SeatEffect(variant, version, seats, number, int(count), mean, low, high)
        effects[version].append(effect)
    return dict(effects)


def wilson(mean: float, count: int) -> tuple[float, float]:
    """Return Wilson's interval for a share that was seen so many times."""
    weight = _Z * _Z / count
    centre = (mean + weight / 2) / (1 + weight)
    reach = math.sqrt(max(mean * (1 - mean), 0.0) * weight + weight * weight / 4) / (1 + weight)
    return max(centre - reach, 0.0), min(centre + reach, 1.0)
