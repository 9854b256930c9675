"""Two real bots that collude are named, and bots that do not are not."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from arena.tournament.spec import Kind, Spec
from tests.builders.bots import ROGUES, bot_folder
from tests.builders.leagues import enter, open_league, play_event, submit_folders
from tests.cli.runner import arena_on
from tests.leaderboard.collusion.real_bots import (
    COLLUDERS,
    InProcessWorkers,
    Players,
    honest_players,
    house_players,
)
from tests.tournament.processes import event, new_workspace

COLLUDER = ROGUES / "meow_colluder.py"


def league_of(folder: Path, players: Players, *, matches: int, seed: int) -> Path:
    """Play a round-robin of MEOW between these bots; return the league's file."""
    names = tuple(players)
    with open_league(folder, names) as writer:
        spec = Spec(
            Kind.ROUND_ROBIN, "meow", name="cup", bots=names, matches=matches, seats=4, seed=seed
        )
        enter(writer, spec)
        play_event(writer, "cup", InProcessWorkers(players))
    return folder / "arena.db"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("honest", "matches", "seed"),
    [
        (6, 1000, 1),
        *(pytest.param(10, 2500, seed, marks=pytest.mark.slow) for seed in range(1, 21)),
    ],
)
def test_a_real_bot_that_feeds_another_is_found(
    tmp_path: Path, honest: int, matches: int, seed: int
) -> None:
    players = {**honest_players(honest), **COLLUDERS}
    db = league_of(tmp_path, players, matches=matches, seed=seed)
    for words in ((), ("--event", "cup"), ("--variant", "standard")):
        (document,) = json.loads(arena_on(db, "collusion", "meow", "--json", *words).stdout)
        (suspect,) = document["suspects"]
        assert (suspect["pattern"], suspect["bot"], suspect["other"]) == (
            *("transfer", "feeder", "taker"),
        )
        assert suspect["low"] > 0.05
        assert suspect["chance"] < 0.01
        assert suspect["author"] is None
    with closing(sqlite3.connect(db)) as connection, connection:
        connection.execute("UPDATE versions SET manifest = 'author = \"Jo\"'")
    title, heading, line, *_ = arena_on(db, "collusion", "meow").stdout.splitlines()
    assert title.startswith(f"meow, standard: {matches:,} matches, ")
    assert heading.split() == [
        *("bot", "bot", "effect", "95", "%", "interval", "p", "deals", "matches", "authors"),
    ]
    assert line.startswith("feeder@1  plays for  taker@1")
    assert line.endswith("Jo")


@pytest.mark.parametrize(
    ("seed", "matches"),
    [(1, 600), *(pytest.param(seed, 4000, marks=pytest.mark.slow) for seed in range(2, 12))],
)
def test_house_bots_are_not_suspected(tmp_path: Path, seed: int, matches: int) -> None:
    db = league_of(tmp_path, house_players(), matches=matches, seed=seed)
    result = arena_on(db, "collusion", "meow")
    assert "no pair stands out" in result.stdout
    assert "an effect of 0." in result.stdout


@pytest.mark.slow
def test_caged_bots_that_collude_in_an_event_are_found() -> None:
    with new_workspace() as workspace:
        folders = [
            bot_folder(workspace.folder / "bots", f"honest-{number}", COLLUDER, "honest", noise)
            for number, noise in enumerate(f"{number / 20}" for number in range(10))
        ]
        folders += [
            bot_folder(workspace.folder / "bots", name, COLLUDER, name, "0") for name in COLLUDERS
        ]
        submit_folders(workspace.db, *folders)
        names = ",".join(folder.name for folder in folders)
        words = ("round-robin", "--game", "meow", "--bots", names, "--matches", "2500")
        done = workspace.run(*event(*words, "--seats", "4", "--seed", "5", "--quiet"))
        assert done.returncode == 0, done.stderr
        found = workspace.run("collusion", "meow", "--json")
        (document,) = json.loads(found.stdout)
        assert [(each["bot"], each["other"]) for each in document["suspects"]] == [
            ("feeder", "taker")
        ]
