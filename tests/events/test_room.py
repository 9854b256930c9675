"""Do bots stay from one block to the next, and go when they should?"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from arena.events import room
from arena.events.room import Room, Worker, play_block
from arena.events.work import Block
from arena.games.randomness import seed_from
from arena.records import SeatEnding
from arena.referee.clock import CORES
from leaderboard.results import PLAYED, Result, SeatResult
from tests.events.blocks import block
from tests.events.folders import HONEST, bot_folder, contender
from tests.events.processes import MOODY
from tests.referee.matches import children


@pytest.fixture
def given(tmp_path: Path) -> Block:
    """Give a block of two honest bots."""
    return block(*(contender(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in (1, 2)))


class Driven:
    """A room or a worker whose blocks are played one after the other."""

    def __init__(self, runner: asyncio.Runner, what: Room | Worker) -> None:
        self._runner = runner
        self._what = what

    def play(self, *blocks: Block) -> list[Result]:
        """Play blocks, all at once."""

        async def one(block: Block) -> list[Result]:
            return [result async for result in self._what.play(block)]

        async def together() -> list[list[Result]]:
            return await asyncio.gather(*map(one, blocks))

        return [result for results in self._runner.run(together()) for result in results]

    def close(self) -> None:
        """Let all go."""
        self._runner.run(self._what.close())


@contextmanager
def driven(make: Callable[[], Room | Worker]) -> Iterator[Driven]:
    """Give something to play blocks, until the test is over."""

    async def made() -> Room | Worker:
        return make()

    with asyncio.Runner() as runner, closing(Driven(runner, runner.run(made()))) as given:
        yield given


@pytest.fixture
def worker() -> Iterator[Driven]:
    """Give a worker, until the test is over."""
    with driven(Worker) as worker:
        yield worker


def by_number(results: list[Result]) -> dict[int, tuple[SeatResult, ...]]:
    """Return what came of each match."""
    return {result.number: result.seats for result in results}


def state_of(pid: int) -> str:
    """Return the letter by which the system tells how a process is."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def wait_until_frozen(pids: set[int]) -> None:
    """Wait until each of these, or what it has started, is stopped: a signal takes a moment."""
    deadline = time.monotonic() + 20
    while [state_of(pid) for pid in descendants(pids)].count("T") < len(pids):
        assert time.monotonic() < deadline, "they are not frozen"
        time.sleep(0.01)


def descendants(pids: set[int]) -> set[int]:
    """List processes with all that they have started."""
    found = set(pids)
    for pid in pids:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        found |= descendants({int(child) for child in listed.split()})
    return found


def test_a_worker_that_does_not_stay_leaves_nothing_behind(given: Block) -> None:
    before = children()
    play_block(given)
    assert children() == before


def test_bots_stay_for_the_next_block_and_are_frozen_until_then(
    given: Block, worker: Driven
) -> None:
    before = children()
    first = worker.play(given)
    stayed = children() - before
    assert len(stayed) == 4, "two bots, each with a process for every rotation"
    wait_until_frozen(stayed)
    second = worker.play(block(*given.contenders, secret=seed_from(2)))
    assert children() - before == stayed
    assert by_number(second).keys() == by_number(first).keys()
    worker.close()
    assert children() == before


def test_a_block_that_comes_again_is_played_by_processes_that_do_not_know_it(
    given: Block, worker: Driven
) -> None:
    before = children()
    first = worker.play(given)
    knowing = children() - before
    second = worker.play(given)
    assert len(children() - before - knowing) == len(knowing)
    assert by_number(second) == by_number(first)


def test_other_terms_are_another_room(given: Block, worker: Driven) -> None:
    before = children()
    worker.play(given)
    stayed = children() - before
    worker.play(replace(given, cores=1))
    others = children() - before
    assert len(others) == 4
    assert not others & stayed


def test_blocks_on_other_terms_wait_for_each_other(given: Block, worker: Driven) -> None:
    other = replace(block(*given.contenders, first=100), cores=1)
    third = block(*given.contenders, first=200)
    numbers = [result.number for result in worker.play(given, other, third)]
    assert sorted(numbers) == [*range(40, 44), *range(100, 104), *range(200, 204)]


def test_several_blocks_at_once_come_out_as_one_after_the_other(
    tmp_path: Path, worker: Driven
) -> None:
    bots = [
        contender(bot_folder(tmp_path, "ann", HONEST), 1),
        contender(bot_folder(tmp_path, "moody", MOODY, "0.5"), 2),
        contender(bot_folder(tmp_path, "cat", HONEST), 3),
    ]
    blocks = [
        block(*bots[:2], first=100),
        block(*bots[1:], first=200, secret=seed_from(2)),
        block(*bots[::2], first=300, secret=seed_from(3)),
    ]
    alone = [play_block(each) for each in blocks]
    assert by_number(worker.play(*blocks)) == by_number([each for some in alone for each in some])


def test_a_bot_that_crashed_in_one_block_plays_in_the_next(tmp_path: Path, worker: Driven) -> None:
    bots = [
        contender(bot_folder(tmp_path, "ann", HONEST), 1),
        contender(bot_folder(tmp_path, "moody", MOODY, "0.5"), 2),
    ]
    first, second = (by_number(worker.play(block(*bots))) for _ in range(2))
    assert first == second
    endings = [seat.ending for seats in first.values() for seat in seats]
    assert SeatEnding.CRASHED.value in endings
    assert endings.count(PLAYED) > 4


def room_for(monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    """Let the memory have room for so many more processes in a worker that has two cores."""
    monkeypatch.setattr(room, "_room_in_memory", lambda: processes * max(1, CORES // 2))


def test_those_who_have_not_played_for_longest_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = children()
    bots = [contender(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in range(4)]
    given = block(*bots[:2])
    with driven(lambda: Room(given.terms, given.cores)) as kept:
        kept.play(given)
        early = children() - before
        room_for(monkeypatch, 2)
        kept.play(block(*bots[2:]))
        late = children() - before
        assert len(late) == 6
        assert len(late & early) == 2
    assert children() == before


def places() -> int:
    """Count the folders that this process holds for bots, each by its lock."""
    links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return sum(os.readlink(link).endswith(".arena-lock") for link in links)


def test_nothing_is_kept_of_those_who_went(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room_for(monkeypatch, 0)
    bots = [contender(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in range(4)]
    given = block(*bots[:2])
    with driven(lambda: Room(given.terms, given.cores)) as kept:
        kept.play(given)
        before = places()
        kept.play(block(*bots[2:]))
        kept.play(given)
        assert places() == before


class Watched(Room):
    """A room that notes how many are in it when a block begins."""

    most = 0

    async def _results(self, block: Block, places: Sequence[int]) -> AsyncGenerator[Result, None]:
        self.most = max(self.most, len(self._guests))
        async for result in super()._results(block, places):
            yield result


def test_blocks_wait_for_each_other_where_memory_is_short(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [contender(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in range(4)]
    blocks = [block(*bots[:2]), block(*bots[2:], first=100, secret=seed_from(2))]
    watched: list[Watched] = []

    def make() -> Watched:
        watched.append(Watched(blocks[0].terms, blocks[0].cores))
        return watched[-1]

    for processes in (100, 0):
        room_for(monkeypatch, processes)
        with driven(make) as kept:
            assert len(kept.play(*blocks)) == 8
    assert [each.most for each in watched] == [4, 2]


def test_those_who_stay_make_room_before_others_come(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = [contender(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in range(5)]
    given = block(*bots[:2])
    watched: list[Watched] = []

    def make() -> Watched:
        watched.append(Watched(given.terms, given.cores))
        return watched[0]

    with driven(make) as kept:
        kept.play(given)
        room_for(monkeypatch, 2)
        kept.play(block(*bots[1:3], secret=seed_from(2)))
        room_for(monkeypatch, 0)
        kept.play(block(*bots[3:], secret=seed_from(3)))
    assert watched[0].most == 3
