"""A machine of a cluster that writes down which processes it has during which matches.

Run it with the arguments of `arena worker`.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from distributed import Worker

from arena.cli import main as arena
from arena.workers.assignments import ChunkTask
from arena.workers.block import VoidMatch
from arena.workers.cluster import dask_worker
from arena.workers.cluster.player import ChunkPlayer
from leaderboard.result import MatchResult
from tests.builders.matches import child_processes

PROGRAM = ("-c", f"import {__name__} as watched; watched.main()")


class WatchedPlayer(ChunkPlayer):
    """Plays as it should, and writes down which processes there are when a chunk is over."""

    def play(
        self, task: ChunkTask, *, is_wanted: Callable[[], bool]
    ) -> list[MatchResult | VoidMatch]:
        """Play a chunk to its end."""
        played = super().play(task, is_wanted=is_wanted)
        rotations = {match.rotation for match in task.block.matches}
        lines = [
            f"{rotation} {process}\n" for rotation in rotations for process in child_processes()
        ]
        with _log(Path(tempfile.gettempdir())).open("a", encoding="utf-8") as log:
            log.writelines(lines)
        return played


def _log(folder: Path) -> Path:
    return folder / f"watched-{os.getpid()}"


def processes_by_rotation(folder: Path) -> dict[int, set[str]]:
    """Return the processes that were alive during the matches of each rotation."""
    found: dict[int, set[str]] = {}
    for log in folder.glob("watched-*"):
        for line in log.read_text(encoding="utf-8").splitlines():
            rotation, process = line.split()
            found.setdefault(int(rotation), set()).add(process)
    return found


class WatchedPlugin(dask_worker.ArenaPlugin):
    """Gives a worker a player that writes down its processes."""

    def setup(self, worker: Worker) -> None:
        """Start as usual, then exchange the player."""
        super().setup(worker)
        self.player.close()
        self._player = WatchedPlayer()


def main() -> None:
    """Run `arena worker` with workers that are watched."""
    dask_worker.ArenaPlugin = WatchedPlugin  # type: ignore[misc]
    arena(["worker", *sys.argv[1:]])
