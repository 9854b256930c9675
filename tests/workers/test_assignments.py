"""Chunks reach every worker, and nothing is lost or counted twice when workers die."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from arena.games.randomness import Seed
from arena.scheduling.pairing import PlannedMatch
from arena.workers.assignments import (
    MAX_LOSSES,
    MAX_MATCHES,
    Assignments,
    BlockKillsWorkers,
    ChunkTask,
)
from arena.workers.block import Block, Report, VoidMatch, blocks_of
from arena.workers.dispatch import Dispatcher
from leaderboard.result import Machine, MatchResult
from tests.builders.blocks import make_block
from tests.builders.bots import bot_folder, packed_bot


@pytest.fixture(scope="module")
def block(tmp_path_factory: pytest.TempPathFactory) -> Block:
    """Return a block of 120 matches: 40 deals in three rotations."""
    folder = tmp_path_factory.mktemp("bots")
    bots = [packed_bot(bot_folder(folder, name), n) for n, name in enumerate("abc")]
    return make_block(*bots, deals=40, first=0)


def numbers_in(task: ChunkTask) -> set[int]:
    """Return the numbers of the matches of a task."""
    return {match.number for match in task.block.matches}


def seeds_in(task: ChunkTask) -> set[Seed]:
    """Return the seeds of the deals of a task."""
    return {match.seed for match in task.block.matches}


class FakeCluster:
    """Workers whose tasks end, or which die, when a test says so."""

    is_turn_over = False

    def __init__(self) -> None:
        """Start without workers."""
        self.tasks: list[ChunkTask] = []
        self.reports: list[Report] = []
        self.assignments = Assignments(self.tasks.append, cage="none")
        self.known: dict[str, set[Seed]] = {}
        """The deals that bots on a machine have begun since all bots ended."""

    def add(self, name: str, machine: str) -> None:
        """Add a worker."""
        self.assignments.add_worker(name, name, Machine(machine, 1.0))

    def play(self, block: Block, report: Callable[[Report], None] | None = None) -> None:
        """Play a block as a pool does."""
        self.assignments.play(block, report or self.reports.append)

    def end_bots(self) -> None:
        """End all bots; nothing is in play."""
        assert not self.tasks
        self.known.clear()

    def finish(self, task: ChunkTask, void: int = 0) -> None:
        """Let a task end; its first matches are void."""
        self.tasks.remove(task)
        self._begin(task)
        played: list[MatchResult | VoidMatch] = [
            # It says only which match was played.
            MatchResult(*match[:4], match.seed, "played_out", (), 0, 0, "", b"")
            for match in task.block.matches
        ]
        played[:void] = [VoidMatch(result.number) for result in played[:void]]
        self.assignments.add_results(task.number, played)

    def finish_all(self) -> None:
        """Let all tasks end."""
        while self.tasks:
            self.finish(self.tasks[0])

    def lose(self, worker: str) -> None:
        """Let a worker die with all its tasks."""
        lost = [task for task in self.tasks if task.worker == worker]
        for task in lost:
            self._begin(task)
            self.tasks.remove(task)
        self.assignments.lose_worker(worker)
        for task in lost:
            # What comes after that is ignored.
            self.assignments.add_results(task.number, [])

    def _begin(self, task: ChunkTask) -> None:
        known = self.known.setdefault(task.worker[0], set())
        if task.block.terms.sealed:
            assert known.isdisjoint(seeds_in(task)), "bots that know the deal are alive"
        known |= seeds_in(task)

    @property
    def results(self) -> list[MatchResult]:
        """All results so far."""
        return [result for report in self.reports for result in report.results]

    @property
    def void(self) -> list[int]:
        """The numbers of all void matches so far."""
        return [number for report in self.reports for number in report.void]


class Source:
    """Hands out the three generations of a block."""

    def __init__(self, block: Block, *, sealed: bool) -> None:
        """Take the block."""
        self._block = replace(block, terms=replace(block.terms, sealed=sealed))
        self._generations = [block.matches[first : first + 40] for first in range(0, 120, 40)]

    def next_generation(self) -> Sequence[PlannedMatch]:
        """Return the next generation, until there is none."""
        return self._generations.pop(0) if self._generations else ()

    def blocks(self, matches: Sequence[PlannedMatch], *, jobs: int, tables: int) -> Iterator[Block]:
        """Return one block."""
        bots = self._block.bots
        return blocks_of(self._block.terms, matches, bots, tables=tables, max_bots=9)


def play_event(
    cluster: FakeCluster, block: Block, *, sealed: bool, step: Callable[[], None]
) -> list[MatchResult]:
    """Play all matches of a block as an event does; return the results."""
    dispatcher = Dispatcher(cluster, jobs=4, tables=8, ahead_s=6.0, sealed=sealed)
    source = Source(block, sealed=sealed)
    results: list[MatchResult] = []
    while len(results) < len(block.matches):
        dispatcher.hand_out(source)
        step()
        results += dispatcher.collect()
    return results


def test_a_block_is_spread_over_all_workers_in_chunks_of_limited_size(block: Block) -> None:
    cluster = FakeCluster()
    for worker in ("a0", "a1", "b0", "b1", "b2"):
        cluster.add(worker, worker[0])
    cluster.play(block)
    cluster.play(block)
    assert {task.worker for task in cluster.tasks} == {"a0", "a1", "b0", "b1", "b2"}
    assert max(len(task.block.matches) for task in cluster.tasks) <= MAX_MATCHES
    cluster.finish_all()
    assert Counter(result.number for result in cluster.results) == Counter(2 * list(range(120)))
    assert [report.is_over for report in cluster.reports].count(True) == 2


def test_all_matches_of_a_deal_are_played_on_one_machine_although_others_come(block: Block) -> None:
    cluster = FakeCluster()
    names = (f"{machine}{number}" for number in range(1000) for machine in "abcdefgh")

    def step() -> None:
        name = next(names)
        cluster.add(name, name[0])
        while cluster.tasks:
            cluster.finish(cluster.tasks[0])

    results = play_event(cluster, block, sealed=True, step=step)
    machines: dict[int, set[Machine | None]] = {}
    for result in results:
        machines.setdefault(result.deal, set()).add(result.machine)
    assert all(len(found) == 1 for found in machines.values())


@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("seed", range(30))
def test_every_match_is_counted_once_when_workers_die_and_come(
    block: Block, seed: int, sealed: bool
) -> None:
    rng = Random(seed)
    cluster = FakeCluster()
    names = (f"{machine}{number}" for number in range(10000) for machine in "abc")
    alive = [next(names) for _ in range(4)]
    deaths = 6
    for worker in alive:
        cluster.add(worker, worker[0])

    def step() -> None:
        nonlocal deaths
        if alive and deaths and rng.random() < 0.2:
            deaths -= 1
            cluster.lose(alive.pop(rng.randrange(len(alive))))
        if not alive or rng.random() < 0.1:
            alive.append(next(names))
            cluster.add(alive[-1], alive[-1][0])
        for _ in range(rng.randrange(1, 4)):
            if cluster.tasks:
                cluster.finish(rng.choice(cluster.tasks), void=rng.choice((0, 0, 0, 1)))

    try:
        results = play_event(cluster, block, sealed=sealed, step=step)
    except BlockKillsWorkers:
        assert deaths <= 6 - MAX_LOSSES
    else:
        assert Counter(result.number for result in results) == Counter(range(120))


def test_the_matches_of_a_lost_machine_are_void_and_it_is_not_blamed_on_them(block: Block) -> None:
    cluster = FakeCluster()
    for worker in ("a0", "a1", "a2", "a3", "a4", "b0"):
        cluster.add(worker, worker[0])

    def step() -> None:
        for number in range(5):
            cluster.lose(f"a{number}")
        cluster.finish_all()

    results = play_event(cluster, block, sealed=True, step=step)
    assert Counter(result.number for result in results) == Counter(range(120))
    assert {result.machine for result in results} == {Machine("b", 1.0)}


def test_a_void_match_goes_back_to_its_worker_or_else_to_its_machine(block: Block) -> None:
    cluster = FakeCluster()
    for worker in ("a0", "a1", "b0", "b1"):
        cluster.add(worker, worker[0])
    first = replace(block, matches=block.matches[:40])
    cluster.play(first)
    task = next(task for task in cluster.tasks if task.worker == "b1")
    cluster.finish(task, void=1)
    assert cluster.reports[-1].worker == "b1"
    (number,) = cluster.void
    again = [match for match in block.matches if match.number == number]
    cluster.play(replace(block, matches=tuple(again), worker="b1"))
    assert (cluster.tasks[-1].worker, numbers_in(cluster.tasks[-1])) == ("b1", {number})
    cluster.lose("b1")
    cluster.play(replace(block, matches=tuple(again), worker="b1"))
    assert (cluster.tasks[-1].worker, numbers_in(cluster.tasks[-1])) == ("b0", {number})


@pytest.mark.parametrize("workers", [1, 3])
def test_a_match_that_brings_down_every_worker_is_named_and_no_other(
    block: Block, workers: int
) -> None:
    cluster = FakeCluster()
    names = (f"a{number}" for number in range(100))
    for _ in range(workers):
        cluster.add(next(names), "a")

    def step() -> None:
        # A worker plays its chunks one after another.
        task = cluster.tasks[0]
        if 7 in numbers_in(task):
            cluster.lose(task.worker)
            cluster.add(next(names), "a")
        else:
            cluster.finish(task)

    with pytest.raises(BlockKillsWorkers) as caught:
        play_event(cluster, block, sealed=True, step=step)
    sentence = str(caught.value)
    assert sentence.startswith("4 workers died while they played match 7 between ")
    assert all(name in sentence for name in ("a@1", "b@1", "c@1"))


def test_matches_are_named_together_if_it_is_unclear_which_brings_workers_down(
    block: Block,
) -> None:
    cluster = FakeCluster()
    names = (f"a{number}" for number in range(100))
    cluster.add(next(names), "a")

    def step() -> None:
        cluster.lose(cluster.tasks[0].worker)
        cluster.add(next(names), "a")

    with pytest.raises(BlockKillsWorkers, match=r"the same \d+ matches \(\d+ to \d+\)"):
        play_event(cluster, block, sealed=False, step=step)


def test_a_package_travels_to_a_worker_once(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.play(block)
    sent = [bot.hash for task in cluster.tasks for bot in task.bots]
    assert sorted(sent) == sorted(bot.hash for bot in block.bots)
    assert all(bot.package == b"" for task in cluster.tasks for bot in task.block.bots)
    cluster.finish_all()
    cluster.play(block)
    assert not any(task.bots for task in cluster.tasks)
    cluster.lose("a0")
    cluster.add("b0", "b")
    cluster.play(block)
    again = [bot.hash for task in cluster.tasks for bot in task.bots]
    assert sorted(again) == sorted(sent)


def test_a_worker_that_has_forgotten_its_packages_gets_them_again(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.play(block.part(block.matches[:60]))
    cluster.play(block.part(block.matches[60:]))
    forgetful = cluster.tasks.pop()
    assert not forgetful.bots
    cluster.assignments.send_again(forgetful.number)
    assert set(cluster.tasks[-1].bots) == set(block.bots)
    cluster.finish_all()
    assert Counter(result.number for result in cluster.results) == Counter(range(120))


def test_a_block_waits_for_a_worker(block: Block) -> None:
    cluster = FakeCluster()
    cluster.play(block)
    assert cluster.assignments.is_stuck
    assert cluster.tasks == []
    cluster.add("a0", "a")
    assert not cluster.assignments.is_stuck
    assert sum(len(task.block.matches) for task in cluster.tasks) == 120


def test_matches_that_were_returned_unplayed_are_no_part_of_the_report(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.play(block)
    while cluster.tasks:
        cluster.assignments.add_results(cluster.tasks.pop(0).number, [])
    assert cluster.reports[-1].is_over
    assert (cluster.results, cluster.void) == ([], [])


def test_an_error_is_reported_for_every_block(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.play(block)
    cluster.assignments.fail(ValueError("no"))
    cluster.play(block)
    assert [str(report.error) for report in cluster.reports] == ["no", "no"]
