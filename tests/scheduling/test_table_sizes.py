"""The tables of a round seat as many entrants as possible."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadInput
from arena.scheduling.table_sizes import table_sizes

ALLOWED = [{2, 3, 4, 5, 6}, {3, 4, 5, 6}, {3, 4, 5}, {2, 3, 4, 5}, {4, 6}]


@given(st.sampled_from(ALLOWED), st.integers(2, 24), st.data())
def test_no_other_tables_have_fewer_byes_or_fewer_tables_of_another_size(
    allowed: set[int], entrants: int, data: st.DataObject
) -> None:
    wanted = data.draw(st.sampled_from(sorted(allowed)))
    near = [size for size in allowed if abs(size - wanted) <= (wanted > 2)]
    possible = [
        sizes
        for tables in range(1, entrants // min(near) + 1)
        for sizes in combinations_with_replacement(near, tables)
        if sum(sizes) <= entrants and max(sizes) - min(sizes) <= 1
    ]
    if not possible:
        with pytest.raises(BadInput, match="too few"):
            table_sizes(entrants, wanted=wanted, allowed=allowed)
        return
    sizes = table_sizes(entrants, wanted=wanted, allowed=allowed)
    assert tuple(sorted(sizes)) in {tuple(sorted(other)) for other in possible}
    assert sum(sizes) == max(map(sum, possible))
    assert len(sizes) - sizes.count(wanted) == min(
        len(other) - other.count(wanted) for other in possible if sum(other) == sum(sizes)
    )


def test_a_size_that_the_game_does_not_allow_is_refused() -> None:
    with pytest.raises(BadInput, match="tables of 5 are not possible here: choose one of 4, 6"):
        table_sizes(10, wanted=5, allowed={4, 6})
