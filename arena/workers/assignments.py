"""Which worker plays what, here or on a cluster, and what happens if a worker is lost.

On a cluster, all matches of a deal go to one machine, because a clock is worth more on a faster
one, as long as that machine is available. The matches of a lost worker are void: whoever hands out
blocks decides when they are played again. If several workers are lost with the same matches, the
fault is in them, and the event stops with the names of their bots. To find out which matches these
are, each match that two workers were lost with gets its own chunk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from threading import RLock
from typing import NamedTuple

from arena.errors import ArenaError
from arena.games.randomness import Seed
from arena.indices import EntrantIndex
from arena.scheduling.pairing import PlannedMatch
from arena.workers.block import Block, PackedBot, Report, VoidMatch, split_results
from arena.workers.pace import Work
from leaderboard.result import Machine, MatchResult

MAX_MATCHES = 128
"""In a chunk. More make fewer messages; fewer make smaller losses when a worker dies."""
HERE = Machine("", 0.0)
"""This machine; results do not name it."""
MAX_LOSSES = 4
"""A match that this many workers were lost with is to blame."""
_SUSPICIOUS_LOSSES = 2
"""A match that this many workers were lost with gets its own chunk."""
_DEALS_REMEMBERED = 1 << 17
"""More than a generation has. Each takes about 200 bytes."""
_MAX_NAMES = 8


class MachineLoad(NamedTuple):
    """What a machine of a cluster does."""

    name: str
    speed: float
    workers: int
    chunks: int
    """Parts of blocks that are in play there."""
    matches: int
    """Matches in these parts."""
    played: int
    """Matches that it has returned."""


class BlockKillsWorkers(ArenaError):
    """Every worker that plays some matches dies."""


class ChunkTask(NamedTuple):
    """A chunk as it is sent to a worker."""

    run: str
    """Which run of an event or comparison it belongs to."""
    number: int
    worker: str
    """The address of the worker."""
    block: Block
    """Without the files of bots."""
    bots: tuple[PackedBot, ...]
    """Those whose files the worker does not have yet."""


@dataclass(slots=True, eq=False)
class _BlockInPlay:
    """A block that is not over."""

    block: Block
    report: Callable[[Report], None]
    chunks: set[int] = field(default_factory=set)
    """The numbers of the chunks that are not over."""
    unplaced: list[PlannedMatch] = field(default_factory=list)
    """Matches that wait until there is a worker."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Some matches of a block, for one worker."""

    number: int
    owner: _BlockInPlay
    matches: dict[int, PlannedMatch]
    """Those that are not over, by number."""


@dataclass(slots=True, eq=False)
class ClusterWorker:
    """A worker that may play."""

    address: str
    name: str
    machine: Machine
    chunks: dict[int, _Chunk] = field(default_factory=dict)
    """In play, by number."""
    known: dict[EntrantIndex, PackedBot] = field(default_factory=dict)
    """The bots whose files it has."""

    @property
    def load(self) -> int:
        """The number of matches in its chunks."""
        return sum(len(chunk.matches) for chunk in self.chunks.values())


class Assignments:
    """Cuts blocks into chunks, gives them to workers and collects their results."""

    def __init__(
        self,
        submit: Callable[[ChunkTask], None],
        *,
        cage: str | None = None,
        run: str = "",
    ) -> None:
        """Take what sends a task to its worker; `cage` is the name of another cage for all bots.

        `run` differs for every run of an event or comparison.
        """
        self._submit = submit
        self._run = run
        self._cage = cage
        self._lock = RLock()
        self._numbers = count()
        self._workers: dict[str, ClusterWorker] = {}
        """By address."""
        self._blocks: list[_BlockInPlay] = []
        self._machine_of: dict[Seed, str] = {}
        """The machines of the latest deals."""
        self._losses: Counter[int] = Counter()
        """How many workers were lost with a match, by its number."""
        self._played: Counter[Machine] = Counter()
        self._error: Exception | None = None

    @property
    def workers(self) -> list[ClusterWorker]:
        """The workers that may play."""
        with self._lock:
            return list(self._workers.values())

    @property
    def is_stuck(self) -> bool:
        """Whether there are matches to play and no worker."""
        with self._lock:
            return not self._workers and any(owner.unplaced for owner in self._blocks)

    def loads(self) -> list[MachineLoad]:
        """Return what each machine does."""
        with self._lock:
            machines = sorted({worker.machine for worker in self._workers.values()})
            return [self._load_of(machine) for machine in machines]

    def _load_of(self, machine: Machine) -> MachineLoad:
        workers = [each for each in self._workers.values() if each.machine == machine]
        chunks = sum(len(each.chunks) for each in workers)
        matches = sum(each.load for each in workers)
        return MachineLoad(*machine, len(workers), chunks, matches, self._played[machine])

    def add_worker(self, address: str, name: str, machine: Machine) -> None:
        """Let a worker play."""
        with self._lock:
            self._workers[address] = ClusterWorker(address, name, machine)
            for owner in self._blocks:
                waiting, owner.unplaced = owner.unplaced, []
                self._place(owner, waiting)

    def play(self, block: Block, report: Callable[[Report], None]) -> None:
        """Play a block."""
        with self._lock:
            if self._error:
                report(Report(block, is_over=True, error=self._error))
                return
            self._blocks.append(_BlockInPlay(block, report))
            self._place(self._blocks[-1], block.matches)

    def add_results(
        self,
        number: int,
        played: Sequence[MatchResult | VoidMatch],
        *,
        is_over: bool = True,
        work: Work | None = None,
    ) -> None:
        """Count what a worker has played of a chunk; one that was given up is ignored."""
        with self._lock:
            for worker in self._workers.values():
                chunk = worker.chunks.get(number)
                if chunk:
                    results, void = split_results(played)
                    self._played[worker.machine] += len(results)
                    if worker.machine != HERE:
                        results = [result._replace(machine=worker.machine) for result in results]
                    for each in played:
                        chunk.matches.pop(each.number, None)
                    if is_over:
                        del worker.chunks[number]
                    report = Report(
                        chunk.owner.block, results, void, worker=worker.address, work=work
                    )
                    self._report(chunk, report, is_over=is_over)

    def send_again(self, number: int) -> None:
        """Send a chunk again, with all files: its worker has forgotten them."""
        with self._lock:
            for worker in self._workers.values():
                if number in worker.chunks:
                    worker.known.clear()
                    self._send(worker, worker.chunks[number])

    def fail(self, error: Exception) -> None:
        """Report an error for all blocks, and for all that follow."""
        with self._lock:
            self._error = error
            blocks, self._blocks = self._blocks, []
            for worker in self._workers.values():
                worker.chunks.clear()
            for owner in blocks:
                owner.report(Report(owner.block, is_over=True, error=error))

    def lose_worker(self, address: str, how: str = "") -> None:
        """Give up the chunks of a worker that has died or is out of reach; say how if known."""
        with self._lock:
            worker = self._workers.pop(address, None)
            lost = list(worker.chunks.values()) if worker else []
            guilty: list[_Chunk] = []
            for chunk in _possibly_in_play(lost):
                self._losses.update(chunk.matches.keys())
                if any(self._losses[number] >= MAX_LOSSES for number in chunk.matches):
                    guilty.append(chunk)
            if guilty:
                self.fail(_blame(guilty, how))
                return
            for chunk in lost:
                report = Report(chunk.owner.block, void=list(chunk.matches))
                self._report(chunk, report, is_over=True)

    def _report(self, chunk: _Chunk, report: Report, *, is_over: bool) -> None:
        """Report on a chunk to the owner of its block, which is over with its last chunk."""
        owner = chunk.owner
        if is_over:
            owner.chunks.discard(chunk.number)
        is_over = not owner.chunks and not owner.unplaced
        if is_over:
            self._blocks.remove(owner)
        owner.report(report._replace(is_over=is_over))

    def _place(self, owner: _BlockInPlay, matches: Sequence[PlannedMatch]) -> None:
        """Cut matches into chunks and give each to the least busy worker of its machine."""
        if not self._workers:
            owner.unplaced += matches
            return
        chosen = self._workers.get(owner.block.worker)
        machines = {worker.machine.name for worker in self._workers.values()}
        by_machine: dict[str, list[PlannedMatch]] = {}
        for match in matches:
            known = self._machine_of.get(match.seed, "")
            machine = chosen.machine.name if chosen else known if known in machines else ""
            by_machine.setdefault(machine, []).append(match)
        # New deals last, so that they go to the workers that have the least of the others.
        for machine, found in sorted(by_machine.items(), reverse=True):
            there = [each for each in self._workers.values() if machine in ("", each.machine.name)]
            for part in self._parts(found, len(there)):
                worker = chosen or min(there, key=lambda each: each.load)
                planned = {match.number: match for match in part}
                chunk = _Chunk(next(self._numbers), owner, planned)
                self._remember_machine(chunk, worker)
                owner.chunks.add(chunk.number)
                worker.chunks[chunk.number] = chunk
                self._send(worker, chunk)

    def _parts(
        self, matches: Sequence[PlannedMatch], workers: int
    ) -> Iterator[Sequence[PlannedMatch]]:
        """Cut matches into a part for each worker; a suspicious match is alone."""
        usual: list[PlannedMatch] = []
        for match in matches:
            if self._losses[match.number] >= _SUSPICIOUS_LOSSES:
                yield [match]
            else:
                usual.append(match)
        size = max(1, min(MAX_MATCHES, -(-len(usual) // workers)))
        for first in range(0, len(usual), size):
            yield usual[first : first + size]

    def _remember_machine(self, chunk: _Chunk, worker: ClusterWorker) -> None:
        for match in chunk.matches.values():
            # Removed first, so that the deals are in the order in which they were last played.
            self._machine_of.pop(match.seed, None)
            self._machine_of[match.seed] = worker.machine.name
        while len(self._machine_of) > _DEALS_REMEMBERED:
            del self._machine_of[next(iter(self._machine_of))]

    def _send(self, worker: ClusterWorker, chunk: _Chunk) -> None:
        matches = list(chunk.matches.values())
        block, new = chunk.owner.block.part(matches).without_files(worker.known)
        if self._cage:
            block = replace(block, terms=replace(block.terms, cage=self._cage))
        self._submit(ChunkTask(self._run, chunk.number, worker.address, block, new))


def _possibly_in_play(chunks: Sequence[_Chunk]) -> Sequence[_Chunk]:
    """Return those chunks of a lost worker that it may have been playing.

    With one table, it plays one match after the other, and has returned the chunks that are over.
    """
    return chunks[:1] if all(chunk.owner.block.tables == 1 for chunk in chunks) else chunks


def _blame(chunks: Sequence[_Chunk], how: str) -> BlockKillsWorkers:
    matches = [match for chunk in chunks for match in chunk.matches.values()]
    numbers = [match.number for match in matches]
    bots = [
        bot
        for chunk in chunks
        for match in chunk.matches.values()
        for bot in chunk.owner.block.seated(match)
    ]
    names = list(dict.fromkeys(f"{bot.name}@{bot.number}" for bot in bots))
    others = len(names) - _MAX_NAMES
    named = ", ".join(names[:_MAX_NAMES]) + (f" and {others} more" if others > 0 else "")
    what = f"match {numbers[0]}"
    if len(numbers) > 1:
        what = f"the same {len(numbers)} matches ({min(numbers)} to {max(numbers)})"
    return BlockKillsWorkers(
        f"{MAX_LOSSES} workers died while they played {what} between {named}"
        f"{f'; the last one {how}' if how else ''}: perhaps one of these bots brings workers down, "
        "or there is too little memory. Look at the workers' messages; retire the bot, or give it "
        "less memory with --limit memory_mib"
    )
