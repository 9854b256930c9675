"""Can a file that somebody else made do anything by itself?"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import ArenaError, BadLeague
from leaderboard.bots import all_versions
from leaderboard.schema import TABLES, VERSION
from leaderboard.store import Store
from leaderboard.structure import foreign_part
from leaderboard.views import VIEWS
from tests.leaderboard.league import enter_bot, new_league

BOTS = TABLES["bots"]
FOREIGN = {
    "trigger": "CREATE TRIGGER act AFTER INSERT ON bots BEGIN DELETE FROM events; END",
    "trigger on update": "CREATE TRIGGER act AFTER UPDATE ON events BEGIN DELETE FROM bots; END",
    "view": "CREATE VIEW act AS SELECT writefile('/tmp/canary', 'x')",
    "view with a trigger": "CREATE TRIGGER act INSTEAD OF INSERT ON leaderboard "
    "BEGIN SELECT 1; END",
    "table": "CREATE TABLE act (x)",
    "temporary name": "CREATE TABLE sqlite_act (x)",
    "virtual table": "CREATE VIRTUAL TABLE act USING fts5(x)",
    "index": "CREATE INDEX act ON bots (name)",
    "index of an expression": "CREATE INDEX act ON bots (upper(name))",
    "index beside the bookkeeping": "CREATE INDEX act ON _sqlite_migrations (upper(name))",
}
CHANGED = {
    "check": ("bots", "name TEXT NOT NULL UNIQUE", "name TEXT NOT NULL UNIQUE CHECK (1)"),
    "default": ("bots", "name TEXT NOT NULL UNIQUE", "name TEXT NOT NULL UNIQUE DEFAULT 'x'"),
    "collation": ("bots", "name TEXT NOT NULL UNIQUE", "name TEXT NOT NULL UNIQUE COLLATE NOCASE"),
    "no longer strict": ("bots", ") STRICT", ")"),
    "view": ("leaderboard", "bots.name AS bot", "upper(bots.name) AS bot"),
    "comment": ("leaderboard", "bots.name AS bot", "bots.name /* x */ AS bot"),
    "bookkeeping": ("_sqlite_migrations", '"name" TEXT', "\"name\" TEXT CHECK (upper('x') = 'X')"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Make a league."""
    new_league(tmp_path / "arena.db").close()
    return tmp_path / "arena.db"


def execute(path: Path, *statements: str) -> None:
    """Do to a file what any other program can do."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
        connection.execute("PRAGMA journal_mode = DELETE")


def refused(path: Path) -> str:
    """Try to open a file to read and to write; return what is said, if nothing is changed."""
    before = path.read_bytes()
    said = set()
    for create in (False, True):
        with pytest.raises(BadLeague) as caught:
            Store.open(path, create=create)
        said.add(str(caught.value).removeprefix(f"{path} is not opened: "))
    assert path.read_bytes() == before
    assert caught.value.exit_code == 2
    (sentence,) = said
    return sentence


@pytest.mark.parametrize("version", range(VERSION + 1))
@pytest.mark.parametrize("what", FOREIGN)
def test_a_file_with_a_part_that_no_arena_makes_is_refused_as_it_is(
    path: Path, what: str, version: int
) -> None:
    statement = FOREIGN[what]
    if "fts5" in statement:
        with closing(sqlite3.connect(":memory:")) as connection:
            if not list(connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")):
                pytest.skip("SQLite has no virtual tables here")
    if "sqlite_act" in statement:
        statement = (
            "INSERT INTO sqlite_schema SELECT 'table', 'sqlite_act', 'sqlite_act', rootpage, "
            "'CREATE TABLE sqlite_act (x AS (1), y)' FROM sqlite_schema WHERE name = 'bots'"
        )
    execute(path, statement, f"PRAGMA user_version = {version}")
    kind = what.split()[0].replace("temporary", "table").replace("virtual", "table")
    kind = "trigger" if what.endswith("trigger") else kind
    assert re.match(rf"no arena has made its {kind} (sqlite_)?act", refused(path))


@pytest.mark.parametrize("what", CHANGED)
def test_a_file_whose_statements_are_not_ours_is_refused(path: Path, what: str) -> None:
    name, old, new = CHANGED[what]
    old, new = old.replace("'", "''"), new.replace("'", "''")
    execute(
        path, f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{name}'"
    )
    kind = "view" if name in VIEWS else "table"
    assert refused(path).startswith(f"no arena has made its {kind} {name}, ")


@pytest.mark.parametrize("version", range(VERSION + 1))
def test_a_computed_column_is_refused_in_a_file_of_any_version(path: Path, version: int) -> None:
    execute(path, "ALTER TABLE bots ADD COLUMN act TEXT AS (upper(name))")
    execute(path, f"PRAGMA user_version = {version}")
    assert re.match(r"no arena has made its (table bots|column bots\.act), ", refused(path))


def test_spaces_quotes_and_statistics_are_nobodys_business(path: Path) -> None:
    execute(
        path,
        "ANALYZE",
        "UPDATE sqlite_schema SET sql = replace(replace(sql, char(10), '  '), 'name', '\"name\"') "
        "WHERE name = 'bots'",
    )
    with Store.open(path) as store, store.writing() as writer:
        enter_bot(writer, "fox")
        assert "fox" in {version.bot for version in all_versions(store)}


statements = st.sampled_from([*TABLES.items(), *VIEWS.items()])


@given(statements, st.data())
def test_no_word_of_a_statement_can_be_another(
    statement: tuple[str, str], data: st.DataObject
) -> None:
    name, sql = statement
    words = re.findall(r"\w+|[^\s\w]", sql)
    at = data.draw(st.integers(0, len(words) - 1))
    change = data.draw(st.sampled_from(["x", "", "( x )", "upper ( x )", "'x'", words[at] * 2]))
    changed = " ".join([*words[:at], change, *words[at + 1 :]])
    kind = "table" if name in TABLES else "view"
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE parts (type, name, sql)")
        connection.execute("INSERT INTO parts VALUES (?, ?, ?)", (kind, name, changed))
        # As if it were the file's own list.
        pretended = _Renamed(connection)
        assert foreign_part(pretended, current=True) == f"{kind} {name}"  # type: ignore[arg-type]


class _Renamed:
    """A connection whose list of parts is a table that anything can be written to."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str) -> sqlite3.Cursor:
        return self._connection.execute(sql.replace("sqlite_schema", "parts"))


def test_a_reader_cannot_be_talked_into_writing(path: Path) -> None:
    with Store.open(path) as store:
        assert store.row("PRAGMA query_only") == (1,)
        assert store.row("PRAGMA trusted_schema") == (0,)
        assert store.row("PRAGMA cell_size_check") == (1,)
        for sql in ("INSERT INTO bots VALUES (9, 'x')", "CREATE TEMP TABLE x (y)", "VACUUM"):
            with pytest.raises(ArenaError):
                list(store.rows(sql))
