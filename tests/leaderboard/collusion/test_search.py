"""Guilty pairs are named, and innocent ones are not, not even beside guilty ones."""

from __future__ import annotations

from random import Random

import pytest

from leaderboard.collusion.residuals import Pattern, surpluses_of
from leaderboard.collusion.search import LEAST_EFFECT, SuspectPair, find_collusion, score_of
from leaderboard.strength.fit import fit_strengths
from tests.leaderboard.collusion.simulated import (
    CLEAN,
    FEEDER,
    FRIENDS,
    GIVEN,
    TWO_FEEDERS,
    Scheme,
    simulate_collusion,
)


def suspects_in(scheme: Scheme, *, matches: int = 2500, seed: int = 1) -> tuple[SuspectPair, ...]:
    """Search a simulated league."""
    return find_collusion(simulate_collusion(Random(seed), scheme, matches=matches)).suspects


def test_clean_leagues_have_no_suspects() -> None:
    assert [suspects_in(CLEAN, matches=1200, seed=seed) for seed in range(12)] == [()] * 12


def test_a_bot_that_feeds_another_is_named_first_with_an_interval_and_the_tables_they_share() -> (
    None
):
    (suspect,) = suspects_in(FEEDER)
    assert (suspect.pattern, suspect.first, suspect.second) == (Pattern.TRANSFER, 0, 1)
    assert LEAST_EFFECT < suspect.low < suspect.effect < suspect.high
    assert suspect.chance < 0.001
    assert suspect.matches == 4 * suspect.deals
    # Each pair sits together at one table of eleven.
    assert suspect.matches == pytest.approx(2500 / 11, rel=0.3)


def test_a_bot_that_is_fed_by_two_others_is_named_with_both() -> None:
    found = suspects_in(TWO_FEEDERS, matches=4200)
    assert {(each.first, each.second) for each in found} == {(0, 1), (2, 1)}


def test_two_that_gain_together_are_named_as_such() -> None:
    (suspect,) = suspects_in(FRIENDS, matches=4200)
    assert suspect.pattern is Pattern.MUTUAL_GAIN
    assert {suspect.first, suspect.second} == {0, 1}


def test_innocent_pairs_that_strong_collusion_makes_look_guilty_are_not_named() -> None:
    scheme = Scheme(feeders=((0, 1),), given=6 * GIVEN)
    sums = simulate_collusion(Random(2), scheme, matches=8000)
    surpluses = surpluses_of(sums.tables.items(), fit_strengths(sums))
    seeming = {pair for (_, pair), each in surpluses.items() if abs(score_of(each)) > 4}
    assert (0, 1) in seeming
    assert len(seeming) > 1
    assert [(each.first, each.second) for each in find_collusion(sums).suspects] == [(0, 1)]


def test_an_effect_that_is_too_small_to_matter_is_not_named() -> None:
    assert suspects_in(Scheme(feeders=((0, 1),), given=0.1 * GIVEN), matches=40_000) == ()


def test_a_league_says_what_it_could_have_found() -> None:
    small, large = (
        find_collusion(simulate_collusion(Random(1), CLEAN, matches=matches))
        for matches in (1000, 4000)
    )
    assert small.pairs == large.pairs == 66
    assert small.detectable
    assert large.detectable
    assert large.detectable == pytest.approx(small.detectable / 2, rel=0.15)


@pytest.mark.parametrize(("bots", "matches"), [(12, 100), (4, 4000)])
def test_pairs_with_too_few_deals_together_or_apart_are_not_tested(bots: int, matches: int) -> None:
    sums = simulate_collusion(Random(1), FEEDER, bots=bots, matches=matches)
    search = find_collusion(sums)
    assert (search.suspects, search.pairs, search.detectable) == ((), 0, None)
    assert search.untested == len(sums.pairs())


def test_a_league_without_matches_has_no_suspects() -> None:
    assert suspects_in(CLEAN, matches=0) == ()
