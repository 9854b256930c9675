"""How is the course of a rating drawn?

This is the geometry alone: where lines, bands, ticks and labels are. The template makes SVG of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from leaderboard.report import Sample

WIDTH, HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 34, 12, 44
_LABEL_GAP = 17
DEVIATIONS = 2
"""How many deviations the band reaches to either side: about 95 % of what is believed."""


class Tick(NamedTuple):
    """A mark on an axis."""

    at: float
    text: str


class Curve(NamedTuple):
    """The course of one rating."""

    label: int
    """Its number in the legend, from 1."""
    line: str
    """The points of the mean."""
    band: str
    """The outline of the band around it."""
    end: tuple[float, float]
    """Where the line ends."""
    label_y: float
    """Where its number stands: near the end, and clear of other numbers."""


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


def chart_of(courses: Sequence[Sequence[Sample]]) -> Chart:
    """Lay out courses, each of which has a sample at least, over the number of matches."""
    samples = [sample for course in courses for sample in course]
    last = max(sample.number for sample in samples)
    low = min(sample.mu - DEVIATIONS * sample.sigma for sample in samples)
    high = max(sample.mu + DEVIATIONS * sample.sigma for sample in samples)
    step = _step(high - low, 5)
    low = math.floor(low / step) * step
    high = max(math.ceil(high / step) * step, low + step)
    right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM

    def x(number: float) -> float:
        return round(_LEFT + (right - _LEFT) * number / last, 1)

    def y(skill: float) -> float:
        return round(bottom - (bottom - _TOP) * (skill - low) / (high - low), 1)

    ends = [y(course[-1].mu) for course in courses]
    across_step = max(1, int(_step(last, 5)))
    return Chart(
        *(WIDTH, HEIGHT, _LEFT, right, _TOP, bottom),
        across=[Tick(x(n), f"{n:,}") for n in range(0, last + 1, across_step)],
        up=[
            Tick(y(low + n * step), f"{low + n * step:g}")
            for n in range(round((high - low) / step) + 1)
        ],
        curves=[
            Curve(
                label=number,
                line=_points([(x(s.number), y(s.mu)) for s in course]),
                band=_points(
                    [(x(s.number), y(s.mu + DEVIATIONS * s.sigma)) for s in course]
                    + [(x(s.number), y(s.mu - DEVIATIONS * s.sigma)) for s in reversed(course)]
                ),
                end=(x(course[-1].number), ends[number - 1]),
                label_y=label_y,
            )
            for number, (course, label_y) in enumerate(
                zip(courses, spread(ends, _LABEL_GAP, _TOP, bottom), strict=True), start=1
            )
        ],
    )


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places apart until neighbours have a gap, in their order and within bounds if it fits.

    Nothing is moved that is clear already.
    """
    order = sorted(range(len(places)), key=lambda n: places[n])
    moved = list(places)
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + gap)
    floor = high
    for n in reversed(order):
        moved[n] = max(min(moved[n], floor), low)
        floor = moved[n] - gap
    return moved


def _step(span: float, parts: int) -> float:
    """Return a round number of which a span has about so many."""
    if span <= 0:
        return 1.0
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= rough)


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)
