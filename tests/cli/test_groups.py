"""Bots that never met are ranked apart, until the event that is proposed connects them."""

from __future__ import annotations

import re
from pathlib import Path

from arena.tournament.spec import Kind, Spec
from tests.builders.bots import bot_folder
from tests.builders.leagues import (
    NAMES,
    FakeWorkers,
    enter,
    open_league,
    play_event,
    submit_folders,
    submit_named,
)
from tests.cli.runner import arena_on, json_on, printed

QUICKLY = ("--cage", "none", "--jobs", "1", "--quiet")


def test_the_leaderboard_proposes_the_event_that_connects_groups(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    names = ["ant", "bee", "cat", "dog", "eel"]
    submit_folders(db, *(bot_folder(tmp_path / "bots", name) for name in names))
    run = ("event", "run", "round-robin", "--game", "meow", "--variant", "expert")
    for number, bots in enumerate(("ant,bee", "cat,dog,eel")):
        words = ("--bots", bots, "--seats", "2", "--deals", "6", "--seed", str(number))
        assert arena_on(db, *run, *words, "--name", f"class-{number}", *QUICKLY).exit_code == 0
    rows = json_on(db, "leaderboard", "meow")
    assert [(row["strength_group"], row["rank"]) for row in rows] == [
        *((1, 1), (1, 2), (1, 3)),
        *((2, 1), (2, 2)),
    ]
    shown = " ".join(printed(arena_on(db, "leaderboard", "meow")).split())
    assert "these groups never met" in shown
    command = re.search(r"To compare them: arena (.* --deals \d+)", shown)
    assert command
    proposed = command[1].split()
    assert f"{rows[1]['bot']}@1,{rows[3]['bot']}@1" in proposed
    assert arena_on(db, *proposed, "--seed", "2", "--name", "both", *QUICKLY).exit_code == 0
    assert {row["strength_group"] for row in json_on(db, "leaderboard", "meow")} == {1}
    assert "never met" not in printed(arena_on(db, "leaderboard", "meow"))


def test_head_to_head_and_a_page_say_what_strengths_do_not(tmp_path: Path) -> None:
    bots = ("ann@1", "ann@2", "ben")
    spec = Spec(Kind.ROUND_ROBIN, "meow", name="cup", bots=bots, seats=2, deals=12, seed=1)
    with open_league(tmp_path, ["ann", "ben"]) as writer:
        (tmp_path / "ann" / "better.py").touch()
        submit_named(writer, tmp_path, "ann")
        enter(writer, spec)
        play_event(writer, "cup", FakeWorkers())
    db = tmp_path / "arena.db"
    sentence = "No cycle is certain: one order can explain who beats whom."
    assert sentence in printed(arena_on(db, "leaderboard", "--head-to-head"))
    assert arena_on(db, "report", str(tmp_path / "site")).exit_code == 0
    page = (tmp_path / "site" / "variants" / "meow-standard.html").read_text(encoding="utf-8")
    assert sentence in page
    assert "Strength by version over version. ann: " in page


def test_an_event_says_if_not_all_of_its_bots_have_met(tmp_path: Path) -> None:
    spec = Spec(Kind.SWISS, "meow", name="cup", bots=NAMES[:4], seats=2, rounds=1, seed=1)
    with open_league(tmp_path, NAMES[:4]) as writer:
        enter(writer, spec)
        play_event(writer, "cup", FakeWorkers())
    db = tmp_path / "arena.db"
    assert "Some bots of this event never met" in printed(arena_on(db, "event", "show", "cup"))
    ranks = [row["strength_rank"] for row in json_on(db, "event", "show", "cup")["standings"]]
    assert sorted(ranks) == [1, 1, 2, 2]
