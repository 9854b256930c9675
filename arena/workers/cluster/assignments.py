"""Who plays what on a cluster, and what happens if a worker is lost. No network is used here.

The chunks of a lost worker go to another worker of its machine. If the machine is lost, its deals
begin again on another one, so that all matches of a deal are played on one machine. A chunk that
was lost twice is played alone; if it is lost twice again, the fault is in the chunk, and the event
stops with the names of its bots.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from threading import RLock
from typing import NamedTuple

from arena.errors import ArenaError
from arena.games.randomness import Seed
from arena.text import quantity
from arena.workers.block import Block, BlockMatch
from arena.workers.cluster.chunk_state import (
    BlockInPlay,
    Chunk,
    ChunkTask,
    ClusterWorker,
)
from arena.workers.cluster.chunks import MAX_MATCHES, Group, groups_of, smaller_block, spread
from arena.workers.pool import MachineLoad, Report
from leaderboard.result import Machine, MatchResult

_MAX_LOST_ALONE = 2
"""A chunk that so many workers were lost with, while they played nothing else, is to blame."""
_MAX_NAMES = 8


class BlockKillsWorkers(ArenaError):
    """Every worker that plays some matches dies."""


class _Unplaced(NamedTuple):
    """Deals that wait for a worker."""

    owner: BlockInPlay
    deals: Mapping[Seed, Sequence[BlockMatch]]
    lost: Chunk | None
    """The chunk that they were in when the machine was lost."""


class Assignments:
    """Cuts blocks into chunks, gives them to workers and collects their results."""

    def __init__(self, submit: Callable[[ChunkTask], None], *, cage: str, run: str = "") -> None:
        """Take what sends a task to its worker; `cage` is the name of the cage for all bots.

        `run` differs for every run of an event or comparison.
        """
        self._submit = submit
        self._run = run
        self._cage = cage
        self._lock = RLock()
        self._numbers = count()
        self._workers: dict[str, ClusterWorker] = {}
        """By address."""
        self._in_play: dict[int, Chunk] = {}
        """By number."""
        self._unplaced: list[_Unplaced] = []
        self._to_be_alone: list[Chunk] = []
        """Those that wait until a worker of their machine can play them alone."""
        self._machine_of: dict[Seed, str] = {}
        """The machines of deals with matches that were returned unplayed."""
        self._played: dict[Machine, int] = {}
        self._blocks: list[BlockInPlay] = []
        self._error: Exception | None = None

    @property
    def workers(self) -> list[ClusterWorker]:
        """The workers that may play."""
        with self._lock:
            return list(self._workers.values())

    @property
    def is_stuck(self) -> bool:
        """Whether there are matches to play and no worker."""
        return bool(self._unplaced) and not self._workers

    def loads(self) -> list[MachineLoad]:
        """Return what each machine does."""
        with self._lock:
            machines = sorted({worker.machine for worker in self._workers.values()})
            return [self._load_of(machine) for machine in machines]

    def _load_of(self, machine: Machine) -> MachineLoad:
        workers = [each for each in self._workers.values() if each.machine == machine]
        return MachineLoad(
            machine,
            len(workers),
            sum(len(each.chunks) for each in workers),
            sum(each.load for each in workers),
            self._played.get(machine, 0),
        )

    def add_worker(self, address: str, name: str, machine: Machine) -> None:
        """Let a worker play."""
        with self._lock:
            self._workers[address] = ClusterWorker(address, name, machine)
            self._place_waiting()

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Play a block of whole deals."""
        with self._lock:
            if self._error:
                report(Report(block, is_over=True, error=self._error))
                return
            owner = BlockInPlay(block, report)
            self._blocks.append(owner)
            self._place(_Unplaced(owner, owner.deals, None))

    def finish(self, number: int, results: Sequence[MatchResult]) -> None:
        """Count a chunk that a worker has finished; one that was given away is ignored."""
        with self._lock:
            chunk = self._in_play.pop(number, None)
            if chunk is None:
                return
            (worker,) = (each for each in self._workers.values() if number in each.chunks)
            del worker.chunks[number]
            if worker.reserved is chunk:
                worker.reserved = None
            machine = worker.machine
            self._played[machine] = self._played.get(machine, 0) + len(results)
            marked = [result._replace(machine=machine) for result in results]
            for seed in chunk.owner.add_results(chunk, marked):
                self._machine_of[seed] = machine.name
            self._forget_finished(chunk.owner)
            self._place_waiting()

    def send_again(self, number: int) -> None:
        """Send a chunk again, with all packages: its worker has forgotten them."""
        with self._lock:
            for worker in self._workers.values():
                if number in worker.chunks:
                    worker.hashes.clear()
                    self._send(worker, worker.chunks[number])

    def fail(self, error: Exception) -> None:
        """Report an error for all blocks, and for all that follow."""
        with self._lock:
            self._error = error
            for owner in self._blocks:
                owner.fail(error)
            self._blocks.clear()
            self._in_play.clear()
            self._unplaced.clear()
            self._to_be_alone.clear()
            for worker in self._workers.values():
                worker.chunks.clear()
                worker.reserved = None

    def lose_worker(self, address: str) -> None:
        """Give away the chunks of a worker that has died or is out of reach."""
        with self._lock:
            worker = self._workers.pop(address, None)
            if worker is None:
                return
            lost = list(worker.chunks.values())
            for chunk in lost:
                chunk.losses += 1
                if worker.reserved is chunk:
                    chunk.lost_alone.append(worker.name)
                if len(chunk.lost_alone) >= _MAX_LOST_ALONE:
                    self.fail(_blame(chunk))
                    return
            if worker.reserved and worker.reserved not in lost:
                lost.append(worker.reserved)
            if any(each.machine.name == worker.machine.name for each in self._workers.values()):
                for chunk in lost:
                    self._place_chunk(chunk)
            else:
                self._move(worker.machine.name)
            self._place_waiting()

    def _move(self, machine: str) -> None:
        """Begin the deals of a lost machine again, on others."""
        for chunk in [each for each in self._in_play.values() if each.machine == machine]:
            if chunk.number not in self._in_play:
                continue
            owner = chunk.owner
            same = [
                each
                for each in self._in_play.values()
                if each.owner is owner and each.machine == machine and each.seeds & chunk.seeds
            ]
            worst = max(same, key=lambda each: (len(each.lost_alone), each.losses))
            seeds = {seed for each in same for seed in each.seeds}
            for each in same:
                del self._in_play[each.number], owner.chunks[each.number]
            self._place(_Unplaced(owner, owner.restart(seeds), worst))

    def _forget_finished(self, owner: BlockInPlay) -> None:
        if not owner.chunks and not owner.unplaced:
            self._blocks.remove(owner)

    def _place_waiting(self) -> None:
        """Place what waits for a worker, and begin what waits for a worker of its own."""
        waiting, self._unplaced = self._unplaced, []
        for each in waiting:
            each.owner.unplaced -= 1
            self._place(each)
        alone, self._to_be_alone = self._to_be_alone, []
        for chunk in alone:
            # Otherwise it has begun again on another machine.
            if chunk.number in self._in_play:
                self._place_chunk(chunk)
        for worker in self._workers.values():
            if worker.reserved and not worker.chunks:
                self._send(worker, worker.reserved)

    def _place(self, part: _Unplaced) -> None:
        """Give deals to groups of workers, the least busy first."""
        deals = list(part.deals.items())
        while deals:
            groups = self._groups(part.owner, deals[0][0])
            if not groups:
                part.owner.unplaced += 1
                self._unplaced.append(part._replace(deals=dict(deals)))
                return
            group = min(groups, key=self._group_load)
            matches = sum(len(each) for _, each in deals)
            limit = max(1, min(MAX_MATCHES, -(-matches // max(1, len(self._workers)))))
            taken: dict[Seed, Sequence[BlockMatch]] = {}
            while deals and sum(map(len, taken.values())) < limit * len(group.workers):
                seed, each = deals.pop(0)
                taken[seed] = each
            for worker, chunk in self._cut(part, group, taken):
                if chunk.is_suspect:
                    self._place_chunk(chunk)
                else:
                    self._send(worker, chunk)

    def _groups(self, owner: BlockInPlay, seed: Seed) -> list[Group]:
        """Return the groups of workers that may play a deal."""
        machines = {
            address: worker.machine.name
            for address, worker in self._workers.items()
            if worker.reserved is None
        }
        groups = groups_of(machines, rotations=owner.block.matches_per_deal)
        before = self._machine_of.get(seed)
        return [group for group in groups if group.machine == before] or groups

    def _group_load(self, group: Group) -> float:
        return sum(self._workers[each].load for each in group.workers) / len(group.workers)

    def _cut(
        self, part: _Unplaced, group: Group, deals: Mapping[Seed, Sequence[BlockMatch]]
    ) -> Iterator[tuple[ClusterWorker, Chunk]]:
        for at, matches in enumerate(spread(deals, workers=len(group.workers))):
            if matches:
                chunk = Chunk(next(self._numbers), part.owner, matches, group.machine)
                if part.lost:
                    chunk.losses = part.lost.losses
                    chunk.lost_alone = list(part.lost.lost_alone)
                self._in_play[chunk.number] = part.owner.chunks[chunk.number] = chunk
                yield self._workers[group.workers[at % len(group.workers)]], chunk

    def _place_chunk(self, chunk: Chunk) -> None:
        """Give a chunk to another worker of its machine; alone, if it was lost repeatedly."""
        there = [each for each in self._workers.values() if each.machine.name == chunk.machine]
        free = [each for each in there if each.reserved is None]
        worker = min(free or there, key=lambda each: (bool(each.reserved), each.load))
        if not chunk.is_suspect:
            self._send(worker, chunk)
        elif worker.reserved is None:
            worker.reserved = chunk
        else:
            self._to_be_alone.append(chunk)

    def _send(self, worker: ClusterWorker, chunk: Chunk) -> None:
        worker.chunks[chunk.number] = chunk
        block = smaller_block(chunk.owner.block, chunk.matches)
        packages = {bot.hash: bot.package for bot in block.bots if bot.hash not in worker.hashes}
        locks = {lock_hash(bot.lock): bot.lock for bot in block.bots if bot.lock}
        locks = {key: lock for key, lock in locks.items() if key not in worker.hashes}
        worker.hashes.update(packages, locks)
        bots = tuple(replace(bot, package=b"", lock=lock_hash(bot.lock)) for bot in block.bots)
        terms = replace(block.terms, cage=self._cage)
        sent = replace(block, terms=terms, bots=bots, cores=1)
        self._submit(ChunkTask(self._run, chunk.number, worker.address, sent, packages, locks))


def lock_hash(lock: str) -> str:
    """Return the hash of a lockfile; empty if there is none."""
    return hashlib.sha256(lock.encode()).hexdigest() if lock else ""


def _blame(chunk: Chunk) -> BlockKillsWorkers:
    block = smaller_block(chunk.owner.block, chunk.matches)
    numbers = [match.dealt.match.number for match in chunk.matches]
    names = [f"{bot.name}@{bot.number}" for bot in block.bots]
    others = len(names) - _MAX_NAMES
    bots = ", ".join(names[:_MAX_NAMES]) + (f" and {others} more" if others > 0 else "")
    return BlockKillsWorkers(
        f"{' and '.join(chunk.lost_alone)} died while they played nothing but "
        f"{quantity(len(numbers), 'match', 'matches')} ({min(numbers)} to {max(numbers)}) between "
        f"{bots}: no machine was lost, one of these bots brings the worker down. Look at the "
        "worker's messages; retire the bot, or give it less memory with --limit memory_mib"
    )
