"""How fast is a whole event, from the command to the standings?

Eight caged bots, four random and four greedy ones, play a round-robin at tables of four, with one
worker per core. The time includes everything that the command does: starting workers and bots,
playing, storing, rating. Only decisions that a bot chose are counted.

The CPU time of an event is that of all its processes: the command, the workers, the cages and the
bots.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from figures import print_figures
from measured_command import run_measured

from arena.records import How
from arena.replays.format import read_replay
from arena.submission.lookup import house_bots
from arena.submission.manifest import MANIFEST, read_manifest
from arena.tournament.entrants import submit_folder
from leaderboard.store import Store

COPIES = 4
SEATS = 4
DEALS = {"meow": 60, "trio": 60}
"""Enough deals to make the time to start negligible."""


class Figures(NamedTuple):
    """The throughput of an event, and what its decisions cost."""

    decisions: float
    """Per second."""
    matches: float
    """Per second."""
    cpu_us: float
    """CPU time per decision."""


def renamed_copy(parent: Path, bot: str, name: str) -> Path:
    """Copy the folder of a house bot, under another name."""
    folder = shutil.copytree(house_bots()[bot], parent / name)
    text = (folder / MANIFEST).read_text(encoding="utf-8")
    renamed = text.replace(f'name = "{bot}"', f'name = "{name}"')
    (folder / MANIFEST).write_text(renamed, encoding="utf-8")
    return folder


def enter_copies(db: Path, folder: Path, bot: str) -> list[str]:
    """Submit copies of a house bot under different names."""
    names = [f"{bot}-{number}" for number in range(COPIES)]
    with Store.open(db, create=True) as store, store.writing() as writer:
        for name in names:
            manifest = read_manifest(renamed_copy(folder, bot, name))
            submit_folder(writer, manifest, now=datetime.now(UTC))
    return names


def run_event(game: str, deals: int, house_bots: Sequence[str]) -> Figures:
    """Run an event between copies of house bots."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        db = folder / "arena.db"
        bots = [copy for each in house_bots for copy in enter_copies(db, folder, each)]
        words = ("event", "run", "round-robin", "--game", game, "--bots", ",".join(bots))
        options = ("--seats", str(SEATS), "--deals", str(deals), "--seed", "0", "--quiet")
        spent = run_measured([sys.executable, "-m", "arena", *words, *options, "--db", str(db)])
        with closing(sqlite3.connect(db)) as connection:
            replays = [data for (data,) in connection.execute("SELECT content FROM replays")]
    records = [read_replay(data) for data in replays]
    chosen = sum(each.how is How.CHOSEN for record in records for each in record.decisions)
    return Figures(
        chosen / spent.duration_s,
        len(records) / spent.duration_s,
        spent.cpu_s / chosen * 1e6,
    )


def measure() -> dict[str, dict[str, float]]:
    """Run an event in each of two games; return the document that --json prints."""
    found = {
        game: run_event(game, deals, ("random", f"greedy-{game}")) for game, deals in DEALS.items()
    }
    return {
        "decisions_per_second": {game: round(each.decisions) for game, each in found.items()},
        "matches_per_second": {game: round(each.matches) for game, each in found.items()},
        "cpu_us": {game: round(each.cpu_us, 1) for game, each in found.items()},
    }


if __name__ == "__main__":
    print_figures(measure())
