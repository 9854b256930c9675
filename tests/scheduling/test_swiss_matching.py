"""`cheapest_matching` finds a perfect matching of least cost."""

from __future__ import annotations

from functools import cache
from math import inf
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.scheduling.swiss.matching import cheapest_matching

Costs = dict[tuple[int, int], int]


def graph(rng: Random, vertices: int, *, density: float, highest: int) -> Costs:
    """Draw the possible pairs and their costs."""
    return {
        (one, other): rng.randint(0, highest)
        for other in range(vertices)
        for one in range(other)
        if rng.random() < density
    }


def graph_of(text: str) -> Costs:
    """Read pairs with their costs."""
    return {(int(word[0]), int(word[1])): int(word[3:]) for word in text.split()}


def least_cost(vertices: int, costs: Costs) -> float:
    """Find the least cost by trying all perfect matchings."""

    @cache
    def least(unmatched: frozenset[int]) -> float:
        if not unmatched:
            return 0
        one = min(unmatched)
        mates = [other for other in unmatched if (one, other) in costs]
        return min(
            (costs[one, other] + least(unmatched - {one, other}) for other in mates), default=inf
        )

    return least(frozenset(range(vertices)))


@given(
    vertices=st.integers(0, 6).map(lambda half: 2 * half),
    density=st.sampled_from([0.3, 0.6, 1.0]),
    highest=st.sampled_from([1, 5, 100]),
    rng=st.randoms(use_true_random=False),
)
def test_no_perfect_matching_is_cheaper(
    vertices: int, density: float, highest: int, rng: Random
) -> None:
    costs = graph(rng, vertices, density=density, highest=highest)
    mates = cheapest_matching(vertices, [(*pair, cost) for pair, cost in costs.items()])
    if mates is None:
        assert least_cost(vertices, costs) == inf
        return
    assert [mates[mate] for mate in mates] == list(range(vertices))
    paid = sum(costs[one, other] for one, other in enumerate(mates) if one < other)
    assert paid == least_cost(vertices, costs)


@pytest.mark.parametrize("seed", range(3))
def test_costs_of_any_size_are_exact(seed: int) -> None:
    costs = graph(Random(seed), 14, density=1.0, highest=6)
    unit = 10**40
    mates = cheapest_matching(14, [(*pair, unit * cost + 1) for pair, cost in costs.items()])
    assert mates is not None
    paid = sum(costs[one, other] for one, other in enumerate(mates) if one < other)
    assert paid == least_cost(14, costs)


def test_the_remains_of_a_blossom_can_be_reached_again() -> None:
    costs = graph_of("02:1 12:0 03:1 13:0 04:2 24:1 34:1 15:1 25:0 35:1 26:2 07:2 37:1 57:3")
    mates = cheapest_matching(8, [(*pair, cost) for pair, cost in costs.items()])
    assert mates is not None
    assert sum(costs[one, other] for one, other in enumerate(mates) if one < other) == 6
