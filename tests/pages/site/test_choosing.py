"""Which matches does a report pick to be looked at?"""

from __future__ import annotations

from arena.pages.site.choosing import FAULTS, first_faults, highlights
from arena.pages.site.data import Fault, kinds_of
from leaderboard.bots import Version
from leaderboard.report import FinishedMatch, FinishedSeat

VERSIONS = {
    number: Version(number, name, 1, "", (), "", "", 1, 1, "", None)
    for number, name in ((1, "ann"), (2, "ben"))
}


def match(number: int, own: int, other: int, *, crashed: bool = False) -> FinishedMatch:
    """Make up a match by its two scores."""
    won = own > other and not crashed
    seats = (
        FinishedSeat(1, 2 - won, own, float(won), "crashed" if crashed else "played", None),
        FinishedSeat(2, 1 + won, other, float(not won), "played", None),
    )
    return FinishedMatch(number, 1, number, 1, "", "played out", 1, 1, True, seats)


def test_the_widest_wins_are_the_best_and_faults_the_worst() -> None:
    scores = [(5, 1), (9, 1), (2, 1), (3, 1), (1, 9), (1, 2), (1, 3)]
    matches = [match(number, *score) for number, score in enumerate(scores)]
    matches.append(match(7, 50, 0, crashed=True))
    best, worst = highlights(matches, VERSIONS)["ann"]
    assert [one.match.number for one in best] == [1, 0, 3]
    assert [one.match.number for one in worst] == [7, 4, 6]


def test_a_match_is_not_among_the_best_and_the_worst() -> None:
    matches = [match(number, 1, 0) for number in range(4)]
    best, worst = highlights(matches, VERSIONS)["ann"]
    assert [one.match.number for one in best] == [0, 1, 2]
    assert [one.match.number for one in worst] == [3]


def test_the_first_fault_of_every_kind_comes_before_the_second_of_any() -> None:
    crashes = [Fault(match(n, 0, 1), 1, "crashed", "") for n in range(30)]
    late = Fault(match(30, 0, 1), 2, "hung up", "")
    chosen = first_faults([*crashes, late])
    assert chosen == [crashes[0], late, *crashes[1 : FAULTS - 1]]


def test_faults_of_a_kind_are_told_once() -> None:
    faults = [Fault(match(n, 0, 1), 1 + n % 2, "crashed", str(n)) for n in range(5)]
    one, other = kinds_of(faults)
    assert (one.times, one.first.sentence, one.last.sentence) == (3, "0", "4")
    assert (other.times, other.first.sentence, other.last.sentence) == (2, "1", "3")
