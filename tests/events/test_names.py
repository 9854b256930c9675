"""Can the bots of an event be told apart by their names?"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from arena.events.names import names_of

bots = st.lists(st.tuples(st.sampled_from(["ann", "ben", "cat"]), st.integers(1, 9)), unique=True)


def test_a_version_is_named_where_two_bots_have_one_name() -> None:
    assert names_of([("ann", 3), ("ben", 1), ("ann", 2)]) == ["ann@3", "ben", "ann@2"]


@given(bots)
def test_no_two_versions_are_named_alike(field: list[tuple[str, int]]) -> None:
    assert len(set(names_of(field))) == len(field)
