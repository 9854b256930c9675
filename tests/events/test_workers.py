"""Do workers in processes of their own bring everything back, and say so when they cannot?"""

from __future__ import annotations

import multiprocessing
import pickle
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.errors import ArenaError, BadPackage
from arena.events.room import play_block
from arena.events.work import Block
from arena.events.workers import Report, WorkerDied, _sendable, local_workers
from arena.games.randomness import seed_from
from tests.events.blocks import block
from tests.events.folders import HONEST, bot_folder, contender

PATIENCE_S = 60


@pytest.fixture
def blocks(tmp_path: Path) -> list[Block]:
    """Give blocks of two bots, in two lanes."""
    bots = [contender(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in (1, 2)]
    return [replace(block(*bots, first=100 * n, secret=seed_from(n)), lane=n % 2) for n in range(4)]


def reported(blocks: list[Block], jobs: int) -> list[Report]:
    """Have blocks played, and return all reports until none is missing."""
    queue: SimpleQueue[Report] = SimpleQueue()
    reports: list[Report] = []
    with local_workers(jobs) as workers:
        for each in blocks:
            workers.play(each, queue.put)
        while sum(report.is_over for report in reports) < len(blocks):
            reports.append(queue.get(timeout=PATIENCE_S))
    return reports


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_every_block_comes_back_once_with_all_its_results(blocks: list[Block], jobs: int) -> None:
    before = multiprocessing.active_children()
    reports = reported(blocks, jobs)
    for each in blocks:
        mine = [report for report in reports if report.block is each]
        results = sorted(result for report in mine for result in report.results)
        assert [result.number for result in results] == [
            result.number for result in sorted(play_block(each))
        ]
        assert [report.error for report in mine] == [None] * len(mine)
    assert multiprocessing.active_children() == before


def test_a_block_that_cannot_be_played_says_why_and_the_others_are_played(
    blocks: list[Block],
) -> None:
    good, other = blocks[0].contenders
    bad = replace(blocks[2], contenders=(good, replace(other, hash="another", package=b"broken")))
    reports = reported([blocks[0], bad], 1)
    (error,) = [report.error for report in reports if report.block is bad]
    assert isinstance(error, BadPackage)
    played = [len(report.results) for report in reports if report.block is blocks[0]]
    assert sum(played) == len(blocks[0].matches)


def test_what_a_dead_worker_had_is_reported_as_lost(blocks: list[Block]) -> None:
    queue: SimpleQueue[Report] = SimpleQueue()
    before = set(multiprocessing.active_children())
    with local_workers(1) as workers:
        workers.play(blocks[0], queue.put)
        (process,) = set(multiprocessing.active_children()) - before
        process.kill()
        process.join()
        report = queue.get(timeout=PATIENCE_S)
        while not report.is_over:
            report = queue.get(timeout=PATIENCE_S)
        assert isinstance(report.error, WorkerDied)
        # So is what it is given afterwards.
        workers.play(blocks[1], queue.put)
        assert isinstance(queue.get(timeout=PATIENCE_S).error, WorkerDied)


class Odd(Exception):
    """An error that cannot be put together again."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def test_an_error_that_cannot_travel_is_told_all_the_same() -> None:
    told = _sendable(Odd("this", "that"))
    assert isinstance(told, ArenaError)
    assert str(pickle.loads(pickle.dumps(told))) == "Odd: this and that"
    kept = BadPackage("it is broken")
    assert _sendable(kept) is kept
