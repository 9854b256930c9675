"""Opening, creating and locking files; other files are refused and left alone."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from arena.errors import ArenaError, BadInput, BadLeague
from arena.games.outcome import Ending
from leaderboard.bots import find_version, retire
from leaderboard.events import all_events, start_event
from leaderboard.file.schema import APPLICATION_ID, MIGRATIONS, TABLES
from leaderboard.file.views import VIEWS
from leaderboard.ledger import Ledger
from leaderboard.queries.leaderboards import leaderboard
from leaderboard.result import FORFEIT, SEAT_ENDINGS
from leaderboard.store import Store
from tests.builders.made_up import (
    BOTS,
    FIELD,
    NOW,
    make_plan,
    make_results,
    new_event,
    new_league,
)
from tests.indices import versions


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Run a statement on a file without the store."""
    connection = sqlite3.connect(path)
    try:
        with connection:
            return connection.execute(sql).fetchall()
    finally:
        connection.close()


def applied(store: Store) -> list[str]:
    """List the migrations that have been applied to a file."""
    return [name for (name,) in store.rows("SELECT name FROM _sqlite_migrations ORDER BY id")]


def foreign(path: Path) -> None:
    query(path, "CREATE TABLE notes (text)")


def foreign_in_wal_mode(path: Path) -> None:
    foreign(path)
    query(path, "PRAGMA journal_mode = wal")


def of_another_version(path: Path) -> None:
    new_league(path).close()
    query(path, "CREATE TABLE unheard_of (x)")
    query(path, "INSERT INTO _sqlite_migrations VALUES (9, 'league', '9.0', '2030-01-01 00:00')")


def without_its_migrations(path: Path) -> None:
    new_league(path).close()
    query(path, "DROP TABLE _sqlite_migrations")


def without_a_table(path: Path) -> None:
    new_league(path).close()
    query(path, "DROP TABLE meetings")


def not_a_database(path: Path) -> None:
    path.write_text("dear diary")


def cut_off(path: Path) -> None:
    new_league(path).close()
    os.truncate(path, 5000)


def scrambled(path: Path) -> None:
    new_league(path).close()
    data = bytearray(path.read_bytes())
    data[100:4096] = bytes(3996)
    path.write_bytes(data)


REFUSED: dict[Callable[[Path], None], str] = {
    foreign: "is not a league: it is the SQLite file of another program",
    foreign_in_wal_mode: "is not a league: it is the SQLite file of another program",
    of_another_version: "was written by another version of the arena (this one does not know its ",
    without_its_migrations: "is damaged (without its migrations): restore it from a backup",
    without_a_table: "is damaged (without meetings): restore it from a backup",
    not_a_database: "is not a league: it is not an SQLite file",
    cut_off: "is damaged (",
    scrambled: "is damaged (",
}


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize(
    ("make", "sentence"), REFUSED.items(), ids=[make.__name__ for make in REFUSED]
)
def test_a_file_that_is_not_a_valid_league_is_refused_and_not_touched(
    tmp_path: Path, make: Callable[[Path], None], sentence: str, create: bool
) -> None:
    path = tmp_path / "arena.db"
    make(path)
    before = path.read_bytes()
    with pytest.raises(BadLeague) as caught:
        Store.open(path, create=create)
    assert str(caught.value).startswith(f"{path} {sentence}")
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["arena.db"]


def test_a_missing_file_is_created_only_on_request(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with pytest.raises(BadInput, match=r"no league at .*: `arena demo` makes one"):
        Store.open(path)
    assert os.listdir(tmp_path) == []
    Store.open(path, create=True).close()
    assert os.listdir(tmp_path) == ["arena.db"]
    Store.open(path).close()


def test_a_missing_folder_a_folder_and_a_pipe_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot be created: No such file or directory"):
        Store.open(tmp_path / "nowhere" / "arena.db", create=True)
    with pytest.raises(BadLeague, match="it is not a file"):
        Store.open(tmp_path, create=True)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadLeague, match="it is not a file"):
        Store.open(tmp_path / "pipe")


def test_a_league_may_have_an_odd_name(tmp_path: Path) -> None:
    path = tmp_path / "a ?mode=memory#%41 é.db"
    Store.open(path, create=True).close()
    assert os.listdir(tmp_path) == [path.name]
    Store.open(path).close()


def touched(path: Path) -> None:
    path.touch()


def switched_to_wal(path: Path) -> None:
    query(path, "PRAGMA journal_mode = wal")


@pytest.mark.parametrize("make", [touched, switched_to_wal])
def test_an_empty_file_becomes_a_league(tmp_path: Path, make: Callable[[Path], None]) -> None:
    path = tmp_path / "arena.db"
    make(path)
    with pytest.raises(BadLeague, match="is not a league: it is empty"):
        Store.open(path)
    with Store.open(path, create=True) as store:
        assert leaderboard(store) == []


def test_a_new_league_is_marked_strict_and_in_wal_mode(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with Store.open(path, create=True) as store:
        assert store.row("PRAGMA application_id") == (APPLICATION_ID,)
        assert applied(store) == list(MIGRATIONS)
        assert store.row("PRAGMA journal_mode") == ("wal",)
        strict = {
            name
            for name, is_strict in store.rows("SELECT name, strict FROM pragma_table_list")
            if is_strict
        }
        assert strict == TABLES.keys()
        for view in VIEWS:
            assert list(store.rows(f"SELECT * FROM {view}")) == []


def test_foreign_keys_are_enforced(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        with pytest.raises(sqlite3.IntegrityError):
            start_event(writer, make_plan(), versions(1, 99), now=NOW)
        assert all_events(store) == []


def test_a_reader_sees_what_is_written_and_a_snapshot_does_not(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with new_league(path) as store, Store.open(path) as reader, store.writing() as writer:
        with reader.snapshot():
            assert all_events(reader) == []
            start_event(writer, make_plan(), FIELD, now=NOW)
            assert all_events(reader) == []
        assert [event.name for event in all_events(reader)] == ["spring"]


def test_an_unfinished_query_may_outlive_the_store(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        rows = store.rows("SELECT * FROM versions")
        next(rows)
    assert isinstance(rows, Generator)
    rows.close()


def test_bots_are_submitted_and_retired_while_an_event_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with new_league(path) as store, Store.open(path) as other, store.writing() as writer:
        start_event(writer, make_plan(), FIELD, now=NOW)
        with other.writing_bots() as beside:
            retire(beside, BOTS[0], now=NOW)
        assert find_version(writer, f"{BOTS[0]}@1").retired
        assert [event.status for event in all_events(store)] == ["running"]


def test_the_lock_is_released_even_after_an_error(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        with pytest.raises(ZeroDivisionError), store.writing():
            raise ZeroDivisionError
        with store.writing():
            pass


def test_closing_a_store_leaves_the_locks_of_another_in_place(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with new_league(path) as store:
        with Store.open(path) as other, other.writing():
            pass
        # SQLite's lock on a file in WAL mode, which every open connection holds.
        inode = path.stat().st_ino
        locks = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        mine = [
            words[1]
            for words in locks
            if words[4] == str(os.getpid()) and words[5].endswith(f":{inode}")
        ]
        assert "POSIX" in mine
        assert leaderboard(store) == []


def test_an_event_whose_process_has_ended_is_interrupted(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        with store.writing() as writer:
            start_event(writer, make_plan(), FIELD, now=NOW)
        assert [event.status for event in all_events(store)] == ["running"]
        with store.writing():
            assert [event.status for event in all_events(store)] == ["interrupted"]


def test_no_other_files_are_left_in_the_folder(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        start_event(writer, make_plan(), FIELD, now=NOW)
    assert os.listdir(tmp_path) == ["arena.db"]


def test_reading_imports_neither_migrations_nor_ratings() -> None:
    program = "import sys, leaderboard.queries.leaderboards, leaderboard.bots; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
    assert {b"sqlite_utils", b"trueskill", b"grpc"}.isdisjoint(out.split())


def test_the_file_accepts_only_known_endings(tmp_path: Path) -> None:
    codes = {
        "matches": {ending.code for ending in Ending} | {FORFEIT},
        "seats": set(SEAT_ENDINGS),
    }
    path = tmp_path / "arena.db"
    with new_league(path) as store, store.writing() as writer:
        event = new_event(writer, make_plan())
        Ledger(writer, event.id).finish(make_results(writer, event)[:3], now=NOW)
    for table, known in codes.items():
        for code in known:
            query(path, f"UPDATE {table} SET ending = '{code}'")
        with pytest.raises(sqlite3.IntegrityError, match="CHECK constraint failed"):
            query(path, f"UPDATE {table} SET ending = 'won'")
