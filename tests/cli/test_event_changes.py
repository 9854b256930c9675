"""Events are deleted after a question, and extended."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.builders.leagues import league_with_stopped_event
from tests.cages import cage
from tests.cli.runner import arena_on

CAGE = ("--cage", cage().name, "--jobs", "1")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Make a league with a finished event, cup, and an interrupted one, open."""
    return league_with_stopped_event(tmp_path)


def test_an_event_is_deleted_only_if_that_is_confirmed(db: Path) -> None:
    refused = arena_on(db, "event", "delete", "cup")
    assert refused.exit_code == 2
    assert "delete cup with all its matches? Add --yes to confirm" in refused.stderr
    assert "cup" in arena_on(db, "event", "list").stdout
    published = json.loads(arena_on(db, "verify", "--json").stdout)["journal"]["hash"]
    deleted = arena_on(db, "event", "delete", "cup", "--yes")
    assert deleted.exit_code == 0, deleted.output
    assert deleted.stdout.startswith("deleted cup: ")
    assert "cup" not in arena_on(db, "event", "list").stdout
    assert arena_on(db, "leaderboard", "meow").stdout.startswith("no matches of meow yet")
    assert arena_on(db, "verify", "--published", published).exit_code == 0


def test_an_event_is_extended_by_another_and_deleted_after_it(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "--name", "cup", "-q")
    assert arena_on(db, "event", "run", "round-robin", *words, *CAGE).exit_code == 0
    asked = arena_on(db, "event", "extend", "cup", "-q")
    assert asked.exit_code == 2
    assert "say what to add: --bots, --deals or both" in asked.stderr
    extended = arena_on(db, "event", "extend", "cup", "--deals", "2", "-q", "--jobs", "1")
    assert extended.exit_code == 0, extended.output
    assert "extends cup: the standings count the matches of all of them" in extended.stdout
    assert "extended by cup-2, whose" in arena_on(db, "event", "show", "cup").stdout
    document = json.loads(arena_on(db, "event", "show", "cup-2", "--json").stdout)
    assert [row["matches"] for row in document["standings"]] == [6, 6]
    refused = arena_on(db, "event", "delete", "cup", "--yes")
    assert "cup is extended by cup-2: delete that event first" in refused.stderr
    assert arena_on(db, "event", "delete", "cup-2", "--yes").exit_code == 0
    assert arena_on(db, "event", "delete", "cup", "--yes").exit_code == 0


def test_an_unrated_event_leaves_the_leaderboard_empty(tmp_path: Path) -> None:
    db = tmp_path / "arena.db"
    words = ("--game", "meow", "--bots", "random,first", "--seats", "2", "--unrated", "-q")
    result = arena_on(db, "event", "run", "round-robin", *words, *CAGE)
    assert result.exit_code == 0, result.output
    assert "\nunrated: its matches change no rating\n" in result.stdout
    assert json.loads(arena_on(db, "leaderboard", "--json").stdout) == []
    assert arena_on(db, "verify").exit_code == 0
