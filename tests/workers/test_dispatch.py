"""The dispatcher hands out matches according to the workers' speed, and collects results.

With sealed deals, it ends all bots between two matches of one deal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadPackage
from arena.indices import VersionId
from arena.scheduling.pairing import PlannedMatch
from arena.workers.block import Block, MatchTerms, Report, forfeit
from arena.workers.dispatch import Dispatcher
from leaderboard.result import MatchResult
from tests.indices import entrants

AHEAD_S = 6.0
TERMS = MatchTerms("meow", "", "", "none")
ROTATIONS = 3


class Schedule:
    """Generations of matches: each deal once in every rotation."""

    def __init__(self, *generations: int) -> None:
        """Take the number of deals in each generation; ROTATIONS generations share theirs."""
        self._left = list(generations or [5_000])
        self._begun = self._first = 0
        self.forfeited: set[int] = set()

    def next_generation(self) -> Sequence[PlannedMatch]:
        """Return the next generation."""
        if self._begun == len(self._left):
            return ()
        deals = self._left[self._begun]
        first_deal = 1000 * (self._begun // ROTATIONS)
        self._begun, first = self._begun + 1, self._first
        self._first += deals
        return [
            PlannedMatch(first + deal, 0, first_deal + deal, 0, entrants(0, 1), b"seed", b"salt")
            for deal in range(deals)
        ]

    def blocks(self, matches: Sequence[PlannedMatch], *, jobs: int, tables: int) -> Iterable[Block]:
        """Cut blocks of up to 16 matches."""
        wanted = [each for each in matches if each.number not in self.forfeited]
        for first in range(0, len(wanted), 16):
            yield Block(TERMS, (), tuple(wanted[first : first + 16]), tables)


class ManualWorkers:
    """Workers that finish blocks on request, with a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0
        self.reports: list[tuple[Block, Callable[[Report], None]]] = []
        self.deals_known: list[int] = []
        """The deals of all matches that the present processes have been given."""
        self.ends = 0
        self.is_turn_over = False

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Take a block."""
        self.reports.append((block, report))
        self.deals_known += [match.deal for match in block.matches]

    def end_bots(self) -> None:
        """End the bots: nothing may be in play."""
        assert not self.reports
        self.deals_known.clear()
        self.ends += 1


@pytest.fixture
def workers() -> ManualWorkers:
    """Return workers that finish nothing yet."""
    return ManualWorkers()


def dispatch_to(
    workers: ManualWorkers, tables: int = 256, jobs: int = 2, *, sealed: bool = False
) -> Dispatcher:
    """Make a dispatcher for these workers."""
    return Dispatcher(
        workers,
        jobs=jobs,
        tables=tables,
        ahead_s=AHEAD_S,
        sealed=sealed,
        now=lambda: workers.now,
    )


def finish_all(workers: ManualWorkers, dispatcher: Dispatcher) -> int:
    """Finish all pending blocks; return the number of their matches."""
    finished = 0
    for block, report in workers.reports:
        results = [result(block, n) for n in range(len(block.matches))]
        report(Report(block, results, is_over=True))
        finished += len(block.matches)
    workers.reports.clear()
    assert len(dispatcher.collect()) == finished
    return finished


def result(block: Block, index: int) -> MatchResult:
    """Make up a result: only its number matters."""
    return forfeit(block.matches[index], (0, 1), (VersionId(1), VersionId(2)), {})


def test_bots_end_in_the_middle_of_a_generation_if_others_have_waited_for_long(
    workers: ManualWorkers,
) -> None:
    dispatcher, schedule = dispatch_to(workers, sealed=True), Schedule(100)
    dispatcher.hand_out(schedule)
    (before,) = [workers.ends]
    workers.is_turn_over = True
    dispatcher.hand_out(schedule)
    # Those in play are finished first.
    assert (dispatcher.matches_pending, workers.ends) == (32, before)
    workers.now += 2
    finish_all(workers, dispatcher)
    dispatcher.hand_out(schedule)
    assert workers.ends == before + 1
    played = {match.number for block, _ in workers.reports for match in block.matches}
    assert min(played) == 32


def test_few_matches_are_handed_out_before_the_speed_is_known(workers: ManualWorkers) -> None:
    dispatcher = dispatch_to(workers)
    dispatcher.hand_out(Schedule())
    assert dispatcher.matches_pending == 32


def test_workers_get_as_many_matches_as_they_play_in_a_few_seconds(workers: ManualWorkers) -> None:
    dispatcher, schedule = dispatch_to(workers), Schedule()
    dispatcher.hand_out(schedule)
    workers.now += 2
    # 32 matches in two seconds are 96 in six.
    assert finish_all(workers, dispatcher) == 32
    dispatcher.hand_out(schedule)
    assert dispatcher.matches_pending == 96


def test_no_more_matches_are_pending_than_fill_the_tables(workers: ManualWorkers) -> None:
    dispatcher, schedule = dispatch_to(workers, tables=10), Schedule()
    for _ in range(5):
        dispatcher.hand_out(schedule)
        workers.now += 0.001
        assert finish_all(workers, dispatcher) <= 30


def test_slow_matches_are_handed_out_few_at_a_time(workers: ManualWorkers) -> None:
    dispatcher, schedule = dispatch_to(workers), Schedule()
    for _ in range(5):
        dispatcher.hand_out(schedule)
        workers.now += 600
        assert finish_all(workers, dispatcher) == 32


def test_unplayed_matches_are_handed_out_again(workers: ManualWorkers) -> None:
    dispatcher, schedule = dispatch_to(workers), Schedule(16)
    dispatcher.hand_out(schedule)
    ((block, report),) = workers.reports
    report(Report(block, [result(block, 3)]))
    assert [each.number for each in dispatcher.collect()] == [3]
    assert dispatcher.matches_pending == 15
    report(Report(block, [result(block, 5)], is_over=True))
    assert [each.number for each in dispatcher.collect()] == [5]
    assert dispatcher.in_play == []
    workers.reports.clear()
    schedule.forfeited = {7}
    dispatcher.hand_out(schedule)
    ((again, _),) = workers.reports
    numbers = [match.number for match in again.matches]
    assert numbers == sorted(set(range(16)) - {3, 5, 7})


def test_generations_of_open_deals_follow_each_other_without_a_pause(
    workers: ManualWorkers,
) -> None:
    dispatcher = dispatch_to(workers)
    dispatcher.hand_out(Schedule(5, 5, 5, 5))
    assert dispatcher.matches_pending == 20
    assert workers.ends == 0


def test_a_void_match_is_repeated_alone_by_the_worker_that_voided_it(
    workers: ManualWorkers,
) -> None:
    dispatcher, schedule = dispatch_to(workers, sealed=True), Schedule(4, 4)
    dispatcher.hand_out(schedule)
    ((block, report),) = workers.reports
    results = [result(block, 0), result(block, 3)]
    report(Report(block, results, void=[1, 2], is_over=True, worker="1"))
    workers.reports.clear()
    assert len(dispatcher.collect()) == 2
    dispatcher.hand_out(schedule)
    ((again, _),) = workers.reports
    assert (again.worker, again.tables, workers.ends) == ("1", 1, 2)
    assert [match.number for match in again.matches] == [1, 2]
    finish_all(workers, dispatcher)
    dispatcher.hand_out(schedule)
    ((after, _),) = workers.reports
    assert (after.worker, after.tables, workers.ends) == ("", 256, 3)


def test_void_matches_of_a_bot_that_is_suspended_meanwhile_are_not_repeated(
    workers: ManualWorkers,
) -> None:
    dispatcher, schedule = dispatch_to(workers, sealed=True), Schedule(16)
    dispatcher.hand_out(schedule)
    ((block, report),) = workers.reports
    report(Report(block, void=range(16), is_over=True, worker="0"))
    workers.reports.clear()
    assert dispatcher.collect() == []
    dispatcher.hand_out(schedule)
    assert dispatcher.matches_pending == 8
    schedule.forfeited = {*range(9, 16)}
    finish_all(workers, dispatcher)
    dispatcher.hand_out(schedule)
    ((rest, _),) = workers.reports
    assert [match.number for match in rest.matches] == [8]
    assert workers.ends == 2


@given(st.lists(st.integers(1, 40), min_size=1, max_size=7), st.integers(0, 1000))
def test_nobody_who_knows_a_sealed_deal_is_there_when_it_is_played_again(
    generations: list[int], seed: int
) -> None:
    rng, workers, schedule = Random(seed), ManualWorkers(), Schedule(*generations)
    dispatcher = dispatch_to(workers, tables=rng.choice([1, 4, 256]), sealed=True)
    played: list[int] = []
    left: dict[int, set[int]] = {}
    for _ in range(10_000):
        dispatcher.hand_out(schedule)
        assert len(workers.deals_known) == len(set(workers.deals_known))
        if not workers.reports:
            break
        block, report = rng.choice(workers.reports)
        pending = left.setdefault(id(block), {*range(len(block.matches))})
        index = rng.choice(sorted(pending))
        pending.remove(index)
        number = block.matches[index].number
        is_over = not pending or rng.random() < 0.03
        void = [number] if rng.random() < 0.2 else []
        results = [] if void else [result(block, index)]
        if is_over:
            workers.reports.remove((block, report))
            del left[id(block)]
            # The rest come back unplayed: they did not begin, so nobody knows them.
            for each in pending:
                workers.deals_known.remove(block.matches[each].deal)
        report(Report(block, results, void, is_over=is_over, worker="0"))
        played += [each.number for each in dispatcher.collect()]
    assert sorted(played) == [*range(sum(generations))]


def test_an_error_of_a_worker_is_raised_when_results_are_collected(workers: ManualWorkers) -> None:
    dispatcher = dispatch_to(workers)
    dispatcher.hand_out(Schedule())
    block, report = workers.reports[0]
    report(Report(block, is_over=True, error=BadPackage("it is broken")))
    with pytest.raises(BadPackage, match="it is broken"):
        dispatcher.collect()
