"""Strengths do not depend on the order, follow the results, and cover the truth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import erfc, log, sqrt
from random import Random

import pytest
import trueskill
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.indices import VersionId
from leaderboard.strength.distributions import pull, student_quantile
from leaderboard.strength.fit import MEAN
from leaderboard.strength.league import describe
from leaderboard.strength.matrix import Matrix, small_inverse, zeros
from leaderboard.strength.strengths import Strengths, strengths_of
from leaderboard.strength.sums import DealResults, LeagueSums, PairResult, SeatPlace, deal_results
from tests.leaderboard.strength.simulated import BETA, Deal, simulate_league

ONE, TWO, THREE, FOUR = (VersionId(number) for number in range(1, 5))
UNIT = sqrt(2) * BETA
SIGMA = 4 * 25 / 3
SPREAD = [20.0, 22.0, 24.0, 25.0, 26.0, 28.0, 30.0]


def a_match(*places: int, sides: str = "0123") -> list[SeatPlace]:
    """Return a match in which version 1 has the first seat, version 2 the second, and so on."""
    return [
        SeatPlace(VersionId(seat + 1), int(sides[seat]), place) for seat, place in enumerate(places)
    ]


def fit(deals: Iterable[DealResults]) -> Strengths:
    """Return the strengths that follow from some deals."""
    return strengths_of(LeagueSums.of(deals))


def fitted(league: list[Deal]) -> Strengths:
    """Return the strengths that follow from a league."""
    return fit(deal_results(deal) for deal in league)


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.booleans())
def test_shuffled_deals_matches_and_seats_give_the_same_bits(seed: int, teams: bool) -> None:
    """Shuffle everything that has an order."""
    rng = Random(seed)
    league = simulate_league(rng, SPREAD, 30, teams=teams)
    before = fitted(league)
    shuffled = [
        [rng.sample(match, len(match)) for match in rng.sample(deal, len(deal))]
        for deal in rng.sample(league, len(league))
    ]
    after = fitted(shuffled)
    assert after == before
    assert after.ranks(after.versions) == before.ranks(before.versions)


def test_equal_results_give_equal_strengths() -> None:
    """Each of the four was once first, once second, once third and once last."""
    places = [1, 2, 3, 4]
    deal = [a_match(*places[at:], *places[:at]) for at in range(4)]
    strengths = fitted([deal, deal])
    assert strengths.strengths == pytest.approx([MEAN] * 4)
    assert strengths.chance_better(ONE, TWO) == pytest.approx(0.5)
    assert strengths.ranks(strengths.versions).interval(ONE) == (1, 4)


def test_the_mean_of_all_strengths_is_that_of_the_prior() -> None:
    """Intervals are relative to the mean, so the centre must not drift."""
    strengths = fitted(simulate_league(Random(3), SPREAD, 40))
    assert sum(strengths.strengths) / len(SPREAD) == pytest.approx(MEAN)
    assert (trueskill.MU, trueskill.BETA, 4 * trueskill.SIGMA) == (MEAN, BETA, SIGMA)


@settings(max_examples=10)
@given(st.integers(0, 2**32))
def test_one_more_win_raises_a_strength(seed: int) -> None:
    """The winner's strength rises, the loser's falls."""
    league = [deal_results(deal) for deal in simulate_league(Random(seed), SPREAD, 20)]
    before = fit(league)
    one, other = before.versions[0], before.versions[-1]
    after = fit([*league, {(one, other): PairResult(1.0, 1)}])
    assert after.strength(one) > before.strength(one)
    assert after.strength(other) < before.strength(other)


def test_partners_are_never_compared() -> None:
    """The seats of a side share a place, which is not a tie."""
    results = deal_results([a_match(1, 2, 1, 2, sides="0101")])
    assert results == {
        (ONE, TWO): (1.0, 1),
        (TWO, THREE): (0.0, 1),
        (ONE, FOUR): (1.0, 1),
        (THREE, FOUR): (1.0, 1),
    }


def test_a_tie_is_half_a_win_for_each() -> None:
    """Two ties are worth a win and a loss."""
    ties = deal_results([a_match(1, 1)] * 2)
    assert ties == deal_results([a_match(1, 2), a_match(2, 1)])


def test_a_league_without_results_has_no_strengths() -> None:
    """Neither has one whose deals had no opponents."""
    assert fit([]).versions == ()
    assert fit([{}]).versions == ()


def log_posterior(deals: list[DealResults], strengths: dict[VersionId, float]) -> float:
    """Return the logarithm of prior and likelihood, computed pair by pair."""
    total = -sum(((each - 25) / SIGMA) ** 2 / 2 for each in strengths.values())
    for deal in deals:
        for (one, other), (score, matches) in deal.items():
            z = (strengths[one] - strengths[other]) / UNIT
            total += score * log(erfc(-z / sqrt(2)) / 2)
            total += (matches - score) * log(erfc(z / sqrt(2)) / 2)
    return total


@pytest.mark.parametrize("teams", [False, True])
def test_no_other_strengths_are_more_probable(teams: bool) -> None:
    """Move each strength a little: the posterior falls on both sides, by the same amount."""
    deals = [deal_results(deal) for deal in simulate_league(Random(5), SPREAD, 12, teams=teams)]
    found = fit(deals)
    best = dict(zip(found.versions, found.strengths, strict=True))
    top = log_posterior(deals, best)
    for version in found.versions:
        low, high = (
            log_posterior(deals, best | {version: best[version] + move}) - top
            for move in (-0.01, 0.01)
        )
        assert low < 0
        assert high == pytest.approx(low, rel=0.01)


def product(one: Matrix, other: Matrix) -> Matrix:
    """Multiply two matrices."""
    columns = list(zip(*other, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one
    ]


def reference_covariance(deals: list[DealResults], found: Strengths) -> Matrix:
    """Work out the sandwich deal by deal, with matrices of full size."""
    size = len(found.versions)
    index = {version: at for at, version in enumerate(found.versions)}
    z_of = {
        (one, other): (found.strength(one) - found.strength(other)) / UNIT
        for one in found.versions
        for other in found.versions
    }
    totals = {pair: [0.0, 0] for pair in z_of}
    for deal in deals:
        for pair, (score, matches) in deal.items():
            totals[pair][0] += score
            totals[pair][1] += matches

    def curvature(deal: DealResults) -> Matrix:
        matrix = zeros(size)
        for pair, (_, matches) in deal.items():
            z, (score, count) = z_of[pair], totals[pair]
            wins, losses = pull(z) * (pull(z) + z), pull(-z) * (pull(-z) - z)
            bend = matches / count * (score * wins + (count - score) * losses) / UNIT**2
            one, other = (index[version] for version in pair)
            for at, by, sign in (
                (one, one, 1),
                (other, other, 1),
                (one, other, -1),
                (other, one, -1),
            ):
                matrix[at][by] += sign * bend
        return matrix

    prior = zeros(size)
    for at in range(size):
        prior[at][at] = 1 / SIGMA**2
    whole = [list(row) for row in prior]
    for deal in deals:
        whole = [
            [a + b for a, b in zip(*rows, strict=True)]
            for rows in zip(whole, curvature(deal), strict=True)
        ]
    bread = small_inverse(whole)
    played = [sum(any(version in pair for pair in deal) for deal in deals) for version in index]
    filling = [
        [
            prior[at][by] + (whole[at][by] - prior[at][by]) / sqrt(played[at] * played[by])
            for by in range(size)
        ]
        for at in range(size)
    ]
    for deal in deals:
        slope = [[0.0] for _ in range(size)]
        for pair, (score, matches) in deal.items():
            z = z_of[pair]
            value = (score * pull(z) - (matches - score) * pull(-z)) / UNIT
            slope[index[pair[0]]][0] += value
            slope[index[pair[1]]][0] -= value
        system = [[-value for value in row] for row in product(curvature(deal), bread)]
        for at in range(size):
            system[at][at] += 1
        influence = product(small_inverse(system), slope)
        filling = [
            [filling[at][by] + influence[at][0] * influence[by][0] for by in range(size)]
            for at in range(size)
        ]
    return product(product(bread, filling), bread)


@pytest.mark.parametrize("teams", [False, True])
def test_the_covariance_is_that_of_leaving_out_each_deal(teams: bool) -> None:
    """Adding up deals by their tables changes nothing but the rounding."""
    deals = [deal_results(deal) for deal in simulate_league(Random(8), SPREAD[:5], 25, teams=teams)]
    found = fit(deals)
    expected = reference_covariance(deals, found)
    for row, expected_row in zip(found.covariance, expected, strict=True):
        assert row == pytest.approx(expected_row, rel=1e-9, abs=1e-12)


def test_the_intervals_cover_the_truth_about_as_often_as_they_say() -> None:
    """The figures for many more leagues are in leaderboard/README.md."""
    covered = count = 0
    for seed in range(12):
        rng = Random(seed)
        truth = [rng.gauss(25, BETA) for _ in range(8)]
        found = fitted(simulate_league(rng, truth, 60))
        centre = sum(truth) / len(truth)
        for version in found.versions:
            low, high = found.interval(version)
            assert low is not None
            assert high is not None
            covered += low <= truth[version] - centre + MEAN <= high
            count += 1
    assert count == 96
    assert 86 <= covered <= 95


def width(found: Strengths, version: VersionId) -> float:
    """Return the width of an interval with two ends."""
    low, high = found.interval(version)
    assert low is not None
    assert high is not None
    return high - low


def test_more_deals_narrow_the_intervals() -> None:
    """Four times as many deals give about half the width."""
    few, many = (fitted(simulate_league(Random(2), SPREAD, deals)) for deals in (100, 400))
    for version in few.versions:
        assert 0.35 < width(many, version) / width(few, version) < 0.7


def test_the_ranks_of_bots_far_apart_are_certain() -> None:
    """Their chance to be first is 1 or 0, and their rank a single number."""
    found = fitted(simulate_league(Random(4), [10.0, 20.0, 30.0, 40.0], 100))
    best = VersionId(3)
    ranks = found.ranks(found.versions)
    assert ranks.first(best) == 1
    assert ranks.interval(best) == (1, 1)
    assert found.chance_better(best, VersionId(0)) > 0.999


def test_ranks_can_be_counted_among_some_versions() -> None:
    """Those of retired versions are left out."""
    found = fitted(simulate_league(Random(4), SPREAD, 100))
    some = found.versions[:3]
    ranks = found.ranks(some)
    assert sum(ranks.first(version) for version in some) == pytest.approx(1)
    assert ranks.interval(some[0])[1] <= 3


def test_draws_have_the_mean_and_the_covariance_of_the_fit() -> None:
    """Thompson sampling seats bots by such draws."""
    found = fitted(simulate_league(Random(6), SPREAD, 40))
    draws = list(found.draws(Random(1), 4000))
    values = [draw[0] - draw[1] for draw in draws]
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    own = found.covariance
    assert mean == pytest.approx(found.strengths[0] - found.strengths[1], abs=0.1)
    assert variance == pytest.approx(own[0][0] + own[1][1] - 2 * own[0][1], rel=0.1)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(3, 3.18245), (5, 2.57058), (10, 2.22814), (1e9, 1.95996)]
)
def test_the_quantiles_of_student_are_those_of_the_tables(degrees: float, quantile: float) -> None:
    """The tables give them for a two-sided interval of 95 %."""
    assert student_quantile(0.975, degrees) == pytest.approx(quantile, rel=0.002)


def renumbered(league: list[Deal], numbers: Mapping[VersionId, int]) -> list[Deal]:
    """Give every version another number."""
    return [
        [
            [each._replace(version=VersionId(numbers[each.version])) for each in match]
            for match in deal
        ]
        for deal in league
    ]


@pytest.mark.parametrize("seed", range(3))
def test_ranks_do_not_depend_on_the_numbers_of_versions(seed: int) -> None:
    """Not even where nothing tells two bots apart: 7 and 8 have the same results."""
    rng = Random(seed)
    league = simulate_league(rng, [25.0, 25.0, 26.0, 24.0, 28.0, 25.5], 12)
    for twin in (7, 8):
        seats = [VersionId(each) for each in (twin, 0, 1, 2)]
        for places in ((1, 2, 3, 4), (4, 3, 2, 1), (2, 1, 4, 3)):
            league.append([list(map(SeatPlace, seats, range(4), places))] * 4)
    versions = sorted({seat.version for deal in league for match in deal for seat in match})
    numbers = dict(zip(versions, rng.sample(range(50), len(versions)), strict=True))
    before, after = fitted(league), fitted(renumbered(league, numbers))
    old, new = before.ranks(before.versions), after.ranks(after.versions)
    assert old.shares[VersionId(7)] == old.shares[VersionId(8)]
    for version, number in numbers.items():
        assert new.shares[VersionId(number)] == pytest.approx(old.shares[version])
        assert new.interval(VersionId(number)) == old.interval(version)


def test_bots_that_never_met_are_in_groups_with_a_scale_each() -> None:
    """The second group is stronger by far, which no result shows."""
    rng = Random(5)
    weak = simulate_league(rng, SPREAD, 30)
    strong = simulate_league(rng, [strength + 30 for strength in SPREAD], 30)
    moved = renumbered(strong, {VersionId(at): at + 100 for at in range(len(SPREAD))})
    lines = describe(fitted(weak + moved), [*map(VersionId, range(200))])
    alone = describe(fitted(weak), [*map(VersionId, range(200))])
    assert [line.group_number for line in lines] == [1] * len(SPREAD) + [2] * len(SPREAD)
    assert sorted(line.rank or 0 for line in lines) == sorted([*range(1, len(SPREAD) + 1)] * 2)
    for one, other in zip(alone, lines, strict=False):
        assert other.strength == pytest.approx(one.strength)
        assert other.high == pytest.approx(one.high)
        assert other[7:] == one[7:]


def test_a_bot_that_nobody_finished_ahead_of_is_at_least_so_strong() -> None:
    """One that always lost has no lower end, and the others have both."""
    league = simulate_league(Random(6), SPREAD, 30)
    best, worst = VersionId(50), VersionId(51)
    for at in range(4):
        seats = [best, VersionId(at), VersionId(at + 1), worst]
        league += [[[SeatPlace(each, n, n + 1) for n, each in enumerate(seats)]] * 4]
    found = fitted(league)
    low, high = found.interval(best)
    assert low is not None
    assert high is None
    assert low > found.strength(VersionId(4))
    assert found.interval(worst)[0] is None
    assert all(None not in found.interval(VersionId(number)) for number in range(len(SPREAD)))
    one_loss = [[SeatPlace(VersionId(0), 0, 1), SeatPlace(best, 1, 2)]]
    assert None not in fitted([*league, one_loss]).interval(best)


def test_a_chain_of_bots_that_always_win_has_no_middle() -> None:
    """Nothing bounds the gaps between them."""
    chain = fitted([[a_match(1, 2, 3)] * 3] * 4)
    (best, middle, worst) = map(chain.interval, chain.versions)
    assert best[0] is not None
    assert (best[1], middle, worst[0]) == (None, (None, None), None)
