"""The geometry of rating curves: lines, bands, ticks and labels. A template turns it into SVG."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from leaderboard.queries.rating_histories import Sample

WIDTH, HEIGHT = 760, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 134, 12, 44
_LABEL = 18
"""Height of a label."""
SHOWN = 8
"""Number of curves that are shown until the reader chooses others."""
DEVIATIONS = 2
"""Standard deviations to either side of the mean in a band: about 95 % probability."""


class Tick(NamedTuple):
    """A mark on an axis."""

    at: float
    text: str


class Curve(NamedTuple):
    """The history of one rating."""

    label: int
    """Its number in the legend, from 1."""
    line: str
    """The points of the mean."""
    band: str
    """The outline of the band around it."""
    end: tuple[float, float]
    """Where the line ends."""
    label_y: float
    """Height of its label, which stands in a column to the right of all lines."""


class Chart(NamedTuple):
    """Curves with their axes."""

    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float
    across: list[Tick]
    up: list[Tick]
    curves: list[Curve]


def chart_of(histories: Sequence[Sequence[Sample]]) -> Chart:
    """Lay out non-empty histories over the number of matches."""
    samples = [sample for history in histories for sample in history]
    last = max(sample.number for sample in samples)
    low, high = _range(samples, last)
    step = _step(high - low, 5)
    low = math.floor(low / step) * step
    high = max(math.ceil(high / step) * step, low + step)
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM

    def x(number: float) -> float:
        return round(_LEFT + (right - _LEFT) * number / last, 1)

    def y(skill: float) -> float:
        shown = min(max(skill, low), high)
        return round(bottom - (bottom - _TOP) * (shown - low) / (high - low), 1)

    ends = [(x(history[-1].number), y(history[-1].mu)) for history in histories]
    # The others are hidden until the reader chooses them; a script then spreads all labels again.
    heights = [height for _, height in ends]
    label_heights = spread(heights[:SHOWN], _TOP, bottom) + heights[SHOWN:]
    across_step = max(1, int(_step(last, 5)))
    return Chart(
        *(WIDTH, HEIGHT, _LEFT, right, _TOP, bottom),
        across=[Tick(x(n), f"{n:,}") for n in range(across_step, last + 1, across_step)],
        up=[
            Tick(y(low + n * step), f"{low + n * step:g}")
            for n in range(round((high - low) / step) + 1)
        ],
        curves=[
            Curve(
                label=number,
                line=_points([(x(s.number), y(s.mu)) for s in history]),
                band=_points(
                    [(x(s.number), y(s.mu + DEVIATIONS * s.sigma)) for s in history]
                    + [(x(s.number), y(s.mu - DEVIATIONS * s.sigma)) for s in reversed(history)]
                ),
                end=end,
                label_y=label_y,
            )
            for number, history, end, label_y in zip(
                count(1), histories, ends, label_heights, strict=False
            )
        ],
    )


def _range(samples: Sequence[Sample], last: int) -> tuple[float, float]:
    """Return the range of skills shown: every mean, and the bands after the first tenth.

    Early bands are so wide that they would flatten everything after them.
    """
    later = [sample for sample in samples if sample.number * 10 > last]
    return (
        min(*(s.mu for s in samples), *(s.mu - DEVIATIONS * s.sigma for s in later)),
        max(*(s.mu for s in samples), *(s.mu + DEVIATIONS * s.sigma for s in later)),
    )


def spread(heights: Sequence[float], low: float, high: float) -> list[float]:
    """Return heights for labels: near those given, in the same order, without overlap."""
    blocks: list[tuple[list[int], float]] = []
    for n in sorted(range(len(heights)), key=lambda n: (heights[n], n)):
        block = [n]
        top = _top([heights[n]], low, high)
        # Labels that would overlap form a block around their mean height.
        while blocks and blocks[-1][1] + len(blocks[-1][0]) * _LABEL > top:
            block = blocks.pop()[0] + block
            top = _top([heights[each] for each in block], low, high)
        blocks.append((block, top))
    places = {
        n: round(top + place * _LABEL, 1) for block, top in blocks for place, n in enumerate(block)
    }
    return [places[n] for n in range(len(heights))]


def _top(heights: Sequence[float], low: float, high: float) -> float:
    """Return the height of the first label of a block."""
    reach = (len(heights) - 1) * _LABEL
    return max(low, min(sum(heights) / len(heights) - reach / 2, high - reach))


def _step(span: float, parts: int) -> float:
    """Return a round number that divides a span into about this many parts."""
    if span < 1e-6:  # All values are equal: any step will do, and a tiny one has no power of ten.
        return 1.0
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= rough)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
