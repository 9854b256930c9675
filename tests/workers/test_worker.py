"""Bots stay running from one block to the next, and are removed when they should be."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from arena.games.randomness import seed_from
from arena.indices import EntrantIndex, PlayerIndex
from arena.records import SeatEnding
from arena.referee.clock import CORES
from arena.workers.block import Block, VoidMatch
from arena.workers.worker import BotPool, Worker
from leaderboard.result import PLAYED, MatchResult, SeatResult
from tests.builders.blocks import make_block, play_block
from tests.builders.bots import HONEST, RANDOM_CRASHER, bot_folder, packed_bot
from tests.builders.matches import child_processes


@pytest.fixture
def block(tmp_path: Path) -> Block:
    """Return a block of two honest bots."""
    return make_block(*(packed_bot(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in (1, 2)))


class SyncDriver:
    """A bot pool or a worker, driven from synchronous code."""

    def __init__(self, runner: asyncio.Runner, target: BotPool | Worker) -> None:
        self._runner = runner
        self._target = target

    def play(self, *blocks: Block) -> list[MatchResult]:
        """Play blocks, all at once."""

        async def one(block: Block) -> list[MatchResult]:
            played = [each async for each in self._target.play(block)]
            return [each for each in played if isinstance(each, MatchResult)]

        async def together() -> list[list[MatchResult]]:
            return await asyncio.gather(*map(one, blocks))

        return [result for results in self._runner.run(together()) for result in results]

    def end_bots(self) -> None:
        """End the processes of a worker's bots."""
        assert isinstance(self._target, Worker)
        self._runner.run(self._target.end_bots())

    def close(self) -> None:
        """Close it."""
        self._runner.run(self._target.close())


@contextmanager
def drive(make: Callable[[], BotPool | Worker]) -> Iterator[SyncDriver]:
    """Drive a bot pool or a worker; close it when the context ends."""

    async def make_in_loop() -> BotPool | Worker:
        return make()

    with (
        asyncio.Runner() as runner,
        closing(SyncDriver(runner, runner.run(make_in_loop()))) as running,
    ):
        yield running


@pytest.fixture
def worker() -> Iterator[SyncDriver]:
    """Return a worker, which is closed after the test."""
    with drive(lambda: Worker(cores=2)) as worker:
        yield worker


def by_number(results: list[MatchResult]) -> dict[int, tuple[SeatResult, ...]]:
    """Return the seats of each match by its number, without what its bots used."""
    return {
        result.number: tuple(
            seat._replace(time_us=None, slowest_us=None, cpu_us=None, memory_kib=None)
            for seat in result.seats
        )
        for result in results
    }


def state_of(pid: int) -> str:
    """Return the letter of a process's state."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def wait_until_frozen(pids: set[int]) -> None:
    """Wait until each process or one of its descendants is stopped: a signal takes a moment."""
    deadline = time.monotonic() + 180
    while [state_of(pid) for pid in descendants(pids)].count("T") < len(pids):
        assert time.monotonic() < deadline, "they are not frozen"
        time.sleep(0.01)


def descendants(pids: set[int]) -> set[int]:
    """Return processes and all their descendants."""
    found = set(pids)
    for pid in pids:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        found |= descendants({int(child) for child in listed.split()})
    return found


def is_alive(pid: int) -> bool:
    """Return whether a process exists that has not ended."""
    try:
        return state_of(pid) not in "ZX"
    except FileNotFoundError:
        return False


def test_a_seat_has_the_processor_time_and_the_memory_of_its_bot(block: Block) -> None:
    for clock in ("cpu:10+0.1", "10+0.1"):
        results = play_block(replace(block, terms=replace(block.terms, clock=clock)))
        seats = [seat for result in results for seat in result.seats]
        # A Python interpreter needs several MiB.
        assert min(seat.memory_kib or 0 for seat in seats) > 4 << 10
        for seat in seats:
            assert None not in (seat.answers, seat.time_us, seat.slowest_us, seat.cpu_us)
        assert sum(seat.cpu_us or 0 for seat in seats) > 0


def test_bots_stay_for_the_next_block_and_are_frozen_until_then(
    block: Block, worker: SyncDriver
) -> None:
    before = child_processes()
    first = worker.play(block)
    stayed = child_processes() - before
    assert len(stayed) == 2
    wait_until_frozen(stayed)
    second = worker.play(make_block(*block.bots, secret=seed_from(2)))
    assert child_processes() - before == stayed
    assert by_number(second).keys() == by_number(first).keys()
    worker.close()
    assert child_processes() <= before


def test_all_bots_end_between_two_generations(block: Block, worker: SyncDriver) -> None:
    before = child_processes()
    first = worker.play(block)
    first_processes = child_processes() - before
    of_bots = descendants(first_processes)
    worker.end_bots()
    assert child_processes() <= before
    assert not any(map(is_alive, of_bots))
    second = worker.play(block)
    assert len(child_processes() - before - first_processes) == len(first_processes)
    assert by_number(second) == by_number(first)


def test_other_terms_start_new_bots(block: Block, worker: SyncDriver) -> None:
    before = child_processes()
    worker.play(block)
    stayed = child_processes() - before
    worker.play(replace(block, terms=replace(block.terms, freeze=True)))
    others = child_processes() - before
    assert len(others) == 2
    assert not others & stayed


def test_blocks_with_different_terms_wait_for_each_other(block: Block, worker: SyncDriver) -> None:
    other = make_block(*block.bots, first=100)
    other = replace(other, terms=replace(other.terms, freeze=True))
    third = make_block(*block.bots, first=200)
    numbers = [result.number for result in worker.play(block, other, third)]
    assert sorted(numbers) == [*range(40, 44), *range(100, 104), *range(200, 204)]


def test_blocks_played_at_once_have_the_same_results_as_one_after_the_other(
    tmp_path: Path, worker: SyncDriver
) -> None:
    bots = [
        packed_bot(bot_folder(tmp_path, "ann", HONEST), 1),
        packed_bot(bot_folder(tmp_path, "crasher", RANDOM_CRASHER, "0.5"), 2),
        packed_bot(bot_folder(tmp_path, "cat", HONEST), 3),
    ]
    blocks = [
        make_block(*bots[:2], first=100),
        make_block(*bots[1:], first=200, secret=seed_from(2)),
        make_block(*bots[::2], first=300, secret=seed_from(3)),
    ]
    one_by_one = [play_block(each) for each in blocks]
    assert by_number(worker.play(*blocks)) == by_number(
        [each for some in one_by_one for each in some]
    )


def test_a_bot_that_crashed_in_one_block_plays_in_the_next(
    tmp_path: Path, worker: SyncDriver
) -> None:
    bots = [
        packed_bot(bot_folder(tmp_path, "ann", HONEST), 1),
        packed_bot(bot_folder(tmp_path, "crasher", RANDOM_CRASHER, "0.5"), 2),
    ]
    first, second = (by_number(worker.play(make_block(*bots))) for _ in range(2))
    assert first == second
    endings = [seat.ending for seats in first.values() for seat in seats]
    assert SeatEnding.CRASHED.code in endings
    assert endings.count(PLAYED) > 4


class Room:
    """Room on a machine for a number of processes more than run at present."""

    def __init__(self, processes: int) -> None:
        self.processes = processes

    def __call__(self) -> int:
        """Return it as the share of a worker with two cores."""
        return self.processes * max(1, CORES // 2)


def test_the_least_recently_used_bots_are_removed_first(tmp_path: Path) -> None:
    before = child_processes()
    bots = [packed_bot(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in range(4)]
    block, room = make_block(*bots[:2]), Room(100)
    with drive(lambda: BotPool(block.terms, 2, processes_that_fit=room)) as pool:
        pool.play(block)
        early = child_processes() - before
        room.processes = 1
        pool.play(make_block(*bots[2:]))
        late = child_processes() - before
        assert len(late) == 3
        assert len(late & early) == 1
    assert child_processes() <= before


def locked_folders() -> int:
    """Count the folders that this process holds for bots, each by its lock."""
    links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return sum(os.readlink(link).endswith(".arena-lock") for link in links)


def test_removed_bots_leave_no_files_behind(tmp_path: Path) -> None:
    bots = [packed_bot(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in range(4)]
    block = make_block(*bots[:2])
    with drive(lambda: BotPool(block.terms, 2, processes_that_fit=Room(0))) as pool:
        pool.play(block)
        before = locked_folders()
        pool.play(make_block(*bots[2:]))
        pool.play(block)
        assert locked_folders() == before


class CountingPool(BotPool):
    """A bot pool that records how many bots it has when a block starts."""

    most = 0

    async def _play_matches(
        self, block: Block, players: Mapping[EntrantIndex, PlayerIndex]
    ) -> AsyncGenerator[MatchResult | VoidMatch, None]:
        self.most = max(self.most, len(self._pooled))
        async for result in super()._play_matches(block, players):
            yield result


def test_blocks_wait_for_each_other_if_memory_is_short(tmp_path: Path) -> None:
    bots = [packed_bot(bot_folder(tmp_path, f"bot-{n}", HONEST), n) for n in range(4)]
    blocks = [make_block(*bots[:2]), make_block(*bots[2:], first=100, secret=seed_from(2))]
    pools: list[CountingPool] = []

    def make(processes: int) -> CountingPool:
        terms = blocks[0].terms
        pools.append(CountingPool(terms, 2, processes_that_fit=Room(processes)))
        return pools[-1]

    for processes in (100, 0):
        with drive(partial(make, processes)) as pool:
            assert len(pool.play(*blocks)) == 8
    assert [each.most for each in pools] == [4, 2]
