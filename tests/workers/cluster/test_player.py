"""A worker of a cluster keeps bots for each run apart, and ends them when nobody needs them."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event, get_ident

import pytest

from arena.errors import ArenaError
from arena.games.randomness import seed_from
from arena.workers.assignments import Assignments, ChunkTask
from arena.workers.block import Block, VoidMatch
from arena.workers.cluster.player import ChunkPlayer, MissingFiles
from arena.workers.worker import Worker
from leaderboard.result import Machine, MatchResult
from tests.builders.blocks import make_block, play_block
from tests.builders.bots import HONEST, bot_folder, packed_bot
from tests.builders.matches import child_processes
from tests.cages import cage


@pytest.fixture
def player() -> Iterator[ChunkPlayer]:
    """Return a player, which is closed after the test."""
    with closing(ChunkPlayer()) as player:
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
    """Play a chunk as a worker does; no match is void."""
    player.keep(task)
    played = player.play(task, is_wanted=lambda: True)
    assert not any(isinstance(each, VoidMatch) for each in played)
    return [each for each in played if isinstance(each, MatchResult)]


def summaries(results: list[MatchResult]) -> list[tuple[object, ...]]:
    """Return what does not depend on time."""
    return sorted(
        (each.number, each.seed, [seat.place for seat in each.seats], each.decisions)
        for each in results
    )


def test_the_bots_and_files_of_a_run_end_with_it(block: Block, player: ChunkPlayer) -> None:
    before = child_processes()
    task = chunk_of(block, "one")
    play(player, task)
    assert child_processes() - before
    player.end_runs(["one"])
    assert child_processes() <= before
    # Its packages are forgotten too, and can be sent again.
    with pytest.raises(MissingFiles, match="the files of entrant 1 have not arrived"):
        play(player, task._replace(bots=()))
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
    player.end_runs(["one"])
    rest = child_processes()
    assert rest < before
    # The bots of the other run are still there.
    assert len(play(player, tasks[1]._replace(bots=()))) == len(block.matches)


@pytest.fixture
def endless(tmp_path: Path) -> Block:
    """Return a block of two bots that do nothing."""
    idler = tmp_path / "idler.py"
    idler.write_text("import time\ntime.sleep(3600)\n", encoding="utf-8")
    bots = [packed_bot(bot_folder(tmp_path, f"idler-{n}", idler), n) for n in (1, 2)]
    return make_block(*bots)


def all_void(block: Block) -> list[VoidMatch]:
    """Return all matches of a block as void."""
    return [VoidMatch(match.number) for match in block.matches]


def test_chunks_that_nobody_wants_any_more_are_aborted_with_their_bots(
    endless: Block, player: ChunkPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each of them asks for the end several times while the bots end.
    monkeypatch.setattr("arena.workers.cluster.player._CLOSE_LIMIT_S", 0.001)
    monkeypatch.setattr("arena.workers.cluster.player._POLL_S", 0.001)
    before = child_processes()
    task = chunk_of(endless, "one")
    player.keep(task)
    asking: set[int] = set()

    def is_wanted() -> bool:
        """Return false once both chunks are in play."""
        asking.add(get_ident())
        return len(asking) < 2

    with ThreadPoolExecutor(2) as threads:
        played = list(threads.map(lambda _: player.play(task, is_wanted=is_wanted), range(2)))
    player.end_runs(["one"])
    assert played == 2 * [all_void(endless)]
    assert child_processes() <= before
    assert player.runs() == []


@pytest.fixture
def bots_alive(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], set[int]]]:
    """Return what lists the processes of this test's bots; their files are in an own folder."""
    before = child_processes()
    folder = Path(tempfile.mkdtemp(prefix="end-", dir="/tmp"))
    folder.chmod(0o711)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield lambda: child_processes() - before
    shutil.rmtree(folder)


def test_all_processes_of_a_run_have_ended_when_its_bots_have_and_it_plays_on(
    block: Block, bots_alive: Callable[[], set[int]], player: ChunkPlayer
) -> None:
    sealed = replace(block, terms=replace(block.terms, sealed=True))
    others = chunk_of(block, "others")
    play(player, others)
    theirs = bots_alive()
    task = chunk_of(sealed, "one")
    for _ in range(2):
        # The first rotations of all deals, which is a generation.
        assert len(play(player, task)) == len(block.matches)
        assert len(bots_alive() - theirs) >= 2
        player.end_bots("one")
        assert bots_alive() == theirs
    player.end_bots("a run without bots")
    player.end_runs(["others"])
    assert bots_alive() == set()
    assert player.runs() == ["one"]


def test_what_a_dead_worker_has_left_on_the_machine_goes_with_the_bots(
    bots_alive: Callable[[], set[int]], player: ChunkPlayer
) -> None:
    # What keeps a bot's files also ends its processes, if any of them are left.
    dead_worker = (
        "import os\n"
        "from arena.sandbox.tempdir import TempDir\n"
        "folder = TempDir()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    base = tempfile.gettempdir()
    subprocess.run([sys.executable, "-c", dead_worker], env={**os.environ, "TMPDIR": base})
    assert len(os.listdir(base)) == 1
    player.end_bots("one")
    assert os.listdir(base) == []


def test_the_bots_of_a_lost_worker_that_is_still_running_are_waited_for(
    player: ChunkPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hello = "from arena.workers.cluster.hello import process_id; print(process_id(), flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", f"{hello}; input()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as lost_worker:
        assert lost_worker.stdout
        process = lost_worker.stdout.readline().strip()
        with monkeypatch.context() as patched:
            patched.setattr("arena.workers.cluster.player._END_LIMIT_S", 0.0)
            with pytest.raises(ArenaError, match=f"process {lost_worker.pid}, is still running"):
                player.end_bots("one", lost=[process])
        lost_worker.kill()
        player.end_bots("one", lost=[process])
        # A later process with its pid is another one.
        player.end_bots("one", lost=[f"{os.getpid()} {process.split()[1]}"])


def test_bots_end_although_a_chunk_is_in_play_that_nobody_waits_for(
    endless: Block, player: ChunkPlayer
) -> None:
    before = child_processes()
    task = chunk_of(endless, "one")
    player.keep(task)
    begun = Event()

    def is_wanted() -> bool:
        begun.set()
        return True

    with ThreadPoolExecutor(1) as threads:
        playing = threads.submit(player.play, task, is_wanted=is_wanted)
        # It is asked while the chunk is in play.
        begun.wait()
        player.end_bots("one")
        assert child_processes() <= before
        assert playing.result() == all_void(endless)


def test_bots_that_do_not_end_are_an_error(
    block: Block, player: ChunkPlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(worker: Worker) -> None:
        await asyncio.Event().wait()

    async def fail(worker: Worker) -> None:
        raise OSError("the machine is on fire")

    task = chunk_of(block, "one")
    player.keep(task)
    monkeypatch.setattr("arena.workers.cluster.player._END_LIMIT_S", 0.01)
    with monkeypatch.context() as patched:
        patched.setattr(Worker, "end_bots", never)
        with pytest.raises(ArenaError, match="some bots are still running after"):
            player.end_bots("one")
        patched.setattr("arena.workers.cluster.player._END_LIMIT_S", 60)
        patched.setattr(Worker, "end_bots", fail)
        with pytest.raises(OSError, match="on fire"):
            player.end_bots("one")
