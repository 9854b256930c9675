"""Do the figures of seats say what was played?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.pages.site.seats import seat_effects, wilson
from leaderboard.report import FinishedMatch, FinishedSeat
from leaderboard.results import FORFEIT


def match(*points: float, ending: str = "played out") -> FinishedMatch:
    """Make up a match of the versions 1, 2 and so on."""
    seats = tuple(
        FinishedSeat(version, 1, 0, points, "played", None)
        for version, points in enumerate(points, start=1)
    )
    return FinishedMatch(1, 7, 0, 1, "", ending, 1, 1, True, seats)


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_the_interval_holds_the_mean_and_more_matches_make_it_narrower(
    mean: float, count: int
) -> None:
    low, high = wilson(mean, count)
    assert 0 <= low <= mean + 1e-9
    assert mean - 1e-9 <= high <= 1
    fewer = wilson(mean, max(1, count // 2))
    assert high - low <= fewer[1] - fewer[0] + 1e-9


def test_it_is_wilsons_interval() -> None:
    # Newcombe 1998, table I: 81 of 263 give 0.2553 to 0.3662.
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)


def test_points_are_averaged_by_seat_and_forfeits_are_left_out() -> None:
    played = [match(1.0, 0.0), match(0.5, 0.5), match(0.0, 1.0, ending=FORFEIT)]
    effects = seat_effects(played, {7: 3})
    (first,) = effects[1]
    assert (first.variant, first.seats, first.seat, first.matches) == (3, 2, 0, 2)
    assert first.mean == 0.75
    assert first.low < 0.75 < first.high
    (second,) = effects[2]
    assert (second.seat, second.mean) == (1, 0.25)
