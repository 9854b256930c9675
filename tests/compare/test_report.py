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
        ((1, 1), "Better by at least 0.9"),
        ((-1, -1), "Worse by at least 0.9"),
        ((1, -1), "No difference worth having: less than 0.02 points a match"),
    ],
)
def test_the_verdict_is_a_sentence(halves: tuple[int, int], sentence: str) -> None:
    verdict = report_of([halves] * 400).verdict_sentence()
    assert verdict.startswith(sentence)
    mean = "+0.000" if sum(halves) == 0 else "1.000"
    assert verdict.endswith(f" points a match (95 %, whenever you stop); so far {mean}.")


def test_an_open_verdict_says_how_many_deals_are_missing() -> None:
    report = report_of([(1, -1), (0, 1), (1, -1), (0, 0)] * 4)
    assert report.verdict is Verdict.UNKNOWN
    assert report.verdict_sentence().startswith("Not known yet: new - old is between -0.")
    assert "(95 %, whenever you stop); so far +0.125. " in report.verdict_sentence()
    assert report.verdict_sentence().endswith(" more deals should decide it.")
    assert report.line().startswith("new - old +0.125  95 % interval -0.")
    assert "  16 deals  about " in report.line()
    assert report.document()["deals_expected"] > 0


def test_at_first_no_number_of_deals_is_expected() -> None:
    report = report_of([])
    assert report.line() == "no deal is over yet  the bots start"
    assert report.verdict_sentence() == "Not known yet: no deal is over."
    assert report_of([(1, 1)] * 5).document()["deals_expected"] is None


@pytest.mark.parametrize(
    ("deals", "sentence"),
    [
        ([(1, -1), (-1, 1), (1, -1)], "saved 100 % of the matches"),
        ([(1, 1), (-1, -1), (1, 1)], "saved no matches"),
        ([(1, -1), (-1, 1), (1, 0)], "a ratio of 0.14"),
    ],
)
def test_the_matches_saved_by_equal_deals_are_explained(
    deals: list[tuple[int, int]], sentence: str
) -> None:
    assert sentence in report_of(deals).explanation()[-1]
    assert sentence not in str(report_of(deals))


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
    assert "  6 faults  " in report.line()


def test_nothing_that_a_bot_says_is_markup_in_a_summary() -> None:
    said = "it printed <b>@all</b> | [x](http://x)\n# title"
    fault = ComparisonFault(NEW, "crashed", said)
    summary = report_of([(0, 0)], faults=(fault,)).markdown()
    assert "| faults | new 1 |\n" in summary
    (line,) = [line for line in summary.splitlines() if line.startswith("- ")]
    assert r"\<b\>\@all\</b\> \| \[x\](http://x)" in line
    assert "\n# title" not in summary
