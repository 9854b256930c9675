"""Charts: intervals on one scale, and lines. A template turns them into SVG.

Positions are shares of the width, or of a square of 1000 by 1000 that is stretched into its place,
so that a chart fills any window and its words keep their size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

COLOURS = 8
"""Number of lines with a colour of their own; the others are grey until they are singled out."""
DEVIATIONS = 2
"""Standard deviations to either side of the mean in a band: about 95 % probability."""
SIDE = 1000


class Tick(NamedTuple):
    """A mark on an axis."""

    at: float
    """From 0 to 100."""
    text: str


class Scale(NamedTuple):
    """An axis: which part of the numbers it shows, and its marks."""

    low: float
    high: float
    ticks: list[Tick]

    def at(self, number: float) -> float:
        """Return the place of a number in percent; those outside are at the ends."""
        share = (number - self.low) / (self.high - self.low)
        return round(100 * min(1.0, max(0.0, share)), 2)


class PlacedInterval(NamedTuple):
    """An interval on a scale, in percent."""

    low: float
    middle: float
    high: float
    opens_low: bool = False
    opens_high: bool = False
    """Whether the results leave this end open."""


class Point(NamedTuple):
    """A point of a line; the band around it reaches as far to either side."""

    x: float
    y: float
    reach: float = 0.0


class Line(NamedTuple):
    """A line in a chart."""

    name: str
    points: str
    band: str
    last: float
    """Its last value."""
    colour: int
    """From 1; 0 for grey."""


class Chart(NamedTuple):
    """Lines with their axes."""

    title: str
    across: Scale
    up: Scale
    word: str
    """What is counted along the lower axis."""
    lines: list[Line]


def scale_of(numbers: Iterable[float], parts: int = 5) -> Scale:
    """Return an axis that shows these numbers, with about so many marks."""
    shown = [number for number in numbers if math.isfinite(number)] or [0.0, 1.0]
    low, high = min(shown), max(shown)
    step = _step(high - low, parts)
    low = math.floor(low / step) * step
    high = max(math.ceil(high / step) * step, low + step)
    count = round((high - low) / step)
    scale = Scale(low, high, [])
    values = [low + n * step for n in range(count + 1)]
    return scale._replace(ticks=[Tick(scale.at(value), f"{value:,.10g}") for value in values])


def interval_on(
    scale: Scale, middle: float | None, low: float | None, high: float | None
) -> PlacedInterval | None:
    """Place an interval; an end that is None is open. If nothing is known, there is none."""
    if middle is None and low is None and high is None:
        return None
    known = [end for end in (low, middle, high) if end is not None]
    return PlacedInterval(
        0.0 if low is None else scale.at(low),
        scale.at(sum(known) / len(known) if middle is None else middle),
        100.0 if high is None else scale.at(high),
        low is None,
        high is None,
    )


def chart_of(
    title: str,
    histories: Sequence[tuple[str, Sequence[Point]]],
    *,
    word: str,
    from_zero: bool = False,
) -> Chart | None:
    """Lay out the lines of a chart, each with its name; None if there is nothing to show."""
    drawn = [(name, points) for name, points in histories if points]
    if not drawn:
        return None
    everything = [point for _, points in drawn for point in points]
    last = max(point.x for point in everything)
    first = min(point.x for point in everything)
    # Early bands are so wide that they would flatten everything after them.
    later = [point for point in everything if (point.x - first) * 10 > last - first] or everything
    ends = [point.y for point in everything]
    ends += [end for point in later for end in (point.y - point.reach, point.y + point.reach)]
    up = scale_of([*ends, 0.0] if from_zero else ends)
    across = Scale(first, max(last, first + 1), [])
    step = max(1, round(_step(across.high - across.low, 5)))
    counts = range(math.ceil(across.low / step) * step, math.floor(across.high) + 1, step)
    across = across._replace(ticks=[Tick(across.at(number), f"{number:,}") for number in counts])
    return Chart(
        title,
        across,
        up,
        word,
        [
            _line(name, points, across, up, number if number <= COLOURS else 0)
            for number, (name, points) in enumerate(drawn, start=1)
        ],
    )


def _line(name: str, points: Sequence[Point], across: Scale, up: Scale, colour: int) -> Line:
    def place(x: float, y: float) -> str:
        return f"{across.at(x) * SIDE / 100:g},{SIDE - up.at(y) * SIDE / 100:g}"

    band = ""
    if any(point.reach for point in points):
        upper = [place(point.x, point.y + point.reach) for point in points]
        lower = [place(point.x, point.y - point.reach) for point in reversed(points)]
        band = " ".join([*upper, *lower])
    line = " ".join(place(point.x, point.y) for point in points)
    return Line(name, line, band, points[-1].y, colour)


def _step(span: float, parts: int) -> float:
    """Return a round number that divides a span into about this many parts."""
    if span < 1e-6:  # All values are equal: any step will do, and a tiny one has no power of ten.
        return 1.0
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= rough)
