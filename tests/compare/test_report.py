"""The sentences and values in which a comparison is reported."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from arena.comparison.bots import ComparedBot
from arena.comparison.confidence import ConfidenceSequence, Verdict
from arena.comparison.plan import FIRST_OPPONENT, NEW, plan_for
from arena.comparison.report import ComparisonReport
from arena.comparison.run import ComparedDeal, ComparisonFault
from arena.games.registry import game_named
from arena.secret import make_secret

MEOW = game_named("meow")
BOTS = tuple(ComparedBot(f"./{name}", name, name, b"", "") for name in ("kitten", "cat", "foe"))
HALF = Fraction(1, 2)
SECRET = make_secret(seed=1, secret=None)


def report_of(
    halves: Iterable[tuple[int, int]],
    *,
    opponents: int = 0,
    faults: tuple[ComparisonFault, ...] = (),
) -> ComparisonReport:
    """Report deals whose two matches have these differences, in halves."""
    plan = plan_for(MEOW, MEOW.default_parameters, opponents=opponents, seats=4)
    report = ComparisonReport(plan, BOTS, ConfidenceSequence(error=0.05, margin=0.02), SECRET)
    for one, other in halves:
        report.add(ComparedDeal((one * HALF, other * HALF), faults))
    return report


@pytest.mark.parametrize(
    ("halves", "sentence"),
    [
        ((1, 1), "Better: new gets 1.000 points per match more than old; new - old is between +0."),
        (
            (-1, -1),
            "Worse: new gets 1.000 points per match less than old; new - old is between -1.",
        ),
        (
            (1, -1),
            "No difference worth having: new and old are less than 0.02 points per match apart",
        ),
    ],
)
def test_the_verdict_is_a_sentence(halves: tuple[int, int], sentence: str) -> None:
    verdict = report_of([halves] * 400).verdict_sentence()
    assert verdict.startswith(sentence)
    assert verdict.endswith("(95 % confidence).")


def test_an_open_verdict_says_how_many_deals_are_missing() -> None:
    report = report_of([(1, -1), (0, 1), (1, -1), (0, 0)] * 4)
    assert report.verdict is Verdict.UNKNOWN
    assert report.verdict_sentence().startswith("Not known yet: so far new - old is +0.125 points ")
    assert report.verdict_sentence().endswith(" more deals should decide it.")
    assert report.line().startswith("new - old +0.125  95 % interval -0.")
    assert "  16 deals  about " in report.line()
    assert report.document()["deals_expected"] > 0


def test_at_first_no_number_of_deals_is_expected() -> None:
    assert report_of([]).line() == (
        "new - old +0.000  95 % interval -1.000 to +1.000  0 deals  more to come"
    )
    assert report_of([(1, 1)] * 5).document()["deals_expected"] is None


@pytest.mark.parametrize(
    ("deals", "sentence"),
    [
        ([(1, -1), (-1, 1), (1, -1)], "saved 100 % of the matches"),
        ([(1, 1), (-1, -1), (1, 1)], "saved no matches"),
        ([(1, -1), (-1, 1), (1, 0)], "a ratio of 0.14"),
    ],
)
def test_the_matches_saved_by_equal_deals_are_reported(
    deals: list[tuple[int, int]], sentence: str
) -> None:
    assert sentence in report_of(deals).savings_sentence()


@pytest.mark.parametrize(
    ("opponents", "sentence"),
    [
        (0, "2 deals of MEOW at tables of 4, 2 of each version, every deal twice"),
        (1, "2 deals of MEOW at tables of 4 against foe, foe, foe, every deal with new and with"),
    ],
)
def test_the_report_says_what_was_measured(opponents: int, sentence: str) -> None:
    assert sentence in report_of([(0, 0)] * 2, opponents=opponents).method_sentence()


def test_faults_are_counted_and_the_first_is_described() -> None:
    faults = (
        ComparisonFault(NEW, "crashed", "it ended with 3"),
        ComparisonFault(FIRST_OPPONENT, "hung_up", "it said nothing"),
    )
    report = report_of([(-1, -1)] * 3, faults=faults)
    assert report.fault_sentences() == [
        "new faulted 3 times in 6 matches, first: crashed: it ended with 3",
        "foe faulted 3 times in 6 matches, first: closed the connection: it said nothing",
    ]
    assert report.line().endswith("6 faults")
