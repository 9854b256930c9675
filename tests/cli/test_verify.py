"""`arena verify` detects every change to a league."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from leaderboard.file.journal import record
from leaderboard.store import Store
from tests.builders.leagues import league_with_stopped_event
from tests.cli.runner import arena_on, json_on, printed


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Make a league."""
    return league_with_stopped_event(tmp_path)


def change(db: Path, statement: str) -> None:
    """Change a league with plain SQL."""
    with closing(sqlite3.connect(db)) as connection, connection:
        assert connection.execute(statement).rowcount > 0


def test_a_correct_league_passes(db: Path) -> None:
    document = json_on(db, "verify")
    assert document["wrong"] == []
    journal = document["journal"]
    assert printed(arena_on(db, "verify")) == (
        f"journal: {journal['entries']} entries, hash {journal['hash']}\n"
        f"2 events, {document['matches']} matches replayed: all results and ratings are correct\n"
    )
    assert json_on(db, "verify", "cup")["events"] == 1


def test_a_wrong_place_is_reported_and_exits_with_1(db: Path) -> None:
    change(db, "UPDATE seats SET place = 4 - place WHERE match = 1")
    result = arena_on(db, "verify")
    assert result.exit_code == 1
    assert result.stdout.startswith("cup, match 0: seat ")
    assert result.stdout.endswith("errors found\n")
    # The other event is unaffected, but ratings depend on all events.
    assert json_on(db, "verify", "open")["wrong"]


def test_a_published_hash_must_be_in_the_journal(db: Path) -> None:
    published = json_on(db, "verify")["journal"]["hash"]
    assert arena_on(db, "bots", "retire", "ann").exit_code == 0
    assert arena_on(db, "verify", "--published", published).exit_code == 0
    result = arena_on(db, "verify", "--published", published[::-1])
    assert result.exit_code == 1
    assert result.stdout.startswith(f"no entry of the journal has the hash {published[::-1]}: ")


def test_a_league_with_old_tie_rates_is_correct_and_can_be_rated_anew(db: Path) -> None:
    with Store.open(db) as store, store.writing() as writer, writer.transaction():
        writer.write("UPDATE tie_rates SET rate = 0.4 WHERE seats = 6 AND variant = 1")
        record(writer, "tie_rates", {"variant": 1})
    assert printed(arena_on(db, "verify")).endswith(
        "meow standard: this arena has measured better tie rates; "
        "`arena rerate` recomputes the ratings\n"
    )
    assert json_on(db, "verify")["old_tie_rates"] == ["meow standard"]
    rated = printed(arena_on(db, "rerate"))
    assert rated.startswith("rated ")
    assert rated.endswith(" matches again: new tie rates in meow standard\n")
    assert "rerate" not in arena_on(db, "verify").stdout
    assert arena_on(db, "rerate").stdout.endswith("again: no new tie rates\n")
