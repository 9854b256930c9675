"""The geometry of rating curves."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pages.site.curves import chart_of, spread
from leaderboard.queries.rating_histories import Sample

skills = st.floats(-20, 80)
histories = st.lists(
    st.lists(st.builds(Sample, st.just(0), skills, st.floats(0, 9)), min_size=1, max_size=9).map(
        lambda history: [sample._replace(number=n) for n, sample in enumerate(history, start=1)]
    ),
    min_size=1,
    max_size=8,
)
ends = st.lists(st.floats(20, 280), min_size=1, max_size=14)


def points(text: str) -> list[tuple[float, float]]:
    """Read the points of a line."""
    pairs = (pair.split(",") for pair in text.split())
    return [(float(x), float(y)) for x, y in pairs]


@given(histories)
def test_nothing_is_drawn_outside_the_axes(drawn_histories: list[list[Sample]]) -> None:
    chart = chart_of(drawn_histories)
    assert len(chart.curves) == len(drawn_histories)
    for curve, history in zip(chart.curves, drawn_histories, strict=True):
        assert len(points(curve.line)) == len(history)
        assert points(curve.line)[-1] == curve.end
        for x, y in points(curve.line) + points(curve.band):
            assert chart.left <= x <= chart.right
            assert chart.top <= y <= chart.bottom


def test_a_mean_is_drawn_at_its_height_between_the_ticks() -> None:
    chart = chart_of([[Sample(1, 20, 5), Sample(2, 30, 0.5)]])
    heights = {tick.text: tick.at for tick in chart.up}
    (curve,) = chart.curves
    assert [y for _, y in points(curve.line)] == pytest.approx([heights["20"], heights["30"]])
    across = {tick.text: tick.at for tick in chart.across}
    assert [x for x, _ in points(curve.line)] == pytest.approx([across["1"], across["2"]])


def test_the_band_of_the_first_matches_does_not_dwarf_the_rest() -> None:
    history = [Sample(n, 25, 8 if n == 1 else 0.5) for n in range(1, 51)]
    chart = chart_of([history])
    shown = [float(tick.text) for tick in chart.up]
    assert (min(shown), max(shown)) == (24, 26)


@given(ends)
def test_labels_are_spread_in_order_and_stay_within_the_axes(heights: list[float]) -> None:
    places = spread(heights, 12, 280)
    assert all(12 <= place <= 280 for place in places)
    labels = sorted(zip(heights, places, strict=True))
    for (height, place), (other_height, other_place) in pairwise(labels):
        if height != other_height:
            assert other_place - place >= 17.8
        else:
            assert abs(other_place - place) >= 17.8


def test_a_label_with_enough_space_is_not_moved() -> None:
    assert spread([50, 200, 90], 12, 280) == [50, 200, 90]
    assert spread([50, 200, 52], 12, 280) == [42, 200, 60]
