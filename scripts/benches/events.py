"""How fast is a whole event, from the command to the standings?

Eight caged bots, four random and four greedy ones, play a round-robin at tables of four, with one
worker per core. The time includes everything that the command does: starting workers and bots,
playing, storing, rating. Only decisions that a bot chose are counted.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from arena.records import How
from arena.replays.format import read_replay
from arena.submission.house import house_bots
from arena.submission.manifest import MANIFEST, read_manifest
from arena.tournament.field import submit_folder
from leaderboard.store import Store

COPIES = 4
SEATS = 4
DEALS = {"meow": 60, "trio": 60}
"""Enough deals to make the time to start negligible."""


class Figures(NamedTuple):
    """The throughput of an event, per second."""

    decisions: float
    matches: float


def enter_copies(db: Path, folder: Path, name: str, copies: int = COPIES) -> list[str]:
    """Submit copies of a house bot under different names."""
    names = [f"{name}-{number}" for number in range(copies)]
    with Store.open(db, create=True) as store, store.writing() as writer:
        for copy in names:
            target = folder / copy
            shutil.copytree(house_bots()[name], target)
            text = (target / MANIFEST).read_text(encoding="utf-8")
            renamed = text.replace(f'name = "{name}"', f'name = "{copy}"')
            (target / MANIFEST).write_text(renamed, encoding="utf-8")
            submit_folder(writer, read_manifest(target), now=datetime.now(UTC))
    return names


def run_event(game: str, deals: int) -> Figures:
    """Run an event."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        db = folder / "arena.db"
        bots = [
            copy for each in ("random", f"greedy-{game}") for copy in enter_copies(db, folder, each)
        ]
        words = ("event", "run", "round-robin", "--game", game, "--bots", ",".join(bots))
        options = ("--seats", str(SEATS), "--deals", str(deals), "--seed", "0", "--quiet")
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "arena", *words, *options, "--db", str(db)],
            check=True,
            stdout=sys.stderr,
        )
        took_s = time.perf_counter() - start
        with closing(sqlite3.connect(db)) as connection:
            replays = [data for (data,) in connection.execute("SELECT content FROM replays")]
    chosen = sum(
        decision.how is How.CHOSEN for data in replays for decision in read_replay(data).decisions
    )
    return Figures(chosen / took_s, len(replays) / took_s)


def measure() -> dict[str, dict[str, int]]:
    """Run an event in each of two games; return the document that --json prints."""
    found = {game: run_event(game, deals) for game, deals in DEALS.items()}
    return {
        "decisions_per_second": {game: round(each.decisions) for game, each in found.items()},
        "matches_per_second": {game: round(each.matches) for game, each in found.items()},
    }


if __name__ == "__main__":
    figures = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures, indent=2))
    else:
        for name, of_game in figures.items():
            print(f"{name:24} {', '.join(f'{game} {n:,}' for game, n in of_game.items())}")
