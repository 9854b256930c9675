"""What is known about the workers of a cluster, the blocks in play and their chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from arena.games.randomness import Seed
from arena.workers.block import Block, BlockMatch
from arena.workers.cluster.chunks import deals_of
from arena.workers.pool import Report
from leaderboard.result import Machine, MatchResult


class ChunkTask(NamedTuple):
    """A chunk as it is sent to a worker."""

    run: str
    """Which run of an event or comparison it belongs to."""
    number: int
    worker: str
    """The address of the worker."""
    block: Block
    """Without packages and lockfiles."""
    packages: Mapping[str, bytes]
    """By hash: those that the worker does not have yet."""
    locks: Mapping[str, str]
    """The lockfiles of these bots, by the hash of the lockfile."""


@dataclass(slots=True)
class Chunk:
    """Some matches of a block, for one worker."""

    number: int
    owner: BlockInPlay
    matches: Sequence[BlockMatch]
    machine: str
    """The machine that plays all matches of its deals."""
    losses: int = 0
    """How many workers were lost while they played it."""
    lost_alone: list[str] = field(default_factory=list)
    """The workers that were lost while they played nothing else."""

    @property
    def is_suspect(self) -> bool:
        """Whether it may bring workers down, so that it must be played alone."""
        return self.losses > 1

    @property
    def seeds(self) -> set[Seed]:
        """The seeds of its deals."""
        return {match.dealt.seed for match in self.matches}


@dataclass(slots=True)
class ClusterWorker:
    """A worker that may play."""

    address: str
    name: str
    machine: Machine
    chunks: dict[int, Chunk] = field(default_factory=dict)
    """In play, by number."""
    hashes: set[str] = field(default_factory=set)
    """Of the packages and lockfiles that it has."""
    reserved: Chunk | None = None
    """The chunk that it plays alone, or will when its others are over."""

    @property
    def load(self) -> int:
        """The number of matches in its chunks."""
        return sum(len(chunk.matches) for chunk in self.chunks.values())


class BlockInPlay:
    """A block, and the results that wait for the rest of their deals."""

    def __init__(self, block: Block, report: Callable[[Report], None]) -> None:
        """Start without results."""
        self.block = block
        self.deals = deals_of(block)
        self.chunks: dict[int, Chunk] = {}
        """Those that are not over, by number."""
        self.unplaced = 0
        """The number of its parts that wait for a worker."""
        self._report = report
        self._missing = {
            seed: {match.dealt.match.number for match in matches}
            for seed, matches in self.deals.items()
        }
        self._held: dict[Seed, list[MatchResult]] = {}

    def add_results(self, chunk: Chunk, results: Sequence[MatchResult]) -> set[Seed]:
        """Count a chunk that is over; report complete deals, return those with unplayed matches."""
        for match in chunk.matches:
            self._missing[match.dealt.seed].discard(match.dealt.match.number)
        for result in results:
            self._held.setdefault(result.seed, []).append(result)
        complete = [
            result
            for seed in chunk.seeds
            if not self._missing[seed]
            for result in self._held.pop(seed, ())
        ]
        del self.chunks[chunk.number]
        is_over = not self.chunks and not self.unplaced
        if complete or is_over:
            self._report(Report(self.block, complete, is_over=is_over))
        returned = {result.number for result in results}
        return {
            match.dealt.seed for match in chunk.matches if match.dealt.match.number not in returned
        }

    def restart(self, seeds: Iterable[Seed]) -> dict[Seed, list[BlockMatch]]:
        """Forget the results of deals that are not complete, and return their matches."""
        again = {seed: self.deals[seed] for seed in self.deals if seed in set(seeds)}
        for seed, matches in again.items():
            self._missing[seed] = {match.dealt.match.number for match in matches}
            self._held.pop(seed, None)
        return again

    def fail(self, error: Exception) -> None:
        """Report that it cannot be played."""
        self._report(Report(self.block, is_over=True, error=error))
