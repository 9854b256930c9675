"""How fast is a whole event, from the command to the standings?

Eight caged bots, four random and four greedy ones, play a round-robin at tables of four, with one
worker per core. The time includes everything that the command does: starting workers and bots,
playing, storing, rating. Only decisions that a bot chose are counted.

The processor time of an event is that of all its processes: the command, the workers, the cages and
the bots. `choose_share` is the part of it that the bots spend in `choose`: a sample of their
decisions is repeated in this process (choose_cost.py). The higher, the less the arena adds.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from choose_cost import asked_in, choose_cpu_s, load_house_bot
from measured_command import run_measured

from arena.records import How, Record
from arena.replays.format import read_replay
from arena.submission.house import house_bots
from arena.submission.manifest import MANIFEST, read_manifest
from arena.tournament.field import submit_folder
from leaderboard.store import Store

COPIES = 4
SEATS = 4
DEALS = {"meow": 60, "trio": 60}
"""Enough deals to make the time to start negligible."""


SAMPLE = 60
"""Matches whose decisions are repeated to measure `choose`."""
REPEATS = 3


class Figures(NamedTuple):
    """The throughput of an event, and what its decisions cost."""

    decisions: float
    """Per second."""
    matches: float
    """Per second."""
    cpu_us: float | None
    """Processor time per decision."""
    choose_us: float
    """Processor time of `choose` per decision."""

    @property
    def choose_share(self) -> float | None:
        """The share of all processor time that is spent in `choose`."""
        return self.choose_us / self.cpu_us if self.cpu_us else None


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
        None if spent.cpu_s is None else spent.cpu_s / chosen * 1e6,
        choose_us(records[:: max(1, len(records) // SAMPLE)], house_bots),
    )


def choose_us(records: Sequence[Record], house_bots: Sequence[str]) -> float:
    """Repeat the decisions of matches; return the processor time of `choose` per decision."""
    bots = {name: load_house_bot(name) for name in house_bots}
    asked = [each for record in records for each in asked_in(record)]
    decisions = sum(len(each.views) for each in asked)
    spent_s = min(
        sum(choose_cpu_s(bots[each.name.rpartition("-")[0]], [each]) for each in asked)
        for _ in range(REPEATS)
    )
    return spent_s / decisions * 1e6


def measure() -> dict[str, dict[str, float]]:
    """Run an event in each of two games; return the document that --json prints."""
    found = {
        game: run_event(game, deals, ("random", f"greedy-{game}")) for game, deals in DEALS.items()
    }
    figures: dict[str, dict[str, float]] = {
        "decisions_per_second": {game: round(each.decisions) for game, each in found.items()},
        "matches_per_second": {game: round(each.matches) for game, each in found.items()},
        "choose_us": {game: round(each.choose_us, 1) for game, each in found.items()},
    }
    # Without control groups there is no figure.
    for game, each in found.items():
        if each.cpu_us and each.choose_share:
            figures.setdefault("cpu_us", {})[game] = round(each.cpu_us, 1)
            figures.setdefault("choose_share", {})[game] = round(each.choose_share, 3)
    return figures


def show(figures: Mapping[str, Mapping[str, float]]) -> None:
    """Print the figures as a table."""
    for name, of_game in figures.items():
        print(f"{name:24} {', '.join(f'{game} {figure:,}' for game, figure in of_game.items())}")


if __name__ == "__main__":
    result = measure()
    if "--json" in sys.argv[1:]:
        print(json.dumps(result, indent=2))
    else:
        show(result)
