"""Does an event with many bots run to its end, whatever some of them do?"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.events.league import submit_folder
from arena.manifest import read_manifest
from arena.records import SeatEnding
from leaderboard.store import Store
from tests.events.folders import RANDOM, ROGUE, bot_folder
from tests.events.processes import NOON, Hall, event, new_hall

SINS = ("crash", "overrun", "illegal", "unparsable", "hang up", "twice", "burn", "never starts")
CAUGHT = {
    SeatEnding.CRASHED,
    SeatEnding.OVERRUN,
    SeatEnding.ILLEGAL_ACTION,
    SeatEnding.NONSENSE,
    SeatEnding.HUNG_UP,
}


def enter_many(hall: Hall, bots: int) -> None:
    """Enter honest bots, and one with each sin for every twenty-five of them."""
    sinful = [sin for _ in range(max(1, bots // 25)) for sin in SINS]
    with Store.open(hall.db, create=True) as store, store.writing() as writer:
        for number in range(bots):
            sin = sinful[number : number + 1]
            name = f"{sin[0].replace(' ', '-') if sin else 'random'}-{number}"
            folder = bot_folder(hall.folder / "bots", name, ROGUE if sin else RANDOM, *sin)
            submit_folder(writer, read_manifest(folder), now=NOON)


@pytest.mark.parametrize("bots", [16, pytest.param(200, marks=pytest.mark.slow)])
def test_a_swiss_event_with_rogues_runs_to_its_end(bots: int) -> None:
    with new_hall() as hall:
        enter_many(hall, bots)
        # All of the league, but not the house bots.
        with Store.open(hall.db) as store:
            names = [name for (name,) in store.rows("SELECT name FROM bots ORDER BY id")]
        file = hall.folder / "cup.toml"
        document = {"kind": "swiss", "game": "meow", "name": "cup", "clock": "1+0.1"}
        lines = [f"{key} = {json.dumps(value)}" for key, value in document.items()]
        lines.append(f"bots = {json.dumps(names)}")
        file.write_text("\n".join(lines), encoding="utf-8")
        command = event("cup.toml", "--quiet")
        done = hall.run(*command)
        assert done.returncode == 0, done.stderr
        assert status_and_endings(hall.db) >= {"finished", *(ending.value for ending in CAUGHT)}
        verified = hall.run("verify")
        assert verified.returncode == 0, verified.stdout
        assert hall.places() == []


def status_and_endings(db: Path) -> set[str]:
    """Return how the event stands, and how seats ended in it."""
    with closing(sqlite3.connect(db)) as connection:
        found = connection.execute("SELECT status FROM events UNION SELECT ending FROM seats")
        return {word for (word,) in found}
