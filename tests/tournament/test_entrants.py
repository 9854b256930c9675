"""The names under which an event lists its bots."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.tournament.entrants import display_names

bots = st.lists(st.tuples(st.sampled_from(["ann", "ben", "cat"]), st.integers(1, 9)), unique=True)


def test_a_version_is_shown_if_two_entrants_have_the_same_name() -> None:
    assert display_names([("ann", 3), ("ben", 1), ("ann", 2)]) == ["ann@3", "ben", "ann@2"]


@given(bots)
def test_no_two_entrants_have_the_same_display_name(field: list[tuple[str, int]]) -> None:
    assert len(set(display_names(field))) == len(field)
