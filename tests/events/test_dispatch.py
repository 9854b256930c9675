"""Is as much handed out as workers play in a few seconds, and does everything come back?"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.errors import BadPackage
from arena.events.dispatch import Dispatch
from arena.events.work import Block, Terms, forfeit
from arena.events.workers import Report
from arena.scheduling.pairing import PlannedMatch
from leaderboard.results import Result
from tests.events.test_work import dealt

AHEAD_S = 6.0
TERMS = Terms("meow", "", "", "none")


class Schedule:
    """Matches without end, or with one."""

    def __init__(self, matches: int = 10**6) -> None:
        self.handed_out = 0
        self._left = matches

    def more(self, size: int) -> list[Block]:
        """Cut a block."""
        size = min(size, self._left)
        self._left -= size
        first, self.handed_out = self.handed_out, self.handed_out + size
        numbers = range(first, first + size)
        matches = tuple(dealt(PlannedMatch(n, 0, n, 0, (0, 1))) for n in numbers)
        return [Block(TERMS, (), matches, 8, 1)] if size else []


class Hands:
    """Workers that finish what they are told to, by a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.reports: list[tuple[Block, Callable[[Report], None]]] = []

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Take a block."""
        self.reports.append((block, report))


@pytest.fixture
def hands() -> Hands:
    """Give workers."""
    return Hands()


def dispatch_to(hands: Hands, tables: int = 256, jobs: int = 2) -> Dispatch:
    """Hand out to these."""
    return Dispatch(hands, jobs=jobs, tables=tables, ahead_s=AHEAD_S, now=lambda: hands.now)


def finish_all(hands: Hands, dispatch: Dispatch) -> int:
    """Let all that is out come back; return how many matches that were."""
    finished = 0
    for block, report in hands.reports:
        report(Report(block, [result(block, n) for n in range(len(block.matches))], is_over=True))
        finished += len(block.matches)
    hands.reports.clear()
    results, handed_back = dispatch.take()
    assert len(results) == finished
    assert handed_back == set()
    return finished


def result(block: Block, place: int) -> Result:
    """Make a result up: nothing but its number is looked at."""
    match, seed, _ = block.matches[place]
    return forfeit(match, seed, (0, 1), (1, 2), {})


def test_little_is_handed_out_before_anything_is_known(hands: Hands) -> None:
    dispatch = dispatch_to(hands)
    dispatch.fill(Schedule().more)
    assert dispatch.matches_out == 32


def test_workers_have_as_much_as_they_play_in_a_few_seconds(hands: Hands) -> None:
    dispatch, schedule = dispatch_to(hands), Schedule()
    dispatch.fill(schedule.more)
    hands.now += 2
    # 32 matches in two seconds are 96 in six.
    assert finish_all(hands, dispatch) == 32
    dispatch.fill(schedule.more)
    assert dispatch.matches_out == 96


def test_no_more_is_out_than_fills_the_tables(hands: Hands) -> None:
    dispatch, schedule = dispatch_to(hands, tables=10), Schedule()
    for _ in range(5):
        dispatch.fill(schedule.more)
        hands.now += 0.001
        assert finish_all(hands, dispatch) <= 30


def test_slow_matches_are_handed_out_few_at_a_time(hands: Hands) -> None:
    dispatch, schedule = dispatch_to(hands), Schedule()
    for _ in range(5):
        dispatch.fill(schedule.more)
        hands.now += 600
        assert finish_all(hands, dispatch) == 32


def test_what_was_not_played_comes_back(hands: Hands) -> None:
    dispatch = dispatch_to(hands)
    dispatch.fill(Schedule(matches=16).more)
    ((block, report),) = hands.reports
    report(Report(block, [result(block, 3)]))
    assert dispatch.take()[1] == set()
    assert dispatch.matches_out == 15
    report(Report(block, [result(block, 5)], is_over=True))
    results, handed_back = dispatch.take()
    assert [each.number for each in results] == [5]
    assert handed_back == set(range(16)) - {3, 5}
    assert dispatch.in_play == []


def test_an_error_of_a_worker_is_raised_where_results_are_taken(hands: Hands) -> None:
    dispatch = dispatch_to(hands)
    dispatch.fill(Schedule().more)
    block, report = hands.reports[0]
    report(Report(block, is_over=True, error=BadPackage("it is broken")))
    with pytest.raises(BadPackage, match="it is broken"):
        dispatch.take()
