"""The dispatcher hands out matches according to the workers' speed, and collects results."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from arena.errors import BadPackage
from arena.indices import BotIndex, VersionId
from arena.scheduling.pairing import PlannedMatch
from arena.workers.block import Block, BlockMatch, MatchTerms, forfeit
from arena.workers.dispatch import Dispatcher
from arena.workers.pool import Report
from leaderboard.result import MatchResult
from tests.indices import entrants
from tests.workers.test_block import deal_match

AHEAD_S = 6.0
TERMS = MatchTerms("meow", "", "", "none")


class Schedule:
    """A schedule of many matches, or of a given number."""

    def __init__(self, matches: int = 10**6) -> None:
        self.handed_out = 0
        self._left = matches

    def more(self, size: int) -> list[Block]:
        """Cut a block."""
        size = min(size, self._left)
        self._left -= size
        first, self.handed_out = self.handed_out, self.handed_out + size
        numbers = range(first, first + size)
        matches = tuple(
            BlockMatch(
                deal_match(PlannedMatch(n, 0, n, 0, entrants(0, 1))), (BotIndex(0), BotIndex(1))
            )
            for n in numbers
        )
        return [Block(TERMS, (), matches, 8, 1)] if size else []


class ManualWorkers:
    """Workers that finish blocks on request, with a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.reports: list[tuple[Block, Callable[[Report], None]]] = []

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Take a block."""
        self.reports.append((block, report))


@pytest.fixture
def workers() -> ManualWorkers:
    """Return workers that finish nothing yet."""
    return ManualWorkers()


def dispatch_to(workers: ManualWorkers, tables: int = 256, jobs: int = 2) -> Dispatcher:
    """Make a dispatcher for these workers."""
    return Dispatcher(workers, jobs=jobs, tables=tables, ahead_s=AHEAD_S, now=lambda: workers.now)


def finish_all(workers: ManualWorkers, dispatcher: Dispatcher) -> int:
    """Finish all pending blocks; return the number of their matches."""
    finished = 0
    for block, report in workers.reports:
        report(Report(block, [result(block, n) for n in range(len(block.matches))], is_over=True))
        finished += len(block.matches)
    workers.reports.clear()
    results, unplayed = dispatcher.collect()
    assert len(results) == finished
    assert unplayed == set()
    return finished


def result(block: Block, index: int) -> MatchResult:
    """Make up a result: only its number matters."""
    (match, seed, _), _ = block.matches[index]
    return forfeit(match, seed, (0, 1), (VersionId(1), VersionId(2)), {})


def test_few_matches_are_handed_out_before_the_speed_is_known(workers: ManualWorkers) -> None:
    dispatcher = dispatch_to(workers)
    dispatcher.hand_out(Schedule().more)
    assert dispatcher.matches_pending == 32


def test_workers_get_as_many_matches_as_they_play_in_a_few_seconds(workers: ManualWorkers) -> None:
    dispatcher, schedule = dispatch_to(workers), Schedule()
    dispatcher.hand_out(schedule.more)
    workers.now += 2
    # 32 matches in two seconds are 96 in six.
    assert finish_all(workers, dispatcher) == 32
    dispatcher.hand_out(schedule.more)
    assert dispatcher.matches_pending == 96


def test_no_more_matches_are_pending_than_fill_the_tables(workers: ManualWorkers) -> None:
    dispatcher, schedule = dispatch_to(workers, tables=10), Schedule()
    for _ in range(5):
        dispatcher.hand_out(schedule.more)
        workers.now += 0.001
        assert finish_all(workers, dispatcher) <= 30


def test_slow_matches_are_handed_out_few_at_a_time(workers: ManualWorkers) -> None:
    dispatcher, schedule = dispatch_to(workers), Schedule()
    for _ in range(5):
        dispatcher.hand_out(schedule.more)
        workers.now += 600
        assert finish_all(workers, dispatcher) == 32


def test_unplayed_matches_are_handed_back(workers: ManualWorkers) -> None:
    dispatcher = dispatch_to(workers)
    dispatcher.hand_out(Schedule(matches=16).more)
    ((block, report),) = workers.reports
    report(Report(block, [result(block, 3)]))
    assert dispatcher.collect()[1] == set()
    assert dispatcher.matches_pending == 15
    report(Report(block, [result(block, 5)], is_over=True))
    results, unplayed = dispatcher.collect()
    assert [each.number for each in results] == [5]
    assert unplayed == set(range(16)) - {3, 5}
    assert dispatcher.in_play == []


def test_an_error_of_a_worker_is_raised_when_results_are_collected(workers: ManualWorkers) -> None:
    dispatcher = dispatch_to(workers)
    dispatcher.hand_out(Schedule().more)
    block, report = workers.reports[0]
    report(Report(block, is_over=True, error=BadPackage("it is broken")))
    with pytest.raises(BadPackage, match="it is broken"):
        dispatcher.collect()
