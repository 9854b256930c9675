"""The points of a match follow from its places."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.games.outcome import places_by
from arena.scheduling.points import points_of


@pytest.mark.parametrize(
    ("places", "sixths"),
    [
        ((1, 2), (6, 0)),
        ((1, 1), (3, 3)),
        ((3, 1, 2), (0, 6, 3)),
        ((1, 2, 3, 4), (6, 4, 2, 0)),
        ((1, 1, 3, 4), (5, 5, 2, 0)),
        ((1, 2, 2, 2), (6, 2, 2, 2)),
    ],
    ids=str,
)
def test_places_are_worth_one_point_down_to_none_and_ties_share(
    places: tuple[int, ...], sixths: tuple[int, ...]
) -> None:
    assert points_of(places) == tuple(Fraction(n, 6) for n in sixths)


def test_partners_get_the_same_points() -> None:
    assert list(points_of((1, 2, 1, 2), (0, 1, 0, 1))) == [1, 0, 1, 0]
    assert points_of((2, 3, 1, 2, 3, 1), (0, 1, 2, 0, 1, 2)) == tuple(
        Fraction(n, 2) for n in (1, 0, 2, 1, 0, 2)
    )


@given(st.lists(st.integers(0, 5), min_size=2, max_size=6))
def test_the_points_of_a_match_add_up_to_half_a_point_per_seat(merits: list[int]) -> None:
    assert sum(points_of(places_by(merits))) == Fraction(len(merits), 2)
