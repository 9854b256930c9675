"""Does `arena verify` say whether a league is true?"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.leagues import arena, small_league


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Make a league."""
    return small_league(tmp_path)


def change(db: Path, statement: str) -> None:
    """Change a league behind its back."""
    with closing(sqlite3.connect(db)) as connection, connection:
        assert connection.execute(statement).rowcount > 0


def test_a_true_league_is_said_to_be_true(db: Path) -> None:
    result = arena(db, "verify")
    assert result.exit_code == 0
    document = json.loads(arena(db, "verify", "--json").stdout)
    assert document["wrong"] == []
    assert result.stdout == (
        f"2 events, {document['matches']} matches played again: "
        "all of it and every rating is true\n"
    )
    assert json.loads(arena(db, "verify", "cup", "--json").stdout)["events"] == 1


def test_a_wrong_place_is_named_and_the_exit_code_is_1(db: Path) -> None:
    change(db, "UPDATE seats SET place = 4 - place WHERE match = 1")
    result = arena(db, "verify")
    assert result.exit_code == 1
    assert result.stdout.startswith("cup, match 0: seat ")
    assert result.stdout.endswith("not true\n")
    # The other event is not concerned, but all ratings are.
    assert json.loads(arena(db, "verify", "open", "--json").stdout)["wrong"]


def test_a_wrong_rating_is_named(db: Path) -> None:
    change(db, "UPDATE ratings SET mu = mu + 1e-9 WHERE version = 1")
    result = arena(db, "verify")
    assert result.exit_code == 1
    assert "ann@1: mu is " in result.stdout


def test_an_event_that_does_not_exist_is_told(db: Path) -> None:
    result = arena(db, "verify", "cupp")
    assert result.exit_code == 2
    assert "no event is called 'cupp': did you mean cup?" in result.stderr
