"""Mean points by seat, with their intervals."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.indices import VersionId
from arena.pages.site.seat_effects import EVERYONE, seat_effects, wilson
from leaderboard.matches import StoredMatch
from leaderboard.result import FORFEIT, MatchResult, SeatResult


def match(*points: float, ending: str = "played_out") -> StoredMatch:
    """Make a match of the versions 1, 2 and so on."""
    seats = tuple(
        SeatResult(VersionId(version), 1, 0, points)
        for version, points in enumerate(points, start=1)
    )
    result = MatchResult(
        *(0, 0, 0, 0, b"", ending, seats), decisions=1, time_ms=1, cage="", replay=b""
    )
    return StoredMatch(1, 7, 1, True, result)


@given(st.floats(0, 1), st.integers(1, 10_000))
def test_the_interval_contains_the_mean_and_more_matches_make_it_narrower(
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
    assert [effect.mean for effect in effects[EVERYONE]] == [0.75, 0.25]
