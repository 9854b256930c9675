"""Does everybody understand what came of a comparison?"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from arena.compare.bots import Bot
from arena.compare.plan import NEW, plan_for
from arena.compare.playing import Deal, Fault
from arena.compare.sequence import Sequence, Verdict
from arena.compare.telling import Account
from arena.games.registry import game_named

MEOW = game_named("meow")
BOTS = tuple(Bot(f"./{name}", name, name, b"", "") for name in ("kitten", "cat", "foe"))
HALF = Fraction(1, 2)


def account(
    halves: Iterable[tuple[int, int]], *, opponents: int = 0, faults: tuple[Fault, ...] = ()
) -> Account:
    """Tell of deals whose two matches came out as so many halves each."""
    plan = plan_for(MEOW, MEOW.default_parameters, opponents=opponents, seats=4)
    told = Account(plan, BOTS, Sequence(error=0.05, margin=0.02))
    for one, other in halves:
        told.add(Deal((one * HALF, other * HALF), faults))
    return told


@pytest.mark.parametrize(
    ("halves", "sentence"),
    [
        ((1, 1), "Better: new gets 1.000 points a match more than old; new - old is between +0."),
        ((-1, -1), "Worse: new gets 1.000 points a match less than old; new - old is between -1."),
        (
            (1, -1),
            "No difference worth having: new and old are less than 0.02 points a match apart",
        ),
    ],
)
def test_the_verdict_is_a_sentence(halves: tuple[int, int], sentence: str) -> None:
    told = account([halves] * 400).verdict_told()
    assert told.startswith(sentence)
    assert told.endswith("95 % sure.")


def test_who_does_not_know_says_what_would_help() -> None:
    told = account([(1, -1), (0, 1), (1, -1), (0, 0)] * 4)
    assert told.verdict is Verdict.UNKNOWN
    assert told.verdict_told().startswith("Not known yet: so far new - old is +0.125 points a ")
    assert told.verdict_told().endswith(" more deals would tell.")
    assert told.line().startswith("new - old +0.125  95 % interval -0.")
    assert "  16 deals  about " in told.line()
    assert told.document()["deals_expected"] > 0


def test_at_first_nothing_is_expected() -> None:
    assert account([]).line() == (
        "new - old +0.000  95 % interval -1.000 to +1.000  0 deals  more to come"
    )
    assert account([(1, 1)] * 5).document()["deals_expected"] is None


@pytest.mark.parametrize(
    ("deals", "told"),
    [
        ([(1, -1), (-1, 1), (1, -1)], "saved 100 % of the matches"),
        ([(1, 1), (-1, -1), (1, 1)], "saved no matches"),
        ([(1, -1), (-1, 1), (1, 0)], "a ratio of 0.14"),
    ],
)
def test_it_is_told_what_the_same_deals_saved(deals: list[tuple[int, int]], told: str) -> None:
    assert told in account(deals).saved()


@pytest.mark.parametrize(
    ("opponents", "told"),
    [
        (0, "2 deals of MEOW at tables of 4, 2 of each version, every deal twice"),
        (1, "2 deals of MEOW at tables of 4 against foe, foe, foe, every deal with new and with"),
    ],
)
def test_it_is_told_what_was_measured(opponents: int, told: str) -> None:
    assert told in account([(0, 0)] * 2, opponents=opponents).measured()


def test_faults_are_counted_and_the_first_is_told() -> None:
    faults = (Fault(NEW, "crashed", "it ended with 3"), Fault(2, "hung up", "it said nothing"))
    told = account([(-1, -1)] * 3, faults=faults)
    assert told.faults_told() == [
        "new faulted 3 times in 6 matches, first: crashed: it ended with 3",
        "foe faulted 3 times in 6 matches, first: hung up: it said nothing",
    ]
    assert told.line().endswith("6 faults")
