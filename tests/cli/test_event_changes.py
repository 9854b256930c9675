"""Events are deleted after a confirmation, and extended."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.builders.leagues import league_with_stopped_event
from tests.cages import cage
from tests.cli.runner import arena_on, json_on, printed, refused

CAGE = ("--cage", cage().name, "--jobs", "1")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Make a league with a finished event, cup, and an interrupted one, open."""
    return league_with_stopped_event(tmp_path)


def test_an_event_is_deleted_only_if_that_is_confirmed(db: Path) -> None:
    answer = refused(arena_on(db, "event", "delete", "cup"))
    assert "delete cup with all its matches? Add --yes to confirm" in answer
    assert "cup" in arena_on(db, "event", "list").stdout
    published = json_on(db, "verify")["journal"]["hash"]
    assert printed(arena_on(db, "event", "delete", "cup", "--yes")).startswith("deleted cup: ")
    assert "cup" not in arena_on(db, "event", "list").stdout
    assert arena_on(db, "leaderboard", "meow").stdout.startswith("no matches of meow yet")
    assert arena_on(db, "verify", "--published", published).exit_code == 0


def test_an_event_is_extended_by_another_and_deleted_after_it(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "--name", "cup", "-q")
    assert arena_on(db, "event", "run", "round-robin", *words, *CAGE).exit_code == 0
    asked = refused(arena_on(db, "event", "extend", "cup", "-q"))
    assert "say what to add: --bots, --deals or both" in asked
    extended = printed(arena_on(db, "event", "extend", "cup", "--deals", "2", "-q", "--jobs", "1"))
    assert "extends cup: the standings count the matches of all of them" in extended
    assert "extended by cup-2, whose" in arena_on(db, "event", "show", "cup").stdout
    document = json_on(db, "event", "show", "cup-2")
    assert [row["matches"] for row in document["standings"]] == [6, 6]
    answer = arena_on(db, "event", "delete", "cup", "--yes")
    assert "cup is extended by cup-2: delete that event first" in answer.stderr
    assert arena_on(db, "event", "delete", "cup-2", "--yes").exit_code == 0
    assert arena_on(db, "event", "delete", "cup", "--yes").exit_code == 0


def test_an_unrated_event_leaves_the_leaderboard_empty(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "--unrated", "-q")
    result = printed(arena_on(db, "event", "run", "round-robin", *words, *CAGE))
    assert "\nunrated: its matches change no rating\n" in result
    assert json_on(db, "leaderboard") == []
    assert arena_on(db, "verify").exit_code == 0
