"""The effect of the seat on a bot's points.

For each seat, this is the mean of a version's points there, with an interval. Points are shares
from 0 to 1, so their variance is at most that of a coin with the same mean. Wilson's interval for
such a coin is therefore conservative, for one match as well as for thousands.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from arena.indices import VersionId
from leaderboard.matches import StoredMatch

_Z = 1.959964
"""95 % of a normal distribution lies within this many standard deviations."""

EVERYONE = VersionId(0)
"""Stands for all versions together."""


class SeatEffect(NamedTuple):
    """A version's points in one seat."""

    variant: int
    version: int
    seats: int
    """Size of the table."""
    seat: int
    matches: int
    mean: float
    low: float
    high: float
    """`low` and `high` bound the 95 % interval."""


def seat_effects(
    matches: Iterable[StoredMatch], variants: Mapping[int, int]
) -> dict[int, list[SeatEffect]]:
    """Return the effects by version, also of `EVERYONE`; `variants` maps events to variants."""
    sums: defaultdict[tuple[int, int, int, int], list[float]] = defaultdict(lambda: [0, 0.0])
    for match in matches:
        if match.result.is_played:
            variant, seats = variants[match.event], len(match.result.seats)
            for number, seat in enumerate(match.result.seats):
                for who in (seat.version, EVERYONE):
                    tally = sums[who, variant, seats, number]
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
    """Return Wilson's interval for a mean share of `count` observations."""
    weight = _Z * _Z / count
    centre = (mean + weight / 2) / (1 + weight)
    reach = math.sqrt(max(mean * (1 - mean), 0.0) * weight + weight * weight / 4) / (1 + weight)
    return max(centre - reach, 0.0), min(centre + reach, 1.0)
