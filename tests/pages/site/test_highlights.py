"""The matches that a report selects for replay pages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from arena.indices import VersionId
from arena.pages.site.data import ListedFault, group_faults
from arena.pages.site.highlights import FAULTS, first_faults, highlights, worth_watching
from leaderboard.bots import Version
from leaderboard.matches import StoredMatch
from leaderboard.result import MatchResult, SeatResult

VERSIONS = {
    number: Version(VersionId(number), name, 1, "", (), "", "", 1, 1, "", None)
    for number, name in ((1, "ann"), (2, "ben"))
}


def match(number: int, own: int, other: int, *, crashed: bool = False) -> StoredMatch:
    """Make a match with two scores."""
    won = own > other and not crashed
    seats = (
        SeatResult(VersionId(1), 2 - won, own, float(won), "crashed" if crashed else "played"),
        SeatResult(VersionId(2), 1 + won, other, float(not won)),
    )
    result = MatchResult(
        *(number, 0, 0, 0, b"", "played_out", seats), decisions=1, time_ms=1, cage="", replay=b""
    )
    return StoredMatch(number, 1, 1, True, result)


def test_the_widest_wins_are_the_best_and_faults_the_worst() -> None:
    scores = [(5, 1), (9, 1), (2, 1), (3, 1), (1, 9), (1, 2), (1, 3)]
    matches = [match(number, *score) for number, score in enumerate(scores)]
    matches.append(match(7, 50, 0, crashed=True))
    best, worst = highlights(matches, VERSIONS)["ann"]
    assert [one.match.result.number for one in best] == [1, 0, 3]
    assert [one.match.result.number for one in worst] == [7, 4, 6]


def test_no_match_is_among_both_the_best_and_the_worst() -> None:
    matches = [match(number, 1, 0) for number in range(4)]
    best, worst = highlights(matches, VERSIONS)["ann"]
    assert [one.match.result.number for one in best] == [0, 1, 2]
    assert [one.match.result.number for one in worst] == [3]


def test_the_first_fault_of_every_kind_comes_before_the_second_of_any() -> None:
    crashes = [ListedFault(match(n, 0, 1), 1, "crashed", "") for n in range(30)]
    late = ListedFault(match(30, 0, 1), 2, "hung_up", "")
    chosen = first_faults([*crashes, late])
    assert chosen == [crashes[0], late, *crashes[1 : FAULTS - 1]]


def test_faults_are_grouped_by_kind() -> None:
    faults = [ListedFault(match(n, 0, 1), 1 + n % 2, "crashed", str(n)) for n in range(5)]
    one, other = group_faults(faults)
    assert (one.times, one.first.sentence, one.last.sentence) == (3, "0", "4")
    assert (other.times, other.first.sentence, other.last.sentence) == (2, "1", "3")


def reasons(*scores: tuple[int, int]) -> list[str]:
    """Return why matches of a league are worth watching, in which Ann is ranked before Ben."""
    matches = [match(number, *each) for number, each in enumerate(scores)]
    ranks = [SimpleNamespace(variant_id=1, version_id=rank, rank=rank) for rank in (1, 2)]
    details = SimpleNamespace(variant=1, event=SimpleNamespace(game="meow"))
    # Only what is looked at, hence Any.
    league: Any = SimpleNamespace(
        ratings=ranks, versions=VERSIONS, events={1: details}, matches=lambda: matches
    )
    return [each.reason for each in worth_watching(league)]


def test_a_finish_by_the_tie_break_an_upset_and_a_record_are_worth_watching() -> None:
    assert reasons((9, 9), (1, 5), (30, 2), (9, 4)) == [
        "The closest finish: ben beats ann at equal scores, 9 points each.",
        "The greatest upset: ben, rank 2, beats ann, rank 1.",
        "The highest score in MEOW: ann has 30 points.",
    ]
