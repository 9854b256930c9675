"""The geometry of charts: scales, intervals and lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pages.site.charts import COLOURS, SIDE, Point, chart_of, interval_on, scale_of

skills = st.floats(-20, 80)
histories = st.lists(
    st.lists(st.builds(Point, st.just(0.0), skills, st.floats(0, 9)), min_size=1, max_size=9).map(
        lambda history: [point._replace(x=float(n)) for n, point in enumerate(history, start=1)]
    ),
    min_size=1,
    max_size=12,
)


def places(text: str) -> list[tuple[float, float]]:
    """Read the points of a line."""
    pairs = (pair.split(",") for pair in text.split())
    return [(float(x), float(y)) for x, y in pairs]


@given(histories)
def test_nothing_is_drawn_outside_the_axes(drawn: list[list[Point]]) -> None:
    chart = chart_of("Ratings", [(str(n), line) for n, line in enumerate(drawn)], word="matches")
    assert chart
    assert len(chart.lines) == len(drawn)
    for line, history in zip(chart.lines, drawn, strict=True):
        assert len(places(line.points)) == len(history)
        assert line.last == history[-1].y
        for x, y in places(line.points) + places(line.band):
            assert 0 <= x <= SIDE
            assert 0 <= y <= SIDE


def test_a_value_is_drawn_at_its_height_between_the_ticks() -> None:
    chart = chart_of("Ratings", [("ann", [Point(1, 20, 10), Point(2, 30, 1)])], word="matches")
    assert chart
    heights = {tick.text: SIDE - 10 * tick.at for tick in chart.up.ticks}
    (line,) = chart.lines
    assert [y for _, y in places(line.points)] == pytest.approx([heights["20"], heights["30"]])
    across = {tick.text: 10 * tick.at for tick in chart.across.ticks}
    assert [x for x, _ in places(line.points)] == pytest.approx([across["1"], across["2"]])


def test_the_band_of_the_first_matches_does_not_dwarf_the_rest() -> None:
    history = [Point(n, 25, 16 if n == 1 else 1) for n in range(1, 51)]
    chart = chart_of("Ratings", [("ann", history)], word="matches")
    assert chart
    assert (chart.up.low, chart.up.high) == (24, 26)


def test_nothing_to_show_is_no_chart() -> None:
    assert chart_of("Ratings", [("ann", [])], word="matches") is None


def test_lines_after_the_first_are_grey() -> None:
    lines = [(str(n), [Point(1, n)]) for n in range(30)]
    chart = chart_of("Ratings", lines, word="matches")
    assert chart
    assert [line.colour for line in chart.lines] == [*range(1, COLOURS + 1), *[0] * 22]


@given(st.lists(st.floats(-1e6, 1e6), max_size=9))
def test_a_scale_shows_all_numbers_and_its_marks_are_round(numbers: list[float]) -> None:
    scale = scale_of(numbers)
    assert all(scale.low <= number <= scale.high for number in numbers)
    assert len(scale.ticks) <= 12
    assert [tick.at for tick in scale.ticks] == sorted({tick.at for tick in scale.ticks})


def test_an_open_end_reaches_the_edge() -> None:
    scale = scale_of([10, 30])
    assert interval_on(scale, None, None, None) is None
    at_least = interval_on(scale, None, 20, None)
    assert at_least
    assert (at_least.low, at_least.high, at_least.opens_low, at_least.opens_high) == (
        50, 100, False, True,
    )  # fmt: skip
    closed = interval_on(scale, 20, 15, 25)
    assert closed == (25, 50, 75, False, False)
