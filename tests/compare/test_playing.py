"""Does every deal count once, by its turn, however it is played?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from arena.compare.plan import NEW, OLD, Plan, plan_for
from arena.compare.playing import Deal, Run
from arena.events.work import Contender, Terms
from arena.games.randomness import seed_from
from arena.games.registry import game_named
from tests.events.leagues import Faulty, PretendedWorkers, nobody

MEOW = game_named("meow")
NAMES = ("new", "old", "foe")


def planned(opponents: int) -> Plan:
    """Plan a comparison at tables of four."""
    return plan_for(MEOW, MEOW.default_parameters, opponents=opponents, seats=4)


def playing(plan: Plan, workers: PretendedWorkers, *, deals: int, jobs: int = 2) -> Iterator[Deal]:
    """Play deals with pretended workers, for whom all bots are the same."""
    terms = Terms(MEOW.id, MEOW.parameters_form.show(plan.parameters), "10", "none")
    players = [
        Contender(number, NAMES[bot], 0, "", b"", "") for number, bot in enumerate(plan.players)
    ]

    def stops() -> bool:
        if workers._waiting:
            workers.finish_one()
        return False

    run = Run(plan, terms, players, seed_from(1), deals=deals)
    return run.play(workers, jobs=jobs, tables=8, stops=stops)


def played(plan: Plan, *, deals: int, faulty: Faulty = nobody) -> list[Deal]:
    """Play all of the deals."""
    return list(playing(plan, PretendedWorkers(faulty), deals=deals))


@pytest.mark.parametrize("opponents", [0, 1])
def test_bots_that_do_the_same_have_no_difference_in_any_deal(opponents: int) -> None:
    deals = played(planned(opponents), deals=12)
    assert [deal.difference for deal in deals] == [0] * 12
    assert any(any(deal.differences) for deal in deals)


def test_the_same_seed_gives_the_same_deals_however_many_workers_there_are() -> None:
    plan = planned(1)

    def odd(name: str, number: int) -> bool:
        return name == "new" and number % 3 == 0

    one, *others = [
        list(playing(plan, PretendedWorkers(odd, seed=disorder), deals=15, jobs=jobs))
        for disorder, jobs in ((0, 1), (1, 2), (2, 5))
    ]
    assert len(one) == 15
    assert others == [one, one]


@pytest.mark.parametrize(("opponents", "matches"), [(0, 2), (1, 4)])
def test_a_fault_is_a_lost_match_and_is_reported(opponents: int, matches: int) -> None:
    deals = played(planned(opponents), deals=6, faulty=lambda name, _: name == "new")
    for deal in deals:
        assert deal.difference < 0
        faults = [fault for fault in deal.faults if fault.bot == NEW]
        assert len(faults) == matches * (1 if opponents else 2)
        assert {(fault.ending, fault.sentence) for fault in faults} == {("crashed", "it crashed")}
    if not opponents:
        assert {deal.difference for deal in deals} == {-1}


def test_the_fault_of_the_old_version_is_not_the_new_ones() -> None:
    deals = played(planned(1), deals=3, faulty=lambda name, _: name == "old")
    assert {fault.bot for deal in deals for fault in deal.faults} == {OLD}
    assert all(deal.difference > 0 for deal in deals)


def test_who_has_seen_enough_need_not_wait_for_the_rest() -> None:
    workers = PretendedWorkers()
    assert len(list(islice(playing(planned(0), workers, deals=10_000), 5))) == 5
    assert len(workers.played) < 1000


def test_a_stop_ends_it() -> None:
    plan = planned(0)
    terms = Terms(MEOW.id, MEOW.parameters_form.show(plan.parameters), "10", "none")
    run = Run(plan, terms, [], seed_from(1), deals=10_000)
    assert list(run.play(PretendedWorkers(), jobs=1, tables=8, stops=lambda: True)) == []
