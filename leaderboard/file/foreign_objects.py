"""Check that a file has only objects that an arena creates.

A league may come from anyone, and an SQLite file can hold more than rows: triggers, and views,
indices, checks and generated columns that compute something when they are read. So a file is
accepted only if every statement in its schema is one of ours.
"""

from __future__ import annotations

import re
import sqlite3

from leaderboard.file.schema import TABLES
from leaderboard.file.views import VIEWS

_TOKEN = re.compile(r"""'(?:[^']|'')*'|"[^"]*"|\[[^\]]*\]|`[^`]*`|\w+|[^\s\w]""")
_MIGRATIONS = "_sqlite_migrations"
"""The table in which sqlite-utils records the migrations of a file."""
_MIGRATIONS_TABLE = re.compile(
    rf"CREATE TABLE {_MIGRATIONS} \( (?:(?:\w+|PRIMARY KEY \( [\w ,]+ \))"
    r"(?: (?:INTEGER|TEXT|PRIMARY KEY|NOT NULL))*(?: , | \)))+"
)
_MIGRATIONS_INDEX = re.compile(rf"CREATE (?:UNIQUE )?INDEX \w+ ON {_MIGRATIONS} \( [\w ,]+ \)")
_STATISTICS = re.compile(r"CREATE TABLE sqlite_stat[14] \( [\w ,]+ \)")
"""The tables that ANALYZE creates."""


def applied_migrations(connection: sqlite3.Connection) -> set[str]:
    """Return the migrations applied to a file; none if their table is missing or not ours."""
    row = connection.execute(
        "SELECT type, sql FROM sqlite_schema WHERE name = ?", [_MIGRATIONS]
    ).fetchone()
    if not row or not _is_auxiliary(row[0], _MIGRATIONS, row[1]):
        return set()
    rows = connection.execute(f"SELECT name FROM {_MIGRATIONS} WHERE migration_set = 'league'")
    return {name for (name,) in rows}


def first_foreign_object(connection: sqlite3.Connection) -> str | None:
    """Return the first object in a file that no arena creates; None if there is none."""
    for kind, name, sql in connection.execute("SELECT type, name, sql FROM sqlite_schema"):
        if not _is_ours(kind, name, sql):
            return f"{kind} {name}"
    return None


def _is_ours(kind: object, name: object, sql: object) -> bool:
    """Whether this arena creates an object by this statement."""
    if not isinstance(name, str) or _is_auxiliary(kind, name, sql):
        return isinstance(name, str)
    statement = {"table": TABLES, "view": VIEWS}.get(str(kind), {}).get(name)
    return statement is not None and isinstance(sql, str) and _tokens(sql) == _tokens(statement)


def _is_auxiliary(kind: object, name: str, sql: object) -> bool:
    """Whether SQLite or sqlite-utils creates an object for its own use."""
    if kind == "index" and sql is None:
        # The index of a UNIQUE or PRIMARY KEY: SQLite itself checks that there is one.
        return name.startswith("sqlite_autoindex_")
    if not isinstance(sql, str):
        return False
    written = " ".join(_tokens(sql))
    if kind == "table":
        pattern = _MIGRATIONS_TABLE if name == _MIGRATIONS else _STATISTICS
        return pattern.fullmatch(written) is not None
    return kind == "index" and _MIGRATIONS_INDEX.fullmatch(written) is not None


def _tokens(sql: str) -> list[str]:
    """Split a statement into words and signs, ignoring spaces and quotes."""
    return [_unquoted(token) for token in _TOKEN.findall(sql)]


def _unquoted(token: str) -> str:
    inner = token[1:-1]
    return inner if token[0] in '"[`' and inner.isidentifier() else token
