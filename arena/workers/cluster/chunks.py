"""Cut a block into chunks, which are what the workers of a cluster get.

A block for a cluster has whole deals. All matches of a deal go to one machine, because a clock is
worth more on a faster one; there they are spread over up to as many workers as a deal has matches,
because no process may see a deal twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from arena.games.randomness import Seed
from arena.indices import BotIndex
from arena.workers.block import Block, BlockMatch

MAX_MATCHES = 64
"""In a chunk. More make fewer messages; fewer make smaller losses when a worker dies."""

Deals = Mapping[Seed, Sequence[BlockMatch]]
"""The matches of some deals."""


def deals_of(block: Block) -> dict[Seed, list[BlockMatch]]:
    """Return the matches of each deal of a block, in the block's order."""
    deals: dict[Seed, list[BlockMatch]] = {}
    for match in block.matches:
        deals.setdefault(match.dealt.seed, []).append(match)
    return deals


def spread(deals: Deals, *, workers: int, max_matches: int = MAX_MATCHES) -> list[list[BlockMatch]]:
    """Spread the matches of deals over workers; return the chunks of each, in one list.

    The position of a chunk modulo `workers` is the number of its worker. A worker gets the first
    match of every deal before the second.
    """
    by_worker: list[list[BlockMatch]] = [[] for _ in range(workers)]
    ranks = max(map(len, deals.values()))
    for rank in range(ranks):
        by_worker[rank % workers] += [each[rank] for each in deals.values() if rank < len(each)]
    most = max(-(-len(matches) // max_matches) for matches in by_worker)
    return [
        matches[step * max_matches : (step + 1) * max_matches]
        for step in range(most)
        for matches in by_worker
    ]


def smaller_block(block: Block, matches: Sequence[BlockMatch]) -> Block:
    """Return a block with some of the matches of a block, and only the bots that they need."""
    used = sorted({bot for match in matches for bot in match.seating})
    index = {bot: BotIndex(number) for number, bot in enumerate(used)}
    return replace(
        block,
        bots=tuple(block.bots[bot] for bot in used),
        matches=tuple(
            match._replace(seating=tuple(index[bot] for bot in match.seating)) for match in matches
        ),
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Workers of one machine that share the matches of a deal."""

    machine: str
    workers: tuple[str, ...]


def groups_of(machines: Mapping[str, str], *, rotations: int) -> list[Group]:
    """Group workers by machine, at most as many as a deal has matches; `machines` has each one's.

    A machine with more workers has several groups, as equal as possible.
    """
    groups = []
    ordered = sorted(machines, key=lambda worker: (machines[worker], worker))
    for machine, found in groupby(ordered, key=lambda worker: machines[worker]):
        workers = list(found)
        count = -(-len(workers) // rotations)
        groups += [Group(machine, tuple(workers[first::count])) for first in range(count)]
    return groups
