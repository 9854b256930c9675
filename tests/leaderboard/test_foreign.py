"""Files from untrusted sources cannot run their own code."""

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
from leaderboard.file.opening import first_foreign_object
from leaderboard.file.schema import TABLES
from leaderboard.file.views import VIEWS
from leaderboard.store import Store
from tests.builders.made_up import new_league, submit_bot

BOTS = TABLES["bots"]
FOREIGN = {
    "trigger": "CREATE TRIGGER act AFTER INSERT ON bots BEGIN DELETE FROM events; END",
    "view": "CREATE VIEW act AS SELECT writefile('/tmp/canary', 'x')",
    "view with a trigger": "CREATE TRIGGER act INSTEAD OF INSERT ON leaderboard "
    "BEGIN SELECT 1; END",
    "table": "CREATE TABLE act (x)",
    "temporary name": "CREATE TABLE sqlite_act (x)",
    "virtual table": "CREATE VIRTUAL TABLE act USING fts5(x)",
    "index": "CREATE INDEX act ON bots (name)",
    "index beside the bookkeeping": "CREATE INDEX act ON _sqlite_migrations (upper(name))",
}
CHANGED = {
    "check": ("bots", "name TEXT NOT NULL UNIQUE", "name TEXT NOT NULL UNIQUE CHECK (1)"),
    "no longer strict": ("bots", ") STRICT", ")"),
    "view": ("leaderboard", "bots.name AS bot", "upper(bots.name) AS bot"),
    "comment": ("leaderboard", "bots.name AS bot", "bots.name /* x */ AS bot"),
    "bookkeeping": ("_sqlite_migrations", '"name" TEXT', "\"name\" TEXT CHECK (upper('x') = 'X')"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Create a league."""
    new_league(tmp_path / "arena.db").close()
    return tmp_path / "arena.db"


def execute(path: Path, *statements: str) -> None:
    """Change a file as any other program could."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        for statement in statements:
            connection.execute(statement)
        connection.execute("PRAGMA journal_mode = DELETE")


def refusal_of(path: Path) -> str:
    """Assert that a file is refused for reading and creating, and unchanged; return the message."""
    before = path.read_bytes()
    messages = set()
    for create in (False, True):
        with pytest.raises(BadLeague) as caught:
            Store.open(path, create=create)
        messages.add(str(caught.value).removeprefix(f"{path} is not opened: "))
    assert path.read_bytes() == before
    assert caught.value.exit_code == 2
    (sentence,) = messages
    return sentence


@pytest.mark.parametrize("case", FOREIGN)
def test_a_file_with_an_object_that_no_arena_creates_is_refused(path: Path, case: str) -> None:
    statement = FOREIGN[case]
    if "fts5" in statement:
        with closing(sqlite3.connect(":memory:")) as connection:
            if not list(connection.execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")):
                pytest.skip("SQLite has no virtual tables here")
    if "sqlite_act" in statement:
        statement = (
            "INSERT INTO sqlite_schema SELECT 'table', 'sqlite_act', 'sqlite_act', rootpage, "
            "'CREATE TABLE sqlite_act (x AS (1), y)' FROM sqlite_schema WHERE name = 'bots'"
        )
    execute(path, statement)
    kind = case.split()[0].replace("temporary", "table").replace("virtual", "table")
    kind = "trigger" if case.endswith("trigger") else kind
    assert re.match(rf"no arena creates its {kind} (sqlite_)?act", refusal_of(path))


@pytest.mark.parametrize("case", CHANGED)
def test_a_file_with_a_changed_statement_is_refused(path: Path, case: str) -> None:
    name, old, new = CHANGED[case]
    old, new = old.replace("'", "''"), new.replace("'", "''")
    execute(
        path, f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{name}'"
    )
    kind = "view" if name in VIEWS else "table"
    assert refusal_of(path).startswith(f"no arena creates its {kind} {name}, ")


def test_a_view_in_place_of_the_record_of_migrations_is_refused(path: Path) -> None:
    execute(
        path,
        "DROP TABLE _sqlite_migrations",
        "CREATE VIEW _sqlite_migrations AS SELECT 'league' AS migration_set, '9.0' AS name",
    )
    assert refusal_of(path).startswith("no arena creates its view _sqlite_migrations, ")


def test_spaces_quotes_and_statistics_do_not_matter(path: Path) -> None:
    execute(
        path,
        "ANALYZE",
        "UPDATE sqlite_schema SET sql = replace(replace(sql, char(10), '  '), 'name', '\"name\"') "
        "WHERE name = 'bots'",
    )
    with Store.open(path) as store, store.writing() as writer:
        submit_bot(writer, "fox")
        assert "fox" in {version.bot for version in all_versions(store)}


statements = st.sampled_from([*TABLES.items(), *VIEWS.items()])


@given(statements, st.data())
def test_no_word_of_a_statement_can_be_changed(
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
        # Takes the place of the file's own schema.
        fake = _FakeSchema(connection)
        assert first_foreign_object(fake) == f"{kind} {name}"  # type: ignore[arg-type]


class _FakeSchema:
    """A connection whose schema is an ordinary table."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def execute(self, sql: str) -> sqlite3.Cursor:
        return self._connection.execute(sql.replace("sqlite_schema", "parts"))


def test_a_reader_cannot_write_by_any_statement(path: Path) -> None:
    with Store.open(path) as store:
        assert store.row("PRAGMA query_only") == (1,)
        assert store.row("PRAGMA trusted_schema") == (0,)
        assert store.row("PRAGMA cell_size_check") == (1,)
        for sql in ("INSERT INTO bots VALUES (9, 'x')", "CREATE TEMP TABLE x (y)", "VACUUM"):
            with pytest.raises(ArenaError):
                list(store.rows(sql))
