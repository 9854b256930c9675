"""Worker processes return all results, and report blocks that they cannot play."""

from __future__ import annotations

import multiprocessing
import pickle
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.errors import BadPackage
from arena.games.randomness import seed_from
from arena.workers.assignments import MAX_LOSSES, BlockKillsWorkers
from arena.workers.block import Block, Report
from arena.workers.pool import _sendable, local_pool
from tests.builders.blocks import make_block, play_block
from tests.builders.bots import HONEST, bot_folder, packed_bot
from tests.escapes.observe import descendants

PATIENCE_S = 180


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
    before = set(multiprocessing.active_children())
    reports = play_in_pool(blocks, jobs)
    for each in blocks:
        mine = [report for report in reports if report.block is each]
        results = sorted(result for report in mine for result in report.results)
        assert [result.number for result in results] == [
            result.number for result in sorted(play_block(each))
        ]
        assert [report.error for report in mine] == [None] * len(mine)
    assert set(multiprocessing.active_children()) <= before


def test_a_block_that_cannot_be_played_is_reported(blocks: list[Block]) -> None:
    good, other = blocks[0].bots
    bad = replace(blocks[2], bots=(good, replace(other, hash="another", package=b"broken")))
    (report,) = play_in_pool([bad], 1)
    assert isinstance(report.error, BadPackage)


def kill_workers(before: set[BaseProcess]) -> None:
    """Kill the workers that have started since."""
    for process in set(multiprocessing.active_children()) - before:
        process.kill()
        process.join()


def test_a_worker_that_dies_is_replaced_and_its_matches_are_void(blocks: list[Block]) -> None:
    queue: SimpleQueue[Report] = SimpleQueue()
    said: list[str] = []
    before = set(multiprocessing.active_children())
    with local_pool(1, say=said.append) as workers:
        workers.play(blocks[0], queue.put)
        kill_workers(before)
        reports = [queue.get(timeout=PATIENCE_S)]
        while not reports[-1].is_over:
            reports.append(queue.get(timeout=PATIENCE_S))
        played = [result.number for report in reports for result in report.results]
        void = [number for report in reports for number in report.void]
        assert sorted(played + void) == [match.number for match in blocks[0].matches]
        assert void
        assert said == ["worker 1 was ended by SIGKILL; its matches are played again"]
        workers.end_bots()
        workers.play(blocks[1], queue.put)
        assert not queue.get(timeout=PATIENCE_S).void


def test_matches_that_kill_every_worker_end_it_all_with_the_reason(blocks: list[Block]) -> None:
    queue: SimpleQueue[Report] = SimpleQueue()
    before = set(multiprocessing.active_children())
    with local_pool(1) as workers:
        for _ in range(MAX_LOSSES):
            workers.play(blocks[0], queue.put)
            kill_workers(before)
            while not (report := queue.get(timeout=PATIENCE_S)).is_over:
                pass
        with pytest.raises(BlockKillsWorkers, match="the last one was ended by SIGKILL: perhaps"):
            raise report.error or ValueError("there is no error")


def test_a_worker_ends_in_silence_however_often_it_is_asked_to(
    blocks: list[Block], capfd: pytest.CaptureFixture[str]
) -> None:
    queue: SimpleQueue[Report] = SimpleQueue()
    for block in blocks:
        # The last worker may still be in this set, because a thread of the pool waits for it too.
        before = set(multiprocessing.active_children())
        with local_pool(1) as workers:
            workers.play(block, queue.put)
            (process,) = set(multiprocessing.active_children()) - before
            # Only a worker that has started handles the signal.
            queue.get(timeout=PATIENCE_S)
            # Not endlessly: what has no processor cannot take in thousands.
            for _ in range(100):
                process.terminate()
                process.join(timeout=0.001)
            process.join()
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
