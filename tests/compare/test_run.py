"""Every deal counts once, in order, however it is played."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from arena.comparison.plan import NEW, OLD, ComparisonPlan, plan_for
from arena.comparison.run import ComparedDeal, ComparisonRun
from arena.games.randomness import seed_from
from arena.games.registry import game_named
from arena.indices import EntrantIndex
from arena.workers.block import NO_VERSION, MatchTerms, PackedBot
from tests.builders.leagues import FakeWorkers, Faulty, no_faults

MEOW = game_named("meow")
NAMES = ("new", "old", "foe")


def make_plan(opponents: int) -> ComparisonPlan:
    """Plan a comparison at tables of four."""
    return plan_for(MEOW, MEOW.default_parameters, opponents=opponents, seats=4)


def play_deals(
    plan: ComparisonPlan, workers: FakeWorkers, *, deals: int, jobs: int = 2
) -> Iterator[ComparedDeal]:
    """Play deals with fake workers, for which all bots are the same."""
    terms = MatchTerms(MEOW.id, MEOW.parameters_form.show(plan.parameters), "10", "none")
    players = [
        PackedBot(EntrantIndex(index), NO_VERSION, NAMES[bot], 0, "", b"", "")
        for index, bot in enumerate(plan.entrants)
    ]

    def should_stop() -> bool:
        if workers.waiting:
            workers.finish_one()
        return False

    run = ComparisonRun(plan, terms, players, seed_from(1), deals=deals)
    return run.play(workers, jobs=jobs, tables=8, should_stop=should_stop)


def play_all_deals(
    plan: ComparisonPlan, *, deals: int, faulty: Faulty = no_faults
) -> list[ComparedDeal]:
    """Play all of the deals."""
    return list(play_deals(plan, FakeWorkers(faulty), deals=deals))


@pytest.mark.parametrize("opponents", [0, 1])
def test_identical_bots_have_no_difference_in_any_deal(opponents: int) -> None:
    deals = play_all_deals(make_plan(opponents), deals=12)
    assert [deal.difference for deal in deals] == [0] * 12
    assert any(any(deal.differences) for deal in deals)


def test_the_same_seed_gives_the_same_deals_for_any_number_of_workers() -> None:
    plan = make_plan(1)

    def odd(name: str, number: int) -> bool:
        return name == "new" and number % 3 == 0

    one, *others = [
        list(play_deals(plan, FakeWorkers(odd, seed=disorder), deals=15, jobs=jobs))
        for disorder, jobs in ((0, 1), (1, 2), (2, 5))
    ]
    assert len(one) == 15
    assert others == [one, one]


@pytest.mark.parametrize(("opponents", "times"), [(0, 4), (1, 1)])
def test_a_fault_is_a_lost_match_and_is_reported(opponents: int, times: int) -> None:
    deals = play_all_deals(make_plan(opponents), deals=6, faulty=lambda name, _: name == "new")
    for deal in deals:
        assert deal.difference <= 0
        faults = [fault for fault in deal.faults if fault.bot == NEW]
        assert len(faults) == times
        assert {(fault.ending, fault.sentence) for fault in faults} == {("crashed", "it crashed")}
    assert any(deal.difference < 0 for deal in deals)
    if not opponents:
        assert {deal.difference for deal in deals} == {-1}


def test_a_fault_of_the_old_version_is_not_counted_for_the_new_one() -> None:
    deals = play_all_deals(make_plan(1), deals=3, faulty=lambda name, _: name == "old")
    assert {fault.bot for deal in deals for fault in deal.faults} == {OLD}
    assert all(deal.difference > 0 for deal in deals)


def test_a_caller_may_stop_before_all_deals_are_played() -> None:
    workers = FakeWorkers()
    assert len(list(islice(play_deals(make_plan(0), workers, deals=10_000), 5))) == 5
    assert len(workers.played) < 1000


def test_a_stop_ends_the_comparison() -> None:
    plan = make_plan(0)
    terms = MatchTerms(MEOW.id, MEOW.parameters_form.show(plan.parameters), "10", "none")
    run = ComparisonRun(plan, terms, [], seed_from(1), deals=10_000)
    assert list(run.play(FakeWorkers(), jobs=1, tables=8, should_stop=lambda: True)) == []
