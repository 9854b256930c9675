"""A machine of a cluster that lies: each of its workers exchanges the first two places of a match.

Run it with the arguments of `arena worker`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from distributed import Worker

from arena.cli import main as arena
from arena.workers.assignments import ChunkTask
from arena.workers.block import VoidMatch
from arena.workers.cluster import dask_worker
from arena.workers.cluster.player import ChunkPlayer
from leaderboard.result import MatchResult

PROGRAM = ("-c", f"import {__name__} as liar; liar.main()")


class LyingPlayer(ChunkPlayer):
    """Plays as it should, and lies about the results."""

    def play(
        self, task: ChunkTask, *, is_wanted: Callable[[], bool]
    ) -> list[MatchResult | VoidMatch]:
        """Play a chunk to its end."""
        return [_lie(result) for result in super().play(task, is_wanted=is_wanted)]


def _lie(result: MatchResult | VoidMatch) -> MatchResult | VoidMatch:
    if isinstance(result, VoidMatch):
        return result
    one, two, *others = result.seats
    seats = (
        one._replace(place=two.place, points=two.points),
        two._replace(place=one.place, points=one.points),
        *others,
    )
    return result._replace(seats=seats)


class LyingPlugin(dask_worker.ArenaPlugin):
    """Gives a worker a player that lies."""

    def setup(self, worker: Worker) -> None:
        """Start as usual, then exchange the player."""
        super().setup(worker)
        self.player.close()
        self._player = LyingPlayer()


def main() -> None:
    """Run `arena worker` with workers that lie."""
    dask_worker.ArenaPlugin = LyingPlugin  # type: ignore[misc]
    arena(["worker", *sys.argv[1:]])
