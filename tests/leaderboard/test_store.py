"""Opening, migrating and locking files; other files are refused and left alone."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Generator
from fcntl import LOCK_EX, LOCK_UN, flock
from pathlib import Path

import pytest

from arena.errors import ArenaError, BadInput, BadLeague, LeagueInUse
from arena.games.outcome import Ending
from leaderboard.bots import all_versions, find_version, retire
from leaderboard.events import all_events, start_event
from leaderboard.journal import head_of
from leaderboard.queries import leaderboard
from leaderboard.result import FORFEIT, SEAT_ENDINGS
from leaderboard.schema import APPLICATION_ID, MIGRATIONS, TABLES
from leaderboard.store import Store
from leaderboard.verification.journal import journal_differences
from leaderboard.verify import first_difference
from leaderboard.views import VIEWS
from tests.builders.made_up import BOTS, NOW, make_plan, new_league
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


def newer(path: Path) -> None:
    new_league(path).close()
    query(path, "CREATE TABLE unheard_of (x)")
    query(
        path, "INSERT INTO _sqlite_migrations VALUES (9, 'league', 'version_9', '2030-01-01 00:00')"
    )


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
    newer: "was written by a newer arena (this one does not know its migration 'version_9'): ",
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
    with pytest.raises(BadInput, match=r"no league at .*: submit a bot to start one"):
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
            start_event(writer, make_plan()._replace(field=versions(1, 99)), now=NOW)
        assert all_events(store) == []


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        with pytest.raises(ArenaError, match="read-only"):
            list(store.rows("DELETE FROM versions"))
        assert all_versions(store)


def test_a_reader_sees_what_is_written_and_a_snapshot_does_not(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with new_league(path) as store, Store.open(path) as reader, store.writing() as writer:
        with reader.snapshot():
            assert all_events(reader) == []
            start_event(writer, make_plan(), now=NOW)
            assert all_events(reader) == []
        assert [event.name for event in all_events(reader)] == ["spring"]


def test_an_unfinished_query_may_outlive_the_store(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        rows = store.rows("SELECT * FROM versions")
        next(rows)
    assert isinstance(rows, Generator)
    rows.close()


def test_there_is_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with new_league(path) as store, Store.open(path) as other:
        with store.writing():
            with (
                pytest.raises(LeagueInUse, match="is being written by another arena process"),
                other.writing(),
            ):
                pass
            with pytest.raises(LeagueInUse), store.writing():
                pass
        with other.writing():
            pass


def test_bots_are_submitted_and_retired_while_an_event_holds_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    with new_league(path) as store, Store.open(path) as other, store.writing() as writer:
        start_event(writer, make_plan(), now=NOW)
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
            start_event(writer, make_plan(), now=NOW)
        assert [event.status for event in all_events(store)] == ["running"]
        with store.writing():
            assert [event.status for event in all_events(store)] == ["interrupted"]


def test_no_other_files_are_left_in_the_folder(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store, store.writing() as writer:
        start_event(writer, make_plan(), now=NOW)
    assert os.listdir(tmp_path) == ["arena.db"]


def test_an_old_file_is_migrated_unless_another_process_writes(tmp_path: Path) -> None:
    path = tmp_path / "arena.db"
    new_league(path).close()
    query(path, "DROP VIEW leaderboard")
    query(path, f"DELETE FROM _sqlite_migrations WHERE name = '{MIGRATIONS[-1]}'")
    with path.open("rb") as file:
        flock(file, LOCK_EX)
        with pytest.raises(LeagueInUse):
            Store.open(path)
        flock(file, LOCK_UN)
    with Store.open(path) as store:
        assert applied(store) == list(MIGRATIONS)
        assert leaderboard(store) == []
        assert len(all_versions(store)) == len(BOTS)


def test_reading_imports_neither_migrations_nor_ratings() -> None:
    program = "import sys, leaderboard.queries, leaderboard.bots; print(*sys.modules)"
    out = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout
    assert {b"sqlite_utils", b"trueskill", b"grpc"}.isdisjoint(out.split())


FILES = sorted((Path(__file__).parent / "files").glob("version-*.db.z"))


@pytest.mark.parametrize("stored", FILES, ids=lambda path: path.name)
def test_a_file_of_every_version_is_migrated(tmp_path: Path, stored: Path) -> None:
    path = old_league(tmp_path, stored)
    with Store.open(path) as store, new_league(tmp_path / "new.db") as new:
        schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
        assert list(store.rows(schema)) == list(new.rows(schema))
        assert [event.name for event in all_events(store)] == ["spring"]
        assert [line.bot for line in leaderboard(store)]
        assert first_difference(store) is None
        assert head_of(store).entries
        assert journal_differences(store) == []


WORDS = {
    "played": "played",
    "illegal action": "illegal_action",
    "overran its clock": "overrun",
    "crashed": "crashed",
    "hung up": "hung_up",
    "nonsense on the wire": "nonsense",
    "never said hello": "no_hello",
    "wrong protocol version": "wrong_version",
    "went over a limit": "over_limit",
    "forfeit": "forfeit",
}
"""The endings of seats as versions 1 and 2 stored them, and their codes."""


def old_league(tmp_path: Path, stored: Path) -> Path:
    """Unpack a stored file."""
    path = tmp_path / "arena.db"
    path.write_bytes(zlib.decompress(stored.read_bytes()))
    return path


@pytest.mark.parametrize("stored", FILES[:2], ids=lambda path: path.name)
def test_endings_that_were_stored_in_words_become_codes(tmp_path: Path, stored: Path) -> None:
    path = old_league(tmp_path, stored)
    for number, words in enumerate(WORDS, 1):
        query(path, f"UPDATE seats SET ending = '{words}' WHERE match = {number}")
    query(path, "UPDATE matches SET ending = 'length cap' WHERE id = 1")
    query(path, "UPDATE matches SET ending = 'forfeit' WHERE id = 2")
    counts = [query(path, f"SELECT count(*) FROM {name}") for name in ("matches", "seats")]
    with Store.open(path) as store:
        rows = store.rows("SELECT DISTINCT match, ending FROM seats WHERE match <= 10")
        assert dict(rows) == dict(enumerate(WORDS.values(), 1))
        rows = store.rows("SELECT ending FROM matches ORDER BY id LIMIT 3")
        assert [ending for (ending,) in rows] == ["length_cap", "forfeit", "played_out"]
    assert counts == [query(path, f"SELECT count(*) FROM {name}") for name in ("matches", "seats")]


@pytest.mark.parametrize("table", ["matches", "seats"])
@pytest.mark.parametrize("stored", FILES[:2], ids=lambda path: path.name)
def test_an_old_file_with_an_unknown_ending_is_refused_and_not_changed(
    tmp_path: Path, stored: Path, table: str
) -> None:
    path = old_league(tmp_path, stored)
    key = "id" if table == "matches" else "match"
    query(path, f"UPDATE {table} SET ending = 'won' WHERE {key} = 1")
    before = query(path, f"SELECT * FROM {table}")
    with pytest.raises(BadLeague, match=f"{table} has the ending 'won', which no arena writes"):
        Store.open(path)
    assert query(path, f"SELECT * FROM {table}") == before


def test_the_file_accepts_only_known_endings(tmp_path: Path) -> None:
    codes = {
        "matches": {ending.code for ending in Ending} | {FORFEIT},
        "seats": set(SEAT_ENDINGS),
    }
    path = old_league(tmp_path, FILES[-1])
    for table, known in codes.items():
        for code in known:
            query(path, f"UPDATE {table} SET ending = '{code}'")
        with pytest.raises(sqlite3.IntegrityError, match="CHECK constraint failed"):
            query(path, f"UPDATE {table} SET ending = 'won'")


def test_there_is_a_stored_file_of_every_version() -> None:
    names = [name.replace("_", "-") for name in MIGRATIONS]
    assert [path.name for path in FILES] == [f"{name}.db.z" for name in names]


def test_an_arena_that_knows_only_versions_1_and_2_refuses_the_file(tmp_path: Path) -> None:
    with new_league(tmp_path / "arena.db") as store:
        assert store.row("PRAGMA user_version") == (3,)
