"""What does it cost to seal deals: to end all bots between two matches of one deal?

Three caged bots play a round-robin of one pairing at MEOW with 1 to 60 deals, each in three
rotations. Open events (`--seed`) and sealed ones take turns, so that a busy machine affects both.
The bots decide at once, or think for 10 ms of CPU time at each decision. The figures are the
ratios of the medians: of the time of the whole command, and of the CPU time of all its
processes.

    scripts/bench sealing            all sizes: some minutes
    scripts/bench sealing turns=5    more turns
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from measured_command import run_measured

from arena.submission.manifest import read_manifest
from arena.tournament.entrants import submit_folder
from leaderboard.store import Store

SIZES = {0.0: (1, 5, 20, 60), 0.01: (1, 5, 20)}
"""For each thinking time in seconds, the numbers of deals."""
TURNS = 3
PROGRAM = """
import time
from arena.sdk import Bot, run

class Thinker(Bot):
    def choose(self, view):
        until = time.process_time() + {think_s}
        while time.process_time() < until:
            pass
        return self.legal_actions(view)[0]

run(Thinker)
"""


def enter_bots(db: Path, folder: Path, think_s: float) -> list[str]:
    """Submit three bots that think for some time at each decision."""
    names = ["ann", "ben", "cat"]
    with Store.open(db, create=True) as store, store.writing() as writer:
        for name in names:
            bot = folder / name
            bot.mkdir()
            (bot / "bot.py").write_text(PROGRAM.format(think_s=think_s), encoding="utf-8")
            manifest = f'name = "{name}"\ngames = ["meow"]\ncommand = ["python", "bot.py"]\n'
            (bot / "bot.toml").write_text(manifest, encoding="utf-8")
            submit_folder(writer, read_manifest(bot), now=datetime.now(UTC))
    return names


def run_event(think_s: float, deals: int, options: Sequence[str]) -> tuple[float, float]:
    """Run an event in a new league; return its duration and its CPU time."""
    with TemporaryDirectory() as name:
        db = Path(name, "arena.db")
        bots = ",".join(enter_bots(db, Path(name), think_s))
        words = ("event", "run", "round-robin", "--game", "meow", "--bots", bots, "--seats", "3")
        more = ("--deals", str(deals), "--quiet", "--db", str(db), *options)
        spent = run_measured([sys.executable, "-m", "arena", *words, *more])
        return spent.duration_s, spent.cpu_s


def main() -> None:
    """Print a row for each size."""
    turns = next((int(w.partition("=")[2]) for w in sys.argv[1:] if w.startswith("turns=")), TURNS)
    print("think ms  deals   open s  sealed s  ratio   open cpu s  sealed cpu s  ratio")
    for think_s, sizes in SIZES.items():
        for deals in sizes:
            found: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
            for turn in range(2 * turns):
                sealed = bool(turn % 2)
                found[sealed].append(run_event(think_s, deals, () if sealed else ("--seed", "1")))
            (wall, cpu), (sealed_wall, sealed_cpu) = (
                tuple(map(median, zip(*found[sealed], strict=True))) for sealed in (False, True)
            )
            print(
                f"{1000 * think_s:8.0f} {deals:6} {wall:8.2f} {sealed_wall:9.2f} "
                f"{sealed_wall / wall:6.2f} {cpu:12.2f} {sealed_cpu:13.2f} {sealed_cpu / cpu:6.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
