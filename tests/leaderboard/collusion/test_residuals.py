"""The surplus of a pair is what a plain count over its deals gives."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.indices import VersionId
from arena.scheduling.points import points_of
from leaderboard.collusion.residuals import (
    PairSurplus,
    Pattern,
    expected_share,
    surpluses_of,
)
from leaderboard.collusion.search import holm, null_spread, score_of, tail
from leaderboard.strength.fit import fit_strengths
from leaderboard.strength.sums import LeagueSums, deal_results
from tests.leaderboard.strength.simulated import Deal, simulate_league


def surplus_in(deal: Deal, strengths: Mapping[VersionId, float], version: VersionId) -> float:
    """Count the surplus of a version over the matches of a deal."""
    gained = []
    for match in deal:
        points = points_of([seat.place for seat in match])
        seat = next(at for at, each in enumerate(match) if each.version == version)
        others = [each.version for each in match if each.version != version]
        gained.append(
            float(points[seat])
            - fmean(expected_share(strengths, version, other) for other in others)
        )
    return fmean(gained)


def test_surpluses_agree_with_a_count_over_the_deals() -> None:
    deals = simulate_league(Random(3), [20.0, 24.0, 25.0, 26.0, 27.0, 31.0], 60)
    sums = LeagueSums.of(map(deal_results, deals))
    strengths = fit_strengths(sums)
    found = surpluses_of(sums.tables.items(), strengths)
    for pair in combinations(map(VersionId, range(6)), 2):
        one, other = (
            [
                surplus_in(deal, strengths, version)
                for deal in deals
                if {*pair} <= {seat.version for seat in deal[0]}
            ]
            for version in pair
        )
        for pattern, sign in ((Pattern.TRANSFER, -1), (Pattern.MUTUAL_GAIN, 1)):
            each = [(second + sign * first) / 2 for first, second in zip(one, other, strict=True)]
            surplus = found[pattern, pair]
            assert (surplus.deals, surplus.matches) == (len(each), 4 * len(each))
            assert surplus.mean == pytest.approx(fmean(each), abs=1e-12)
            assert surplus.error == pytest.approx(stdev(each) / sqrt(len(each)), abs=1e-12)


def test_partners_are_not_compared() -> None:
    deals = simulate_league(Random(3), [24.0, 25.0, 26.0, 27.0], 5, teams=True)
    sums = LeagueSums.of(map(deal_results, deals))
    pairs = {pair for _, pair in surpluses_of(sums.tables.items(), fit_strengths(sums))}
    assert pairs == set(sums.pairs())


@given(st.floats(-1, 1), st.floats(0.01, 1), st.integers(10, 1000))
def test_a_score_has_the_sign_of_the_mean_and_is_less_than_t(
    mean: float, error: float, deals: int
) -> None:
    surplus = PairSurplus()
    # Two kinds of deals, so that the mean and its standard error are as wanted.
    spread = error * sqrt(deals - 1)
    surplus.add(deals, 1, mean * deals, deals * (mean * mean + spread * spread))
    assert surplus.error == pytest.approx(error)
    assert 0 <= score_of(surplus) * (1 if mean >= 0 else -1) <= abs(mean / error) + 1e-9


def test_scores_of_many_deals_are_those_of_the_normal_distribution() -> None:
    surplus = PairSurplus()
    surplus.add(100_000, 1, 0.0, 100_000.0)
    surplus.total = 3 * surplus.error * surplus.matches
    assert score_of(surplus) == pytest.approx(3, rel=1e-3)
    assert tail(1.96) == pytest.approx(0.025, rel=1e-3)


def test_the_spread_of_scores_is_at_least_that_of_chance_and_ignores_a_few_large_ones() -> None:
    rng = Random(1)
    scores = [rng.gauss(0, 2) for _ in range(400)]
    assert null_spread([*scores, 50.0, -60.0]) == pytest.approx(2, rel=0.15)
    assert null_spread([score / 10 for score in scores]) == 1
    assert null_spread([]) == 1


@given(st.lists(st.floats(0, 1), max_size=30))
def test_the_correction_keeps_the_order_and_lies_between_one_test_and_as_many_as_there_are(
    chances: list[float],
) -> None:
    corrected = holm(chances)
    by_chance = sorted(zip(chances, corrected, strict=True))
    assert [each for _, each in by_chance] == sorted(corrected)
    for chance, each in zip(chances, corrected, strict=True):
        assert chance <= each <= min(1.0, len(chances) * chance)
    if chances:
        assert min(corrected) == min(1.0, len(chances) * min(chances))
