"""An event with many bots runs to its end, whatever some of them do."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.records import SeatEnding
from leaderboard.store import Store
from tests.builders.bots import RANDOM, ROGUE, bot_folder
from tests.builders.leagues import submit_folders
from tests.tournament.processes import Workspace, event, new_workspace

MISDEEDS = ("crash", "overrun", "illegal", "unparsable", "hang up", "twice", "burn", "never starts")
CAUGHT = {
    SeatEnding.CRASHED,
    SeatEnding.OVERRUN,
    SeatEnding.ILLEGAL_ACTION,
    SeatEnding.NONSENSE,
    SeatEnding.HUNG_UP,
}


def submit_many(workspace: Workspace, bots: int) -> None:
    """Submit honest bots and, for every twenty-five of them, one rogue of each kind."""
    misdeeds = [misdeed for _ in range(max(1, bots // 25)) for misdeed in MISDEEDS]
    folders = []
    for number in range(bots):
        misdeed = misdeeds[number : number + 1]
        name = f"{misdeed[0].replace(' ', '-') if misdeed else 'random'}-{number}"
        program = ROGUE if misdeed else RANDOM
        folders.append(bot_folder(workspace.folder / "bots", name, program, *misdeed))
    submit_folders(workspace.db, *folders)


@pytest.mark.slow
@pytest.mark.parametrize("bots", [16, 200])
def test_a_swiss_event_with_rogues_runs_to_its_end(bots: int) -> None:
    with new_workspace() as workspace:
        submit_many(workspace, bots)
        # All bots of the league, but no house bots.
        with Store.open(workspace.db) as store:
            names = [name for (name,) in store.rows("SELECT name FROM bots ORDER BY id")]
        file = workspace.folder / "cup.toml"
        document = {"kind": "swiss", "game": "meow", "name": "cup", "clock": "1+0.1"}
        lines = [f"{key} = {json.dumps(value)}" for key, value in document.items()]
        lines.append(f"bots = {json.dumps(names)}")
        file.write_text("\n".join(lines), encoding="utf-8")
        command = event("cup.toml", "--quiet")
        done = workspace.run(*command)
        assert done.returncode == 0, done.stderr
        assert status_and_endings(workspace.db) >= {
            "finished",
            *(ending.code for ending in CAUGHT),
        }
        verified = workspace.run("verify")
        assert verified.returncode == 0, verified.stdout
        assert workspace.leftover_folders() == []


def status_and_endings(db: Path) -> set[str]:
    """Return the status of the event and the endings of its seats."""
    with closing(sqlite3.connect(db)) as connection:
        found = connection.execute("SELECT status FROM events UNION SELECT ending FROM seats")
        return {word for (word,) in found}
