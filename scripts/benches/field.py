"""How much does a large field cost?

200 copies of one caged bot play a Swiss event of MEOW at tables of four, and then 16 copies play
as many matches, with more deals for each table. A bot needs a process for every rotation of a
deal, so the large field must start at least 800 processes, the small one 64.

Processes are counted by a script in front of bubblewrap. Processor time is that of the command,
its workers and all bots.
"""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import events
from print_figures import print_figures

GAME = "meow"
SEATS = 4
ROUNDS = 5
FIELDS = {200: 4, 16: 50}
"""Numbers of bots, each with the number of deals that makes 4,000 matches."""
_PR_SET_CHILD_SUBREAPER = 36


class Figures(NamedTuple):
    """What an event took."""

    matches: int
    starts: int
    """Processes of bots that were started."""
    wall_s: float
    cpu_s: float


def count_starts(folder: Path) -> tuple[Path, Path]:
    """Write a bubblewrap that counts; return its folder and the file with a line for each start."""
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise SystemExit("this benchmark needs bubblewrap")
    counter, programs = folder / "starts", folder / "programs"
    counter.touch()
    programs.mkdir()
    script = programs / "bwrap"
    script.write_text(f'#!/bin/sh\necho >>{counter}\nexec {bwrap} "$@"\n', encoding="utf-8")
    # Every bot has its own uid.
    counter.chmod(0o666)
    script.chmod(0o755)
    folder.chmod(0o755)
    return programs, counter


def children_cpu_s() -> float:
    """Wait for orphans of the command, and return the processor time of all that have ended."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run_event(bots: int, deals: int) -> Figures:
    """Run an event."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        db = folder / "arena.db"
        field = events.enter_copies(db, folder, "random", bots)
        programs, counter = count_starts(folder)
        words = ("event", "run", "swiss", "--game", GAME, "--bots", ",".join(field))
        sizes = ("--seats", str(SEATS), "--deals", str(deals), "--rounds", str(ROUNDS))
        path = f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        before_s, start = children_cpu_s(), time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "arena", *words, *sizes, "--seed", "0", "-q", "--db", str(db)],
            check=True,
            stdout=subprocess.DEVNULL,
            env={**os.environ, "PATH": path},
        )
        wall_s = time.perf_counter() - start
        with closing(sqlite3.connect(db)) as connection:
            ((matches,),) = connection.execute("SELECT count(*) FROM matches")
        starts = len(counter.read_bytes())
        return Figures(matches, starts, wall_s, children_cpu_s() - before_s)


def measure() -> dict[str, object]:
    """Run both events; return the document that --json prints."""
    # Otherwise the time of orphans would be added to that of another process.
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    large, small = (run_event(bots, deals) for bots, deals in FIELDS.items())
    by_field = dict(zip(FIELDS, (large, small), strict=True))
    return {
        **{f"matches_{bots}": each.matches for bots, each in by_field.items()},
        **{
            f"starts_per_match_{bots}": round(each.starts / each.matches, 3)
            for bots, each in by_field.items()
        },
        **{f"wall_s_{bots}": round(each.wall_s, 1) for bots, each in by_field.items()},
        **{f"cpu_s_{bots}": round(each.cpu_s, 1) for bots, each in by_field.items()},
        "wall_ratio": round(large.wall_s / small.wall_s, 2),
        "cpu_ratio": round(large.cpu_s / small.cpu_s, 2),
    }


if __name__ == "__main__":
    print_figures(measure())
