"""Chunks reach every worker, and nothing is lost or counted twice when workers die."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from arena.workers.cluster.chunk_state import ChunkTask
from arena.workers.cluster.chunks import MAX_MATCHES

from arena.workers.block import Block
from arena.workers.cluster.assignments import Assignments, BlockKillsWorkers
from arena.workers.pool import Report
from leaderboard.result import Machine, MatchResult
from tests.builders.blocks import make_block
from tests.builders.bots import bot_folder, packed_bot


@pytest.fixture(scope="module")
def block(tmp_path_factory: pytest.TempPathFactory) -> Block:
    """Return a block of 120 matches: 40 deals in three rotations."""
    folder = tmp_path_factory.mktemp("bots")
    bots = [packed_bot(bot_folder(folder, name), n) for n, name in enumerate("abc", 1)]
    return make_block(*bots, deals=40, first=0)


def results_of(task: ChunkTask) -> list[MatchResult]:
    """Return results that say only which matches were played."""
    return [
        MatchResult(*match[:4], seed, "played_out", (), 0, 0, "", b"")
        for (match, seed, _), _ in task.block.matches
    ]


class FakeCluster:
    """Workers whose tasks end, or which die, when a test says so."""

    def __init__(self) -> None:
        """Start without workers."""
        self.tasks: list[ChunkTask] = []
        self.reports: list[Report] = []
        self.assignments = Assignments(self.tasks.append, cage="none")

    def add(self, name: str, machine: str) -> None:
        """Add a worker."""
        self.assignments.add_worker(name, name, Machine(machine, 1.0))

    def finish(self, task: ChunkTask) -> None:
        """Let a task end."""
        self.tasks.remove(task)
        self.assignments.finish(task.number, results_of(task))

    def lose(self, worker: str) -> None:
        """Let a worker die with all its tasks."""
        self.tasks[:] = [task for task in self.tasks if task.worker != worker]
        self.assignments.lose_worker(worker)

    @property
    def results(self) -> list[MatchResult]:
        """All results so far."""
        return [result for report in self.reports for result in report.results]


def machines_by_deal(results: list[MatchResult]) -> dict[int, set[str]]:
    """Return the machines on which the matches of each deal were played."""
    found: dict[int, set[str]] = {}
    for result in results:
        assert result.machine
        found.setdefault(result.deal, set()).add(result.machine.name)
    return found


def test_all_matches_of_a_deal_are_played_on_one_machine(block: Block) -> None:
    cluster = FakeCluster()
    for worker in ("a0", "a1", "b0", "b1", "b2", "b3", "b4"):
        cluster.add(worker, worker[0])
    cluster.assignments.play(block, cluster.reports.append)
    used = {task.worker for task in cluster.tasks}
    assert len(used) == 7
    assert max(len(task.block.matches) for task in cluster.tasks) <= MAX_MATCHES
    while cluster.tasks:
        cluster.finish(cluster.tasks[0])
    assert len(cluster.results) == 120
    assert all(len(machines) == 1 for machines in machines_by_deal(cluster.results).values())
    assert [report.is_over for report in cluster.reports].count(True) == 1


@pytest.mark.parametrize("seed", range(30))
def test_every_match_is_counted_once_when_workers_die_and_come(block: Block, seed: int) -> None:
    rng = Random(seed)
    cluster = FakeCluster()
    names = (f"{machine}{number}" for number in range(1000) for machine in "abc")
    alive = [next(names) for _ in range(4)]
    for worker in alive:
        cluster.add(worker, worker[0])
    cluster.assignments.play(block, cluster.reports.append)
    steps = 0
    while not any(report.is_over for report in cluster.reports):
        steps += 1
        if alive and steps < 60 and rng.random() < 0.3:
            cluster.lose(alive.pop(rng.randrange(len(alive))))
        if not alive or rng.random() < 0.3:
            alive.append(next(names))
            cluster.add(alive[-1], alive[-1][0])
        # Those that are played alone always end here: the deaths have other causes.
        if cluster.tasks and rng.random() < 0.7:
            cluster.finish(rng.choice(cluster.tasks))
        if any(report.error for report in cluster.reports):
            break
    if any(report.error for report in cluster.reports):
        assert steps < 60
        return
    assert Counter(result.number for result in cluster.results) == Counter(range(120))
    assert all(len(machines) == 1 for machines in machines_by_deal(cluster.results).values())


def test_a_lost_machine_is_not_blamed_on_its_matches(block: Block) -> None:
    cluster = FakeCluster()
    for worker in ("a0", "b0", "c0", "d0"):
        cluster.add(worker, worker[0])
    cluster.assignments.play(block, cluster.reports.append)
    for worker in ("a0", "b0", "c0"):
        cluster.lose(worker)
    while cluster.tasks:
        cluster.finish(cluster.tasks[0])
    assert Counter(result.number for result in cluster.results) == Counter(range(120))
    assert {result.machine for result in cluster.results} == {Machine("d", 1.0)}


def test_matches_that_bring_down_every_worker_are_reported_with_their_bots(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("w0", "a")
    cluster.assignments.play(block, cluster.reports.append)
    for number in range(1, 100):
        if any(report.error for report in cluster.reports):
            break
        poisoned = [
            task
            for task in cluster.tasks
            if any(match.dealt.match.number == 7 for match in task.block.matches)
        ]
        if poisoned:
            cluster.lose(poisoned[0].worker)
            cluster.add(f"w{number}", "a")
        else:
            cluster.finish(cluster.tasks[0])
    error = cluster.reports[-1].error
    assert isinstance(error, BlockKillsWorkers)
    assert "between a@1, b@1, c@1" in str(error)
    assert "died while they played nothing but" in str(error)


def test_a_package_travels_to_a_worker_once(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.assignments.play(block, cluster.reports.append)
    sent = [hash for task in cluster.tasks for hash in task.packages]
    assert sorted(sent) == sorted(bot.hash for bot in block.bots)
    assert all(bot.package == b"" for task in cluster.tasks for bot in task.block.bots)
    cluster.add("b0", "b")
    cluster.lose("a0")
    again = [hash for task in cluster.tasks for hash in task.packages]
    assert sorted(again) == sorted(sent)


def test_a_worker_that_has_forgotten_its_packages_gets_them_again(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.assignments.play(block, cluster.reports.append)
    forgetful = cluster.tasks.pop()
    assert not forgetful.packages
    cluster.assignments.send_again(forgetful.number)
    assert set(cluster.tasks[-1].packages) == {bot.hash for bot in block.bots}
    while cluster.tasks:
        cluster.finish(cluster.tasks[0])
    assert Counter(result.number for result in cluster.results) == Counter(range(120))


def test_a_block_waits_for_a_worker(block: Block) -> None:
    cluster = FakeCluster()
    cluster.assignments.play(block, cluster.reports.append)
    assert cluster.assignments.is_stuck
    assert cluster.tasks == []
    cluster.add("a0", "a")
    assert not cluster.assignments.is_stuck
    assert sum(len(task.block.matches) for task in cluster.tasks) == 120


def test_matches_that_were_returned_unplayed_go_back_to_their_machine(block: Block) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.assignments.play(block, cluster.reports.append)
    while cluster.tasks:
        task = cluster.tasks.pop(0)
        cluster.assignments.finish(task.number, [])
    assert cluster.reports[-1].is_over
    assert cluster.results == []
    cluster.add("b0", "b")
    cluster.assignments.play(block, cluster.reports.append)
    assert {task.worker for task in cluster.tasks} == {"a0"}


def test_an_error_is_reported_for_every_block(block: Block, tmp_path: Path) -> None:
    cluster = FakeCluster()
    cluster.add("a0", "a")
    cluster.assignments.play(block, cluster.reports.append)
    cluster.assignments.fail(ValueError("no"))
    cluster.assignments.play(block, cluster.reports.append)
    assert [str(report.error) for report in cluster.reports] == ["no", "no"]
