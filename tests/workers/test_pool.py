"""Worker processes return all results, and report blocks that they cannot play."""

from __future__ import annotations

import multiprocessing
import pickle
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.errors import BadPackage
from arena.games.randomness import seed_from
from arena.workers.block import Block
from arena.workers.pool import Report, WorkerDied, _sendable, local_pool
from tests.builders.blocks import make_block, play_block
from tests.builders.bots import HONEST, bot_folder, packed_bot
from tests.escapes.observe import descendants

PATIENCE_S = 60


@pytest.fixture
def blocks(tmp_path: Path) -> list[Block]:
    """Return blocks of two bots, for two workers."""
    bots = [packed_bot(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in (1, 2)]
    return [make_block(*bots, first=100 * n, secret=seed_from(n)) for n in range(4)]


def play_in_pool(blocks: list[Block], jobs: int) -> list[Report]:
    """Play blocks in a pool; return all reports."""
    queue: SimpleQueue[Report] = SimpleQueue()
    reports: list[Report] = []
    with local_pool(jobs) as workers:
        for each in blocks:
            workers.play(each, queue.put)
        while sum(report.is_over for report in reports) < len(blocks):
            reports.append(queue.get(timeout=PATIENCE_S))
    return reports


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_every_block_is_finished_once_with_all_its_results(blocks: list[Block], jobs: int) -> None:
    before = multiprocessing.active_children()
    reports = play_in_pool(blocks, jobs)
    for each in blocks:
        mine = [report for report in reports if report.block is each]
        results = sorted(result for report in mine for result in report.results)
        assert [result.number for result in results] == [
            result.number for result in sorted(play_block(each))
        ]
        assert [report.error for report in mine] == [None] * len(mine)
    assert multiprocessing.active_children() == before


def test_a_block_that_cannot_be_played_is_reported_and_the_others_are_played(
    blocks: list[Block],
) -> None:
    good, other = blocks[0].bots
    bad = replace(blocks[2], bots=(good, replace(other, hash="another", package=b"broken")))
    reports = play_in_pool([blocks[0], bad], 1)
    (error,) = [report.error for report in reports if report.block is bad]
    assert isinstance(error, BadPackage)
    played = [len(report.results) for report in reports if report.block is blocks[0]]
    assert sum(played) == len(blocks[0].matches)


def test_the_blocks_of_a_dead_worker_are_reported_as_lost(blocks: list[Block]) -> None:
    queue: SimpleQueue[Report] = SimpleQueue()
    before = set(multiprocessing.active_children())
    with local_pool(1) as workers:
        workers.play(blocks[0], queue.put)
        (process,) = set(multiprocessing.active_children()) - before
        process.kill()
        process.join()
        report = queue.get(timeout=PATIENCE_S)
        while not report.is_over:
            report = queue.get(timeout=PATIENCE_S)
        assert isinstance(report.error, WorkerDied)
        # So is every later block.
        workers.play(blocks[1], queue.put)
        assert isinstance(queue.get(timeout=PATIENCE_S).error, WorkerDied)


def test_a_worker_ends_in_silence_however_often_it_is_asked_to(
    blocks: list[Block], capfd: pytest.CaptureFixture[str]
) -> None:
    queue: SimpleQueue[Report] = SimpleQueue()
    before = set(multiprocessing.active_children())
    for block in blocks:
        with local_pool(1) as workers:
            workers.play(block, queue.put)
            (process,) = set(multiprocessing.active_children()) - before
            # Only a worker that has started handles the signal.
            queue.get(timeout=PATIENCE_S)
            while process.is_alive():
                process.terminate()
                process.join(timeout=0.001)
    assert capfd.readouterr().err == ""


class Odd(Exception):
    """An error that can be pickled but not unpickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} and {other}")


def test_an_error_that_cannot_be_unpickled_is_still_reported() -> None:
    sent = _sendable(Odd("this", "that"))
    # Once Dask has been imported, it can be unpickled after all.
    assert "this and that" in str(pickle.loads(pickle.dumps(sent)))
    plain = BadPackage("it is broken")
    assert _sendable(plain) is plain


def bots_of_workers() -> list[int]:
    """Return the processes below the worker processes."""
    return [
        bot for worker in multiprocessing.active_children() for bot in descendants(worker.pid or 0)
    ]


def test_when_all_bots_have_ended_the_caches_are_emptied(
    blocks: list[Block], monkeypatch: pytest.MonkeyPatch
) -> None:
    running: list[int] = []
    monkeypatch.setattr(
        "arena.workers.pool.empty_caches", lambda: running.append(len(bots_of_workers()))
    )
    queue: SimpleQueue[Report] = SimpleQueue()
    with local_pool(1) as workers:
        workers.play(blocks[0], queue.put)
        while not queue.get(timeout=PATIENCE_S).is_over:
            pass
        assert len(bots_of_workers()) >= 2
        workers.end_bots()
    assert running == [0]
