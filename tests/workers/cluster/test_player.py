"""A worker of a cluster keeps bots for each run apart, and ends them when nobody needs them."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from arena.workers.cluster.chunk_state import ChunkTask

from arena.games.randomness import seed_from
from arena.workers.block import Block
from arena.workers.cluster.assignments import Assignments
from arena.workers.cluster.player import IDLE_LIMIT_S, ChunkPlayer, MissingContent, WrongContent
from leaderboard.result import Machine, MatchResult
from tests.builders.blocks import make_block, play_block
from tests.builders.bots import HONEST, bot_folder, packed_bot
from tests.builders.matches import child_processes
from tests.cages import cage


class FakeClock:
    """A clock that goes on when a test says so."""

    def __init__(self) -> None:
        """Begin at 0."""
        self.now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> FakeClock:
    """Return the clock of the player."""
    return FakeClock()


@pytest.fixture
def player(clock: FakeClock) -> Iterator[ChunkPlayer]:
    """Return a player, which is closed after the test."""
    with closing(ChunkPlayer(clock)) as player:
        yield player


@pytest.fixture
def block(tmp_path: Path) -> Block:
    """Return a block of two honest bots."""
    return make_block(*(packed_bot(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in (1, 2)))


def chunk_of(block: Block, run: str) -> ChunkTask:
    """Return a block as the task that a worker gets."""
    tasks: list[ChunkTask] = []
    assignments = Assignments(tasks.append, cage=cage().name, run=run)
    assignments.add_worker("a0", "a0", Machine("a", 1.0))
    assignments.play(block, lambda report: None)
    (task,) = tasks
    return task


def play(player: ChunkPlayer, task: ChunkTask) -> list[MatchResult]:
    """Play a chunk as a worker does."""
    player.keep(task)
    return player.play(task, is_wanted=lambda: True)


def summaries(results: list[MatchResult]) -> list[tuple[object, ...]]:
    """Return what does not depend on time."""
    return sorted(
        (each.number, each.seed, [seat.place for seat in each.seats], each.decisions)
        for each in results
    )


def test_bots_whose_run_sends_nothing_more_are_ended(
    block: Block, player: ChunkPlayer, clock: FakeClock
) -> None:
    before = child_processes()
    task = chunk_of(block, "one")
    play(player, task)
    stayed = child_processes() - before
    assert stayed
    clock.now = IDLE_LIMIT_S - 1
    player.end_idle_runs()
    assert child_processes() - before == stayed
    clock.now = IDLE_LIMIT_S
    player.end_idle_runs()
    assert child_processes() == before
    # Its packages are forgotten too, and can be sent again.
    with pytest.raises(MissingContent, match="bot-1 has not arrived"):
        play(player, task._replace(packages={}))
    assert len(play(player, task)) == len(block.matches)


def test_two_runs_with_the_same_numbers_of_matches_do_not_mix(
    block: Block, player: ChunkPlayer
) -> None:
    blocks = [block, make_block(*block.bots, secret=seed_from(2))]
    tasks = [chunk_of(each, name) for each, name in zip(blocks, ("one", "two"), strict=True)]
    with ThreadPoolExecutor(2) as threads:
        played = list(threads.map(lambda task: play(player, task), tasks))
    assert [summaries(each) for each in played] == [summaries(play_block(each)) for each in blocks]
    before = child_processes()
    player.end_run("one")
    rest = child_processes()
    assert rest < before
    # The bots of the other run are still there.
    assert len(play(player, tasks[1]._replace(packages={}))) == len(block.matches)


def test_a_chunk_that_nobody_wants_any_more_is_aborted_with_its_bots(
    tmp_path: Path, player: ChunkPlayer
) -> None:
    before = child_processes()
    idler = tmp_path / "idler.py"
    idler.write_text("import time\ntime.sleep(3600)\n", encoding="utf-8")
    bots = [packed_bot(bot_folder(tmp_path, f"bot-{n}", idler), n) for n in (1, 2)]
    task = chunk_of(make_block(*bots), "one")
    player.keep(task)
    assert player.play(task, is_wanted=lambda: False) == []
    assert child_processes() == before


def test_a_package_that_was_changed_on_its_way_is_refused(
    block: Block, player: ChunkPlayer
) -> None:
    task = chunk_of(block, "one")
    one, two = task.packages
    swapped = {one: task.packages[two], two: task.packages[one]}
    with pytest.raises(WrongContent, match=f"the package {one[:12]} was changed on its way"):
        player.keep(task._replace(packages=swapped))
    with pytest.raises(WrongContent, match="the lockfile abc was changed on its way"):
        player.keep(task._replace(locks={"abc": "numpy==1"}))
