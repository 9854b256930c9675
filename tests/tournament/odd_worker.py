"""Machines of a cluster that may not play: one with another version of arena, one without a cage.

Run one with its name and the arguments of `arena worker`.
"""

from __future__ import annotations

import os
import sys

from distributed import Worker

import arena
from arena.cli import main as run_arena
from arena.workers.cluster import dask_worker

PROGRAM = ("-c", f"import {__name__} as odd; odd.main()")


class OtherVersionPlugin(dask_worker.ArenaPlugin):
    """Makes a worker one of another version."""

    def setup(self, worker: Worker) -> None:
        """Change the version, then start as usual."""
        arena.__version__ = "9.9.9"
        super().setup(worker)


class NoCagePlugin(dask_worker.ArenaPlugin):
    """Makes a worker one on whose machine bubblewrap is not installed."""

    def setup(self, worker: Worker) -> None:
        """Hide all programs, then start as usual."""
        os.environ["PATH"] = "/nowhere"
        super().setup(worker)


PLUGINS = {"other version": OtherVersionPlugin, "no cage": NoCagePlugin}


def main() -> None:
    """Run `arena worker` with workers that are odd."""
    dask_worker.ArenaPlugin = PLUGINS[sys.argv[1]]  # type: ignore[misc]
    run_arena(["worker", *sys.argv[2:]])
